import { Group, Stack, Text } from '@mantine/core';
import { IconMinus, IconPencil, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Changes.module.css';
import { t } from '../../../lib/language.ts';
import { type FieldChange, type ReadableDiff, readableValue } from './shape.ts';

const LOOKS = {
  added: { icon: IconPlus, word: t('Added') },
  removed: { icon: IconMinus, word: t('Removed') },
  changed: { icon: IconPencil, word: t('Changed') },
} as const;
type Kind = keyof typeof LOOKS;

/** A difference as its parts: nodes, edges, settings, each with what stood there and what stands there now. */
export function Changes({ diff }: { diff: ReadableDiff }): ReactNode {
  if (diff.same) {
    return (
      <Text size="sm" c="dimmed">
        {t('The two versions hold the same definition.')}
      </Text>
    );
  }
  return (
    <Stack gap="lg">
      {diff.nodes.length > 0 && (
        <Part title={t('Nodes')}>
          {diff.nodes.map((node) => (
            <Entry key={`${node.kind} ${node.id}`} kind={node.kind} title={node.id} note={`${node.type}${node.name === node.id ? '' : ` · ${node.name}`}${node.moved ? ' · moved on the canvas' : ''}`}>
              {node.fields.length > 0 && !node.moved && <Fields fields={node.fields} />}
            </Entry>
          ))}
        </Part>
      )}
      {diff.edges.length > 0 && (
        <Part title={t('Edges')}>
          {diff.edges.map((edge) => (
            <Entry key={`${edge.kind} ${edge.text}`} kind={edge.kind} title={edge.text} />
          ))}
        </Part>
      )}
      {diff.settings.length > 0 && (
        <Part title={t('Settings')}>
          <li>
            <Fields fields={diff.settings} />
          </li>
        </Part>
      )}
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section>
      <Text component="h2" size="sm" fw={600} mb={6}>
        {title}
      </Text>
      <ul className={classes.list}>{children}</ul>
    </section>
  );
}

function Entry({ kind, title, note, children }: { kind: Kind; title: string; note?: string; children?: ReactNode }): ReactNode {
  const { icon: Icon, word } = LOOKS[kind];
  return (
    <li className={classes.entry} data-kind={kind}>
      <Group gap={8} wrap="nowrap">
        <span className={classes.kind} data-kind={kind}>
          <Icon size={13} aria-hidden="true" />
          {word}
        </span>
        <code className={classes.name}>{title}</code>
        {note !== undefined && (
          <Text size="xs" c="dimmed" span>
            {note}
          </Text>
        )}
      </Group>
      {children}
    </li>
  );
}

function Fields({ fields }: { fields: readonly FieldChange[] }): ReactNode {
  return (
    <dl className={classes.fields}>
      {fields.map((field) => (
        <div key={field.path} className={classes.field}>
          <dt>{field.path}</dt>
          <dd>
            {field.kind !== 'added' && (
              <del className={classes.before}>
                <pre>{readableValue(field.before)}</pre>
              </del>
            )}
            {field.kind !== 'removed' && (
              <ins className={classes.after}>
                <pre>{readableValue(field.after)}</pre>
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
