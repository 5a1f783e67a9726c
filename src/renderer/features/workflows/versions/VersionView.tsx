import { Group, List, Stack, Text } from '@mantine/core';
import { IconArrowsDiff, IconHistory, IconPencil, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { commitQuery } from '../../../api/workflows.ts';
import { EnvironmentBadge } from '../../../ui/Badges.tsx';
import { CodeEditor } from '../../../ui/CodeEditor.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { HashLabel } from '../../../ui/HashLabel.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { SkeletonBlock, SkeletonLines } from '../../../ui/Skeletons.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { rangeAtPointer } from '../../../ui/json-text/locate.ts';
import { readableDefinition } from '../readable-definition.ts';
import { scanJson } from '../../../ui/json-text/scan.ts';
import { useVersionActions } from './context.ts';
import { Callout } from '../../../ui/Callout.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { versionName } from '../version-name.ts';
import { BackToVersions } from './BackToVersions.tsx';

/** One version, read-only, with its faults where it has any. */
export function VersionView({ hash, onBack }: { hash: string; onBack: () => void }): ReactNode {
  const { workflow, compare, restore, load, publish } = useVersionActions();
  const query = useQuery(commitQuery(workflow.id, hash));
  const commit = query.data;
  const text = useMemo(() => (commit ? readableDefinition(commit.definition) : ''), [commit]);
  const diagnostics = useMemo(() => {
    if (!commit || commit.faults.length === 0) return [];
    const { root } = scanJson(text);
    return commit.faults.map((fault) => ({
      ...rangeAtPointer(root, fault.pointer),
      severity: 'warning' as const,
      message: fault.message,
    }));
  }, [commit, text]);
  const back = <BackToVersions onBack={onBack} />;

  if (query.isError && !commit) {
    return (
      <Stack>
        <Group>{back}</Group>
        <Loading query={query} what={t('Could not load the version')} />
      </Stack>
    );
  }
  return (
    <Stack>
      <Group justify="space-between">
        {back}
        <Group gap="xs">
          <ReasonButton
            variant="default"
            leftSection={<IconArrowsDiff size={14} aria-hidden="true" />}
            reason={commit?.parent ? null : t('No previous version.')}
            onClick={() => commit?.parent && compare(commit.parent, commit.hash)}
          >
            {t('Compare with previous version')}
          </ReasonButton>
          <ReasonButton
            variant="default"
            leftSection={<IconHistory size={14} aria-hidden="true" />}
            reason={
              commit === undefined
                ? t('The version is loading.')
                : commit.hash === workflow.head
                  ? t('This is the latest version')
                  : null
            }
            onClick={() => commit && restore(commit)}
          >
            {t('Restore…')}
          </ReasonButton>
          <ReasonButton
            variant="default"
            leftSection={<IconPencil size={14} aria-hidden="true" />}
            reason={commit ? null : t('The version is loading.')}
            onClick={() => commit && load(commit)}
          >
            {t('Load into builder')}
          </ReasonButton>
          <ReasonButton
            leftSection={<IconUpload size={14} aria-hidden="true" />}
            reason={
              commit === undefined
                ? t('The version is loading.')
                : commit.valid
                  ? null
                  : t('This version has validation errors.')
            }
            onClick={() => commit && publish(commit.hash)}
          >
            {t('Publish…')}
          </ReasonButton>
        </Group>
      </Group>
      <Section title={commit ? commit.message.split('\n')[0] : t('Version')}>
        {commit ? (
          <Facts
            items={[
              { label: t('Version'), value: <HashLabel hash={commit.hash} number={commit.number} /> },
              commit.tags !== undefined &&
                commit.tags.length > 0 && { label: t('Tags'), value: commit.tags.join(', ') },
              {
                label: t('Previous version'),
                value: commit.parent === null ? t('Not published') : <HashLabel hash={commit.parent} />,
              },
              commit.restores !== null && { label: t('Same as'), value: <HashLabel hash={commit.restores} /> },
              { label: t('Author'), value: commit.author.name },
              { label: t('Saved'), value: <TimeAgo at={commit.createdAt} /> },
              {
                label: t('Published in'),
                value:
                  commit.environments.length === 0 ? (
                    t('Not published')
                  ) : (
                    <Group gap={4}>
                      {commit.environments.map((environment) => (
                        <EnvironmentBadge key={environment} environment={environment} />
                      ))}
                    </Group>
                  ),
              },
            ]}
          />
        ) : (
          <SkeletonLines lines={2} />
        )}
        {commit && commit.message.includes('\n') && (
          <Text size="sm" mt="sm" className="pre">
            {commit.message.split('\n').slice(1).join('\n').trim()}
          </Text>
        )}
      </Section>
      {commit && commit.faults.length > 0 && (
        <Callout
          tone="warn"
          title={tn('{count} error blocks publishing', '{count} errors block publishing', commit.faults.length)}
        >
          <List size="sm">
            {commit.faults.map((fault) => (
              <List.Item key={`${fault.pointer} ${fault.code}`}>
                {fault.message} <code>{fault.pointer}</code>
              </List.Item>
            ))}
          </List>
        </Callout>
      )}
      {commit ? (
        <CodeEditor
          label={t('Definition of version {value}', { value: versionName(commit) })}
          value={text}
          language="json"
          readOnly
          maxHeight={640}
          diagnostics={diagnostics}
        />
      ) : (
        <SkeletonBlock height={360} />
      )}
    </Stack>
  );
}
