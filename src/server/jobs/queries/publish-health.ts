import { pageOf } from '../../../lib/page.ts';
import type { Page } from '../../../contract/shapes.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import type { Impact, ImpactSide } from '../../../contract/workflows.ts';
import { Fault } from '../../../lib/fault.ts';
import { iso } from '../../../lib/clock.ts';
import type { ReadHandle } from '../../store/port.ts';
import { percentile } from './percentile.ts';
import type { ImpactQuery } from './port.ts';

interface PublicationRow {
  id: string;
  environment: Environment;
  hash: string | null;
  previous_hash: string | null;
  description: string | null;
  published_at: number;
  published_by: string;
  next_at: number | null;
  before_at: number | null;
}

interface JobRow {
  environment: string | null;
  created_at: number;
  finished_at: number | null;
  duration_ms: number | null;
  status: string;
}

/** Jobs of the workflow that are looked at on one side of a publication: those nearest to it. */
const SIDE_JOBS = 10_000;

/** `next_at`, `before_at`: when the environment was published to the next time, and the time before. */
const PUBLICATIONS = `SELECT id, environment, hash, previous_hash, description, published_at, published_by,
    (SELECT MIN(n.published_at) FROM publication n WHERE n.workflow_id = p.workflow_id AND n.environment = p.environment AND n.id > p.id) AS next_at,
    (SELECT MAX(b.published_at) FROM publication b WHERE b.workflow_id = p.workflow_id AND b.environment = p.environment AND b.id < p.id) AS before_at
  FROM publication p WHERE workflow_id = ? AND environment = IFNULL(?, environment) ORDER BY id DESC LIMIT ? OFFSET ?`;
const COUNT = 'SELECT COUNT(*) AS n FROM publication WHERE workflow_id = ? AND environment = IFNULL(?, environment)';
// Sequence numbers grow with the time of creation, so that the index of the workflow's jobs gives those nearest to an instant.
const FIRST_SINCE = 'SELECT seq FROM job INDEXED BY job_by_created WHERE created_at >= ? ORDER BY created_at LIMIT 1';
const sideSql = (order: 'ASC' | 'DESC', bound: string) =>
  `SELECT environment, created_at, finished_at, duration_ms, status FROM job INDEXED BY job_by_workflow WHERE workflow_id = ? AND seq ${bound} ORDER BY seq ${order} LIMIT ${SIDE_JOBS}`;
const BEFORE = sideSql('DESC', '< ?');
const AFTER = sideSql('ASC', '>= ?');

/**
 * The publications of a workflow, newest first, each with its jobs before and after: as long as it was published, at most
 * `windowMs`, and for as long before it. Long: for the thread of reads.
 */
export function listPublishHealth(
  read: ReadHandle,
  workflowId: string,
  { page, size, environment, windowMs, now }: ImpactQuery,
): Page<Impact> {
  const which = environment ?? null;
  if (!read.query('SELECT 1 FROM workflow WHERE id = ?').get(workflowId))
    throw new Fault('WORKFLOW_NOT_FOUND', `workflow ${workflowId} not found`);
  const totalItems = read.query<{ n: number }>(COUNT).get(workflowId, which)?.n ?? 0;
  const rows = read.query<PublicationRow>(PUBLICATIONS).all(workflowId, which, size, page * size);
  const items = rows.map((row) => impactOf(read, workflowId, row, windowMs, now));
  return pageOf(items, { page, size }, totalItems);
}

function impactOf(read: ReadHandle, workflowId: string, row: PublicationRow, windowMs: number, now: number): Impact {
  const at = row.published_at;
  const after = Math.max(1, Math.min(windowMs, (row.next_at ?? now) - at));
  // What ran before the publication before this one was another version again.
  const before = Math.max(1, Math.min(after, row.before_at === null ? after : at - row.before_at));
  const seq = read.query<{ seq: number }>(FIRST_SINCE).get(at)?.seq ?? Number.MAX_SAFE_INTEGER;
  const side = (sql: string, from: number, to: number) =>
    sideOf(read.query<JobRow>(sql).all(workflowId, seq), row.environment, from, to);
  const sides = { before: side(BEFORE, at - before, at), after: side(AFTER, at, at + after) };
  return { publication: publicationOf(row), ...sides, ...judgePublish(sides.before, sides.after) };
}

const publicationOf = ({
  id,
  environment,
  hash,
  previous_hash,
  description,
  published_at,
  published_by,
}: PublicationRow): Impact['publication'] => ({
  id,
  environment,
  hash,
  previousHash: previous_hash,
  description,
  publishedAt: iso(published_at),
  publishedBy: published_by,
});

function sideOf(nearest: readonly JobRow[], environment: string, from: number, to: number): ImpactSide {
  const within = nearest.filter(({ created_at }) => created_at >= from && created_at < to);
  const rows = within.filter((row) => row.environment === environment);
  const ended = rows.filter(({ finished_at }) => finished_at !== null);
  const failed = ended.filter(({ status }) => status !== 'COMPLETED' && status !== 'EMPTY').length;
  const durations = ended.map(({ duration_ms }) => duration_ms ?? 0).sort((a, b) => a - b);
  const sampled = within.length === SIDE_JOBS;
  // Of a sample the rate is that of the time which it covers.
  const spanMs = sampled
    ? Math.max(1000, Math.abs((within.at(-1)?.created_at ?? 0) - (within[0]?.created_at ?? 0)))
    : to - from;
  return {
    from: iso(from),
    to: iso(to),
    jobs: rows.length,
    failed,
    finished: ended.length,
    failureRate: ended.length === 0 ? null : failed / ended.length,
    jobsPerMinute: (rows.length * 60_000) / spanMs,
    p50Ms: percentile(durations, 0.5),
    p95Ms: percentile(durations, 0.95),
    sampled,
  };
}

/** Fewer finished jobs than these on a side say nothing. */
const LEAST = 10;

/** Two failure rates differ where the odds of chance are below 1 in 100 (two-proportion z-test) … */
const MIN_Z = 2.58;

/** … and by at least this much. */
const MIN_DIFFERENCE = 0.01;

/** A p95 this many times as long, and this many milliseconds longer, is another one. */
const SLOWER = 1.5;

const SLOWER_MS = 50;

type Numbers = Pick<ImpactSide, 'failed' | 'finished' | 'failureRate' | 'p95Ms'>;

/** What changed with a publication: failures first, then durations. */
export function judgePublish(before: Numbers, after: Numbers): Pick<Impact, 'verdict' | 'message'> {
  if (after.finished < LEAST || before.finished < LEAST)
    return {
      verdict: 'unclear',
      message: `not enough data: ${before.finished} jobs finished before, ${after.finished} after`,
    };
  const [was, is] = [before.failed / before.finished, after.failed / after.finished];
  const rates = `failure rate ${percent(was)} before, ${percent(is)} after`;
  if (Math.abs(is - was) >= MIN_DIFFERENCE && Math.abs(zOf(before, after)) >= MIN_Z)
    return is > was
      ? { verdict: 'worse', message: `more failures: ${rates}` }
      : { verdict: 'better', message: `fewer failures: ${rates}` };
  const [slow, slower] = [before.p95Ms ?? 0, after.p95Ms ?? 0];
  const times = `p95 ${duration(slow)} before, ${duration(slower)} after`;
  if (slower >= slow * SLOWER && slower - slow >= SLOWER_MS) return { verdict: 'worse', message: `slower: ${times}` };
  if (slow >= slower * SLOWER && slow - slower >= SLOWER_MS) return { verdict: 'better', message: `faster: ${times}` };
  return { verdict: 'same', message: `${rates}; ${times}` };
}

function zOf(before: Numbers, after: Numbers): number {
  const together = (before.failed + after.failed) / (before.finished + after.finished);
  const spread = Math.sqrt(together * (1 - together) * (1 / before.finished + 1 / after.finished));
  return spread === 0 ? 0 : (after.failed / after.finished - before.failed / before.finished) / spread;
}

const percent = (share: number): string => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;

const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
