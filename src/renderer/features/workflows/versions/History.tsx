import { Group, Text } from '@mantine/core';
import { IconArrowsDiff, IconHistory, IconPencil } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { historyQuery } from '../../../api/workflows.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { type HistoryRow, versionColumns } from './columns.tsx';
import { useVersionActions } from './context.ts';
import { historyLanes } from './lanes.ts';

/** Every version, newest first, with the branches of time. More are read as one scrolls down; only those in sight are drawn. */
export function History({ onEdit }: { onEdit: () => void }): ReactNode {
  const { workflow, open, compare } = useVersionActions();
  const query = useInfiniteQuery(historyQuery(workflow.id));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { fetchNextPage, hasNextPage } = query;
  const commits = useMemo(() => {
    // A version that was saved meanwhile moves the pages by one: what came twice counts once.
    const seen = new Set<string>();
    return query.data?.pages.flatMap(({ items }) => items.filter(({ hash }) => !seen.has(hash) && seen.add(hash)));
  }, [query.data]);
  const rows = useMemo(() => {
    if (!commits) return undefined;
    const lanes = historyLanes(commits);
    return commits.map((commit, i): HistoryRow => ({
      commit,
      lanes: lanes[i] ?? { lane: 0, above: false, below: false, past: [], joining: [] },
      current: commit.hash === workflow.head,
      onSeen: i === commits.length - 1 && hasNextPage ? () => void fetchNextPage() : null,
    }));
  }, [commits, workflow.head, hasNextPage, fetchNextPage]);
  const widest = useMemo(() => (rows ?? []).reduce((most, { lanes: { lane } }) => Math.max(most, lane + 1), 1), [rows]);
  const columns = useMemo(() => versionColumns(widest), [widest]);
  const total = query.data?.pages[0]?.totalItems ?? 0;
  // The older of the two comes first, whichever was selected first.
  const pair = useMemo(
    () =>
      (commits ?? [])
        .filter(({ hash }) => selected.has(hash))
        .map(({ hash }) => hash)
        .reverse(),
    [commits, selected],
  );

  return (
    <>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('Select two versions to compare them, or open one to view it.')}{' '}
          {total > 0 && tn('{count} version.', '{count} versions.', total)}
        </Text>
        <ReasonButton
          variant="default"
          leftSection={<IconArrowsDiff size={14} aria-hidden="true" />}
          reason={
            pair.length === 2
              ? null
              : tn('Select two versions; {count} selected.', 'Select two versions; {count} selected.', pair.length)
          }
          onClick={() => pair[0] && pair[1] && compare(pair[0], pair[1])}
        >
          {t('Compare')}
        </ReasonButton>
      </Group>
      <DataTable
        label={t('Versions of {id}', { id: workflow.id })}
        columns={columns}
        rows={rows}
        rowId={({ commit }) => commit.hash}
        query={query}
        what={t('Could not load the history')}
        selection={{ selected, onChange: (next) => setSelected(new Set([...next].slice(-2))) }}
        onOpen={({ commit }) => open(commit.hash)}
        rowTone={({ lanes }) => (lanes.lane > 0 ? 'muted' : undefined)}
        storageKey="history"
        fill
        empty={
          <EmptyState
            icon={IconHistory}
            title={t('No versions yet')}
            action={
              <ReasonButton leftSection={<IconPencil size={16} aria-hidden="true" />} reason={null} onClick={onEdit}>
                {t('Open builder')}
              </ReasonButton>
            }
          >
            {t(
              'Each save in the builder creates a version. Versions never change, and you can publish any of them to any environment.',
            )}
          </EmptyState>
        }
      />
    </>
  );
}
