import type { Overview } from '../../../contract/master.ts';
import { recentGroups } from '../failures/groups.ts';
import { BLOCK_JOBS } from '../engine/sql.ts';
import type { ReadHandle } from '../../store/port.ts';
import { countFromBlocks, type Count } from './job-filter.ts';
import { percentile } from './percentile.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const THROUGHPUT_MINUTES = 5;
/** Of those that ended last: enough for a percentile. */
const DURATIONS = 20_000;

const OURS = 'workflow_id IN (SELECT value FROM json_each(?))';
const FIRST_SINCE = 'SELECT seq FROM job INDEXED BY job_by_created WHERE created_at > ? ORDER BY created_at LIMIT 1';
const IN_BLOCKS = `SELECT sum(jobs) AS n FROM job_block WHERE block > ? AND ${OURS}`;
const IN_FIRST_BLOCK = `SELECT count(*) AS n FROM job WHERE seq >= ? AND seq < ? AND ${OURS}`;
// The index has all that is asked of jobs that ended well, so no rows are read for them.
const FINISHED = `SELECT sum(finished_at > ?) AS lately, sum(created_at > ? AND status NOT IN ('COMPLETED', 'EMPTY')
  AND killed_at IS NULL AND NOT EXISTS (SELECT 1 FROM job r WHERE r.rerun_of = job.id AND r.status = 'COMPLETED')) AS failed
  FROM job INDEXED BY job_by_finished WHERE finished_at > ? AND ${OURS}`;
const LAST_DURATIONS = `SELECT duration_ms AS ms FROM job INDEXED BY job_by_finished WHERE finished_at > ? AND ${OURS} ORDER BY finished_at DESC LIMIT ${DURATIONS}`;
const sums =
  'count(*) AS jobs, sum(ready) AS ready, sum(scheduled) AS scheduled, sum(running) AS running, sum(retrying) AS retrying';
const RUNNING = `SELECT ${sums} FROM job INDEXED BY job_by_status WHERE status = 'RUNNING' AND ${OURS}`;
const TROUBLED = `SELECT ${sums} FROM job INDEXED BY job_troubled WHERE finished_at IS NULL AND status <> 'RUNNING' AND ${OURS}`;

interface Open {
  jobs: number;
  ready: number | null;
  scheduled: number | null;
  running: number | null;
  retrying: number | null;
}

/**
 * What the Overview shows to who reaches some workflows alone. What it shows to others is counted as it happens, for
 * all workflows together; this is counted when somebody asks, by indexes and the counts of blocks.
 */
export function overviewWithin(
  read: ReadHandle,
  counts: readonly Count[],
  within: readonly string[],
  now: number,
): Pick<Overview, 'jobs' | 'tasks' | 'failures'> {
  const ours = JSON.stringify(within);
  const since = now - HOUR_MS;
  const finished = read
    .query<{ lately: number | null; failed: number | null }>(FINISHED)
    .get(now - THROUGHPUT_MINUTES * MINUTE_MS, since, since, ours);
  // Where the counts know of none that runs, no row is looked for.
  const isAnyRunning = countFromBlocks(counts, { status: ['RUNNING'], within }) > 0;
  const open = [...(isAnyRunning ? [RUNNING] : []), TROUBLED].flatMap((sql) => read.query<Open>(sql).get(ours) ?? []);
  const sum = (of: keyof Open) => open.reduce((total, one) => total + (one[of] ?? 0), 0);
  return {
    jobs: {
      running: sum('jobs'),
      failedLastHour: finished?.failed ?? 0,
      createdLastHour: createdSince(read, ours, since),
      throughputPerMinute: (finished?.lately ?? 0) / THROUGHPUT_MINUTES,
      p95Ms: percentile(
        Float64Array.from(read.query<{ ms: number }>(LAST_DURATIONS).all(since, ours), ({ ms }) => ms).sort(),
        0.95,
      ),
    },
    tasks: { ready: sum('ready'), scheduled: sum('scheduled'), running: sum('running'), retrying: sum('retrying') },
    failures: recentGroups(read, now, within),
  };
}

/** By the counts of whole blocks, and the rows of the block in which that time lies. */
function createdSince(read: ReadHandle, ours: string, since: number): number {
  const first = read.query<{ seq: number }>(FIRST_SINCE).get(since)?.seq;
  if (first === undefined) return 0;
  const block = Math.floor(first / BLOCK_JOBS);
  const whole = read.query<{ n: number | null }>(IN_BLOCKS).get(block, ours)?.n ?? 0;
  return whole + (read.query<{ n: number }>(IN_FIRST_BLOCK).get(first, (block + 1) * BLOCK_JOBS, ours)?.n ?? 0);
}
