import type { Job } from '../../../../contract/jobs.ts';
import { t } from '../../../../lib/language.ts';
import { EnvironmentBadge, StatusBadge } from '../../../ui/Badges.tsx';
import { CounterBar } from '../../../ui/CounterBar.tsx';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { Count, Duration } from '../../../ui/Duration.tsx';
import { IdLabel } from '../../../ui/HashLabel.tsx';
import { RowLink } from '../../../ui/RowLink.tsx';
import { badgeStatus, JOB_KIND_WORDS, TRIGGER_WORDS } from '../../../ui/status.ts';
import { Elapsed, TimeAgo } from '../../../ui/Time.tsx';
import { rich } from '../../../ui/rich.tsx';
import { surelyFits } from '../../../ui/table/surely-fits.ts';
import type { JobColumn } from '../jobs-list-search.ts';

/** Pixels for words in the narrowest of the columns that grow. */
const SHORT = 84;

/** Names in the column menu. */
export const COLUMN_NAMES: Readonly<Record<JobColumn, string>> = {
  externalId: t('External ID'),
  workflow: t('Workflow'),
  environment: t('Environment'),
  commit: t('Version'),
  counters: t('Tasks'),
  error: t('Error'),
  kind: t('Type'),
  trigger: t('Started by'),
  inputs: t('Inputs'),
  lineage: t('Origin'),
  labels: t('Labels'),
  priority: t('Priority'),
  created: t('Created'),
  duration: t('Duration'),
};

const columns: readonly DataColumn<Job>[] = [
  {
    id: 'id',
    header: t('Job'),
    width: 146,
    fits: true,
    sortKey: 'id',
    cell: (job) => <IdLabel id={job.id} to={`/jobs/${job.id}`} kind={t('job ID')} tail={12} />,
  },
  {
    id: 'status',
    header: t('Status'),
    width: 152,
    fits: true,
    sortKey: 'status',
    cell: (job) => <StatusBadge status={badgeStatus(job)} />,
  },
  {
    id: 'counters',
    header: COLUMN_NAMES.counters,
    width: 82,
    minWidth: 82,
    grow: true,
    fits: true,
    cell: (job) => <CounterBar counters={job.taskCounters} />,
  },
  {
    id: 'workflow',
    header: COLUMN_NAMES.workflow,
    width: 108,
    grow: true,
    sortKey: 'workflowId',
    fits: (job) => surelyFits(job.workflowId, SHORT),
    cell: (job) => (
      <RowLink href={`/workflows/${job.workflowId}`} className={surelyFits(job.workflowId, SHORT) ? '' : 'clip'}>
        {job.workflowId}
      </RowLink>
    ),
  },
  {
    id: 'error',
    header: COLUMN_NAMES.error,
    width: 104,
    // A message tells one failure from another only where more than its beginning is seen.
    grow: 360,
    blank: (job) => job.error === undefined,
    fits: (job) => job.error === undefined,
    cell: ({ error }) =>
      error && (
        <span className="clip" data-hint={`${error.node}: ${error.code}: ${error.message}`}>
          {error.message || error.code}
        </span>
      ),
  },
  {
    id: 'environment',
    header: COLUMN_NAMES.environment,
    width: 120,
    fits: true,
    sortKey: 'environment',
    cell: (job) =>
      job.environment === null ? (
        <span className="dim">{t('none')}</span>
      ) : (
        <EnvironmentBadge environment={job.environment} />
      ),
  },
  {
    id: 'commit',
    header: COLUMN_NAMES.commit,
    width: 78,
    fits: true,
    cell: (job) => (
      <RowLink
        href={`/workflows/${job.workflowId}?tab=versions&version=${job.commit}`}
        hint={job.commit}
        className="mono"
      >
        {job.commit.slice(0, 8)}
      </RowLink>
    ),
  },
  {
    id: 'externalId',
    header: COLUMN_NAMES.externalId,
    width: 104,
    grow: true,
    blank: (job) => job.externalId === null,
    fits: (job) => surelyFits(job.externalId ?? '', SHORT),
    sortKey: 'externalId',
    cell: (job) =>
      job.externalId === null ? (
        <span className="dim">–</span>
      ) : (
        <span className={surelyFits(job.externalId, SHORT) ? 'mono' : 'clip mono'}>{job.externalId}</span>
      ),
  },
  { id: 'kind', header: COLUMN_NAMES.kind, width: 96, cell: (job) => JOB_KIND_WORDS[job.kind] },
  {
    id: 'trigger',
    header: COLUMN_NAMES.trigger,
    width: 110,
    fits: true,
    cell: ({ trigger }) => TRIGGER_WORDS[trigger.kind],
  },
  {
    id: 'inputs',
    header: COLUMN_NAMES.inputs,
    width: 80,
    fits: true,
    align: 'right',
    cell: (job) => <Count value={job.inputCount} />,
  },
  { id: 'lineage', header: COLUMN_NAMES.lineage, width: 150, cell: (job) => <Lineage job={job} /> },
  { id: 'labels', header: COLUMN_NAMES.labels, width: 140, cell: (job) => <Labels job={job} /> },
  {
    id: 'priority',
    header: COLUMN_NAMES.priority,
    width: 80,
    fits: true,
    align: 'right',
    cell: (job) => <span className="numbers">{job.priority}</span>,
  },
  {
    id: 'created',
    header: COLUMN_NAMES.created,
    width: 94,
    fits: true,
    sortKey: 'createdAt',
    cell: (job) => <TimeAgo at={job.createdAt} />,
  },
  {
    id: 'duration',
    header: COLUMN_NAMES.duration,
    width: 94,
    fits: true,
    align: 'right',
    sortKey: 'durationMs',
    cell: (job) => (job.finishedAt === null ? <Elapsed from={job.createdAt} /> : <Duration ms={job.durationMs} />),
  },
];

/** The columns with id and status before the others in their chosen order. */
export function inOrder(order: readonly string[]): readonly DataColumn<Job>[] {
  const places = new Map(order.map((column, index) => [column, index]));
  return columns.toSorted((a, b) => (places.get(a.id) ?? -1) - (places.get(b.id) ?? -1));
}

function Labels({ job }: { job: Job }) {
  const words = Object.entries(job.labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
  if (words === '') return <span className="dim">–</span>;
  return (
    <span className="clip mono" data-hint={words}>
      {words}
    </span>
  );
}

/** What made the job, where it was not a call: an earlier job that was run again, or a task of another one. */
function Lineage({ job }: { job: Job }) {
  if (job.rerunOf !== null)
    return (
      <span className="clip">
        {rich('rerun of {idLabel}', {
          idLabel: <IdLabel id={job.rerunOf} to={`/jobs/${job.rerunOf}`} kind={t('job ID')} tail={8} />,
        })}
      </span>
    );
  if (job.parentTaskId !== null)
    return (
      <span className="clip">
        {rich('child of task {idLabel}', { idLabel: <IdLabel id={job.parentTaskId} kind={t('task ID')} tail={8} /> })}
      </span>
    );
  return <span className="dim">–</span>;
}
