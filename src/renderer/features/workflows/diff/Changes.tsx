import { Group, Stack, Text } from '@mantine/core';
import { IconMinus, IconPencil, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Changes.module.css';
import type { WorkflowNode } from '../../../../contract/definition.ts';
import { t } from '../../../../lib/language.ts';
import { LineDiff } from './LineDiff.tsx';
import { type FieldChange, type ReadableDiff, readableValue } from './shape.ts';

type Kind = 'added' | 'removed' | 'changed';
const lookOf = (kind: Kind) =>
  ({
    added: { icon: IconPlus, word: t('Added') },
    removed: { icon: IconMinus, word: t('Removed') },
    changed: { icon: IconPencil, word: t('Changed') },
  })[kind];

/** A difference as its parts: nodes, edges, settings, each with what stood there and what stands there now. */
export function Changes({ diff }: { diff: ReadableDiff }): ReactNode {
  if (diff.same) {
    return (
      <Text size="sm" c="dimmed">
        {t('The two versions are identical.')}
      </Text>
    );
  }
  return (
    <Stack gap="lg">
      {diff.nodes.length > 0 && (
        <Part title={t('Nodes')}>
          {diff.nodes.map((node) => (
            <Entry
              key={`${node.kind} ${node.id}`}
              kind={node.kind}
              title={node.id}
              note={`${node.type}${node.name === node.id ? '' : ` · ${node.name}`}${node.moved ? ` · ${t('moved on the canvas')}` : ''}`}
            >
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
      <ul className={`bare ${classes.list}`}>{children}</ul>
    </section>
  );
}

/** One thing that differs. `as`: where it stands in no list. */
export function Entry({
  kind,
  title,
  note,
  as: Box = 'li',
  children,
}: {
  kind: Kind;
  title: string;
  note?: string;
  as?: 'li' | 'div';
  children?: ReactNode;
}): ReactNode {
  const { icon: Icon, word } = lookOf(kind);
  return (
    <Box className={classes.entry} data-kind={kind} data-bare={Box === 'div' || undefined}>
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
    </Box>
  );
}

/** A node that came or went, with its settings. */
export function WholeNode({ node, kind }: { node: WorkflowNode; kind: 'added' | 'removed' }): ReactNode {
  const { id: _id, type: _type, position: _position, ...rest } = node;
  const fields = Object.entries({ ...rest, ...rest.config })
    .filter(([name]) => name !== 'config')
    .map(([path, value]): FieldChange => ({ path, kind, before: value, after: value }));
  return <Fields fields={fields} stacked />;
}

/** `stacked`: the name above the values, for narrow places. */
export function Fields({ fields, stacked = false }: { fields: readonly FieldChange[]; stacked?: boolean }): ReactNode {
  return (
    <dl className={classes.fields} data-stacked={stacked || undefined}>
      {fields.map((field) => (
        <div key={field.path} className={classes.field}>
          <dt>{field.path}</dt>
          <dd>
            {isCode(field) ? (
              <LineDiff label={field.path} before={field.before} after={field.after} />
            ) : (
              <Values field={field} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A text of several lines that was changed: what differs is told by line. */
const isCode = (field: FieldChange): field is FieldChange & { before: string; after: string } =>
  field.kind === 'changed' &&
  typeof field.before === 'string' &&
  typeof field.after === 'string' &&
  (field.before.includes('\n') || field.after.includes('\n'));

function Values({ field }: { field: FieldChange }): ReactNode {
  return (
    <>
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
    </>
  );
}
