import type { ReactNode } from 'react';
import type { Comparison, TaskPair, TaskSide } from '../../../../contract/comparisons.ts';
import type { TaskDifferenceKind } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { TaskStateBadge } from '../../../ui/Badges.tsx';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { Duration, formatCount, formatDuration } from '../../../ui/Duration.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { NodeName } from '../../workflows/NodeName.tsx';
import css from './Compare.module.css';

const words = (kind: TaskDifferenceKind): string =>
  ({
    'only-here': t('only in this run'),
    'only-there': t('only in the other run'),
    state: t('status'),
    error: t('error'),
    port: t('branch'),
    output: t('output'),
  })[kind];

const columns = (): readonly DataColumn<TaskPair>[] => [
  {
    id: 'node',
    header: t('Node'),
    width: 130,
    grow: true,
    cell: (row) => (
      <span className="clip">
        <NodeName node={row.node} />{' '}
        <span className="dim numbers">#{row.item === null ? row.replica : `${row.replica}/${row.item}`}</span>
      </span>
    ),
  },
  {
    id: 'differs',
    header: t('Differs in'),
    width: 120,
    cell: (row) => (row.differs.length === 0 ? t('duration') : row.differs.map(words).join(', ')),
  },
  { id: 'here', header: t('This run'), width: 172, cell: (row) => <Side side={row.here} /> },
  { id: 'there', header: t('Other run'), width: 172, cell: (row) => <Side side={row.there} /> },
  {
    id: 'run',
    header: t('Run time'),
    width: 85,
    align: 'right',
    cell: (row) => <Duration ms={row.here?.runMs ?? null} />,
  },
  { id: 'delta', header: t('Difference'), width: 100, align: 'right', cell: (row) => <Delta row={row} /> },
  { id: 'error', header: t('Error'), width: 200, grow: true, cell: (row) => errorText(row) },
];
const keyOf = ({ node, replica, item }: TaskPair): string => `${node} ${replica} ${item}`;
const errorText = ({ here, there }: TaskPair): string =>
  here?.error
    ? `${here.error.code}: ${here.error.message}`
    : there?.error
      ? t('other run: {error}', { error: `${there.error.code}: ${there.error.message}` })
      : '';

/** Tasks that are not alike, then those whose durations differ most. A row opens the task, and the difference of its payloads. */
export function TaskDifferences({
  found,
  chosen,
  onChoose,
}: {
  found: Comparison['tasks'];
  chosen: string | undefined;
  onChoose(row: TaskPair): void;
}): ReactNode {
  return (
    <>
      <DataTable
        label={t('Tasks that differ')}
        what={t('Could not compare tasks')}
        columns={columns()}
        rows={found.items}
        rowId={keyOf}
        query={{ isPending: false, isFetching: false, error: null, dataUpdatedAt: 0, refetch: () => undefined }}
        current={chosen}
        onOpen={onChoose}
        rowTone={(row) => (row.differs.includes('state') || row.differs.includes('error') ? 'danger' : undefined)}
        maxHeight={360}
        empty={<EmptyState title={t('No task differs')}>{t('Same status, same output and same duration.')}</EmptyState>}
      />
      {found.items.length > 0 && <Legend found={found} />}
    </>
  );
}

/** The list holds tasks that ended alike too, where their durations differ: they are counted apart. */
function Legend({ found: { items, differing, here, there } }: { found: Comparison['tasks'] }): ReactNode {
  const shown = items.filter(({ differs }) => differs.length > 0).length;
  return (
    <p className={css['legend']}>
      {t(
        'Showing {shown} of {differing} tasks that differ, and {timed} that differ only in duration. Tasks: {here} in this run, {there} in the other.',
        {
          shown: formatCount(shown),
          differing: formatCount(differing),
          timed: formatCount(items.length - shown),
          here: formatCount(here),
          there: formatCount(there),
        },
      )}
    </p>
  );
}

const Side = ({ side }: { side: TaskSide | null }): ReactNode =>
  side === null ? <span className="dim">{t('missing')}</span> : <TaskStateBadge state={side.state} />;

function Delta({ row: { here, there } }: { row: TaskPair }): ReactNode {
  const [a, b] = [here?.runMs ?? null, there?.runMs ?? null];
  if (a === null || b === null) return <span className="dim">–</span>;
  return (
    <span className="numbers">
      {a > b ? '+' : ''}
      {formatDuration(a - b)}
    </span>
  );
}
