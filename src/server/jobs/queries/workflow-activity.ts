import type { WorkflowActivity } from '../../../contract/workflow-activity.ts';
import { displayStatus, type Environment, type JobStatus } from '../../../contract/vocabulary.ts';
import { iso } from '../../../lib/clock.ts';
import type { ReadHandle } from '../../store/port.ts';
import type { JobRow } from '../engine/rows.ts';
import { percentile } from './percentile.ts';
import { jobView } from './views.ts';

export interface ActivityQuery {
  readonly workflowIds: readonly string[];
  readonly environment?: Environment | undefined;
  readonly hours: number;
  readonly bars: number;
  readonly now: number;
}

interface Seen {
  readonly status: JobStatus;
  readonly killed_at: number | null;
  readonly environment: Environment | null;
  readonly created_at: number;
  readonly finished_at: number | null;
  readonly duration_ms: number | null;
}

/** Jobs that one answer looks at, shared by its workflows. */
const ALL_JOBS = 20_000;
const LEAST_JOBS = 400;
/** Among so many of the newest jobs the last one of an environment is looked for. */
const NEWEST = 200;

// Sequence numbers grow with the time of creation, so that the index of the workflow's jobs ends the walk.
const FIRST_SINCE = 'SELECT seq FROM job INDEXED BY job_by_created WHERE created_at >= ? ORDER BY created_at LIMIT 1';
const SINCE =
  'SELECT status, killed_at, environment, created_at, finished_at, duration_ms FROM job INDEXED BY job_by_workflow WHERE workflow_id = ? AND seq >= ? ORDER BY seq DESC LIMIT ?';
const LAST = `SELECT * FROM (SELECT * FROM job INDEXED BY job_by_workflow WHERE workflow_id = ? ORDER BY seq DESC LIMIT ${NEWEST}) WHERE ? IS NULL OR environment = ? ORDER BY seq DESC LIMIT 1`;

/** How the jobs of some workflows went in the last hours. Long: for the thread of reads. */
export function workflowActivity(read: ReadHandle, query: ActivityQuery): WorkflowActivity[] {
  const { workflowIds, hours, now } = query;
  const from = now - hours * 3_600_000;
  const first = read.query<{ seq: number }>(FIRST_SINCE).get(from)?.seq ?? Number.MAX_SAFE_INTEGER;
  const most = Math.max(LEAST_JOBS, Math.floor(ALL_JOBS / workflowIds.length));
  return workflowIds.map((workflowId) => {
    const rows = read.query<Seen>(SINCE).all(workflowId, first, most);
    return {
      workflowId,
      ...summary(rows, from, query),
      lastJob: lastJob(read, workflowId, query),
      sampled: rows.length === most,
    };
  });
}

function lastJob(read: ReadHandle, workflowId: string, query: ActivityQuery) {
  const environment = query.environment ?? null;
  const row = read.query<JobRow>(LAST).get(workflowId, environment, environment);
  if (!row) return null;
  const { id, status, createdAt, finishedAt, killedAt, taskCounters } = jobView(row);
  const shown = displayStatus({ status, killedAt, taskCounters });
  return { id, status, displayStatus: shown, createdAt, finishedAt, killedAt, taskCounters };
}

function summary(
  all: readonly Seen[],
  from: number,
  { environment, bars, now }: ActivityQuery,
): Omit<WorkflowActivity, 'workflowId' | 'lastJob' | 'sampled'> {
  const rows = all.filter(
    (row) => row.created_at >= from && (environment === undefined || row.environment === environment),
  );
  const ended = rows.filter((row) => row.finished_at !== null && row.killed_at === null);
  const hasFailed = ({ status }: Seen) => status !== 'COMPLETED' && status !== 'EMPTY';
  const places = Array.from({ length: bars }, (): Seen[] => []);
  for (const row of ended)
    places[Math.min(bars - 1, Math.floor(((row.created_at - from) / (now - from)) * bars))]?.push(row);
  const failed = ended.filter(hasFailed).length;
  const durations = sortedDurations(ended);
  return {
    from: iso(from),
    to: iso(now),
    jobs: rows.length,
    succeeded: ended.length - failed,
    failed,
    successRate: ended.length === 0 ? null : (ended.length - failed) / ended.length,
    p50Ms: percentile(durations, 0.5),
    p95Ms: percentile(durations, 0.95),
    bars: places.map((place) => {
      const bad = place.filter(hasFailed).length;
      return { succeeded: place.length - bad, failed: bad, p95Ms: percentile(sortedDurations(place), 0.95) };
    }),
  };
}

const sortedDurations = (rows: readonly Seen[]): number[] =>
  rows.map(({ duration_ms }) => duration_ms ?? 0).sort((a, b) => a - b);
