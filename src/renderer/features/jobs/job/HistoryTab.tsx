import { type ReactNode, useMemo } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import { t } from '../../../../lib/language.ts';
import { NodeName } from '../../workflows/NodeName.tsx';
import { useJobTasks } from '../tasks/use-job-tasks.ts';
import { TaskStateBadge } from '../../../ui/Badges.tsx';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { formatCount } from '../../../ui/Duration.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { IdLabel } from '../../../ui/HashLabel.tsx';
import { Instant } from '../../../ui/Time.tsx';
import { type HistoryRow, jobHistory } from './history.ts';
import css from './JobPage.module.css';

const columns: readonly DataColumn<HistoryRow>[] = [
  { id: 'at', header: t('Time'), width: 215, cell: (row) => <Instant at={row.at} /> },
  {
    id: 'to',
    header: t('Event'),
    width: 180,
    cell: (row) => (row.to === null ? <strong>{row.what}</strong> : <TaskStateBadge state={row.to} />),
  },
  {
    id: 'node',
    header: t('Node'),
    width: 150,
    grow: true,
    cell: (row) =>
      row.node === null ? (
        ''
      ) : (
        <span className="clip">
          <NodeName node={row.node} /> <span className="dim numbers">#{row.replica}</span>
        </span>
      ),
  },
  { id: 'attempt', header: t('Attempt'), width: 80, align: 'right', cell: (row) => row.attempt ?? '' },
  {
    id: 'worker',
    header: t('Worker'),
    width: 130,
    cell: (row) => (row.workerId === null ? '' : <IdLabel id={row.workerId} kind={t('worker ID')} tail={8} />),
  },
  { id: 'why', header: t('Reason'), width: 160, grow: true, cell: (row) => (row.to === null ? '' : (row.what ?? '')) },
];
const keyOf = (row: HistoryRow): string => row.key;

export function HistoryTab({ job, onTask }: { job: Job; onTask(taskId: string): void }): ReactNode {
  const all = useJobTasks(job.id);
  const rows = useMemo(() => (all.tasks === undefined ? undefined : jobHistory(job, all.tasks)), [job, all.tasks]);
  return (
    <div className={css['tab']}>
      {all.tasks !== undefined && all.tasks.length < all.totalItems && (
        <p className={css['note']} role="note">
          {t('Showing the first {count} of {totalItems} tasks.', {
            count: formatCount(all.tasks.length),
            totalItems: formatCount(all.totalItems),
          })}
        </p>
      )}
      <DataTable
        fill
        label={t('History')}
        what={t('Could not load the history')}
        columns={columns}
        rows={rows}
        rowId={keyOf}
        query={{ ...all, isFetching: false }}
        onOpen={(row) => row.taskId !== null && onTask(row.taskId)}
        empty={<EmptyState title={t('No events yet')} />}
      />
    </div>
  );
}
