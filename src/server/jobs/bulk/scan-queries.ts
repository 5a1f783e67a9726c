import { workflowIdForDraft } from '../../../contract/draft-ids.ts';
import type { Job, JobFilter } from '../../../contract/jobs.ts';
import type { BulkDryRun } from '../../../contract/operations.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import { invalidAt } from '../../../lib/fault.ts';
import type { Redactor } from '../../../lib/redact.ts';
import type { ReadHandle, Value } from '../../store/port.ts';
import { filterConditions, searchMatches, readCounts, type Condition } from '../queries/job-filter.ts';
import type { JobRow } from '../engine/rows.ts';
import { BLOCK_JOBS } from '../engine/sql.ts';
import { jobViews } from '../queries/foreign-jobs.ts';
import { refusalSql } from './eligible.ts';
import { rerunRefusalSql } from './rerun-rule.ts';
import { parseChunk, type ChunkRow } from './chunk.ts';
import * as statements from './sql.ts';
import { FORMATS } from './export-formats.ts';
import type { Search } from '../search/port.ts';
import type { BulkPlace, BulkPurpose, ExportFormat, Target } from './port.ts';

/** Jobs of one part of a snapshot, and of one piece of an export. */
const CHUNK_JOBS = 2000;
const PIECE_JOBS = 500;

export interface TargetSnapshot {
  readonly total: number;
  readonly chunks: readonly TargetChunk[];
  /** Why jobs would be left alone, most first. */
  readonly leftOut: BulkDryRun['ineligible'];
  readonly places: readonly BulkPlace[];
}

export interface TargetChunk {
  /** JSON array of `seq`s, each as the distance from the one before in it; or of ids as they were given. */
  readonly jobs: string;
  readonly count: number;
  /** JSON array of the places in it of jobs that would be left alone; null: none. */
  readonly leftOut: string | null;
}

/**
 * The jobs that are meant at this moment, oldest first, or the ids as they were given; and which of them the purpose leaves
 * alone. One statement, so one moment. Throws VALIDATION_FAILED for more than `most`.
 */
export function snapshotTargets(
  read: ReadHandle,
  search: Search,
  target: Target,
  purpose: BulkPurpose,
  most: number,
): TargetSnapshot {
  const { sql, values } = targetCondition(read, search, target);
  const reason = purpose.kind === 'rerun' ? rerunRefusalSql(purpose.choice) : refusalSql(purpose);
  const rows = read
    .query<TargetRow>(
      `SELECT ${'ids' in target ? 'id' : 'seq'} AS job, workflow_id, environment, ${reason} AS reason FROM job WHERE ${sql} ORDER BY seq`,
    )
    .iterate(...values);
  const reasons = new Map<string, number>();
  const chunks: TargetChunk[] = [];
  const places = new Map<string, BulkPlace>();
  const at = ({ workflow_id: workflowId, environment }: TargetRow) => {
    const key = `${environment ?? ''} ${workflowId}`;
    if (!places.has(key)) places.set(key, [workflowIdForDraft(workflowId), environment || null]);
  };
  let total = 0;
  let jobs: (number | string)[] = [];
  let leftOut: number[] = [];
  const put = (job: number | string, why: string | null) => {
    if (why !== null) {
      leftOut.push(jobs.length);
      reasons.set(why, (reasons.get(why) ?? 0) + 1);
    }
    jobs.push(job);
    total++;
    if (jobs.length === CHUNK_JOBS) flush();
  };
  const flush = () => {
    if (jobs.length > 0)
      chunks.push({
        jobs: JSON.stringify(jobs),
        count: jobs.length,
        leftOut: leftOut.length > 0 ? JSON.stringify(leftOut) : null,
      });
    [jobs, leftOut] = [[], []];
  };
  if ('ids' in target) {
    const known = new Map<number | string, string | null>();
    for (const row of rows) {
      at(row);
      known.set(row.job, row.reason);
    }
    for (const id of target.ids) put(id, known.has(id) ? (known.get(id) ?? null) : 'NOT_FOUND');
  } else {
    let last = 0;
    for (const row of rows) {
      const { job, reason: why } = row;
      at(row);
      const seq = Number(job);
      if (total === most)
        throw invalidAt(
          '/filter',
          `the filter matches more than ${most} jobs, the maximum of one operation: narrow the filter`,
          `matches more than ${most} jobs`,
        );
      const distance = seq - (jobs.length === 0 ? 0 : last);
      last = seq;
      put(distance, why);
    }
  }
  flush();
  return {
    total,
    chunks,
    places: [...places.values()],
    leftOut: [...reasons].map(([why, count]) => ({ reason: why, count })).toSorted((a, b) => b.count - a.count),
  };
}

interface TargetRow extends Record<string, unknown> {
  readonly job: number | string;
  readonly reason: string | null;
  readonly workflow_id: string;
  readonly environment: Environment | '' | null;
}

/** The jobs that match as text, newest first, piece by piece: no piece depends on how many there are. What callers wrote is without secrets. */
export function* exportChunks(
  read: ReadHandle,
  search: Search,
  of: ExportOf,
  format: ExportFormat,
  redactor: Redactor,
): Generator<string> {
  const { head, jobs, tail } = FORMATS[format];
  let text = head;
  let first = true;
  for (const rows of 'filter' in of
    ? pages(read, allConditions(read, search, of.filter))
    : snapshotPages(read, of.seq)) {
    text += jobs(
      jobViews(read, rows, 'filter' in of ? of.filter.within : of.within).map((job) => shown(job, redactor)),
      first,
    );
    first = first && rows.length === 0;
    yield text;
    text = '';
  }
  yield text + tail;
}

/**
 * What an export holds: the jobs that match, or those of a snapshot.
 *
 * `within`: workflows whose jobs the reader may see; left out: all
 */
export type ExportOf =
  | { readonly filter: JobFilter }
  | { readonly seq: number; readonly within?: readonly string[] | undefined };

/** The jobs of a snapshot that are still there, as they are now. */
function* snapshotPages(read: ReadHandle, snapshot: number): Generator<JobRow[]> {
  const parts = read.query<ChunkRow>(statements.SNAPSHOT_CHUNKS).all(-snapshot);
  for (const part of parts) {
    const jobs = parseChunk(part).jobs.toReversed();
    for (let i = 0; i < jobs.length; i += PIECE_JOBS)
      yield read
        .query<JobRow>(
          `SELECT * FROM job WHERE ${typeof jobs[0] === 'string' ? 'id' : 'seq'} IN (SELECT value FROM json_each(?)) ORDER BY seq DESC`,
        )
        .all(JSON.stringify(jobs.slice(i, i + PIECE_JOBS)));
  }
}

const shown = (job: Job, redactor: Redactor): Job => ({
  ...job,
  ...redactor.value({ externalId: job.externalId, labels: job.labels }),
});

/**
 * Pages of rows, each read by a statement of its own, so that an export of hours holds no old state of the database.
 * Jobs that are few by an index are found first; else the jobs are walked in the order of creation.
 */
function* pages(read: ReadHandle, conditions: readonly Condition[]): Generator<JobRow[]> {
  if (conditions.some(({ column }) => column === 'external_id' || column === 'found')) {
    const { sql, values } = where(conditions);
    const seqs = read
      .query<{ seq: number }>(`SELECT seq FROM job WHERE ${sql} ORDER BY seq DESC`)
      .all(...values)
      .map(({ seq }) => seq);
    for (let i = 0; i < seqs.length; i += PIECE_JOBS)
      yield read
        .query<JobRow>('SELECT * FROM job WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq DESC')
        .all(JSON.stringify(seqs.slice(i, i + PIECE_JOBS)));
    return;
  }
  const tests = conditions.map(({ sql }) => ` AND +(${sql})`).join('');
  const values = conditions.flatMap((condition) => [...condition.values]);
  let next = (read.query<{ n: number | null }>('SELECT max(seq) AS n FROM job').get()?.n ?? 0) + 1;
  for (;;) {
    // Blocks without a job that matches are passed over by their counts.
    const block =
      read
        .query<{ n: number | null }>(
          `SELECT max(block) AS n FROM job_block WHERE block <= ? AND jobs > 0${blockTests(conditions)}`,
        )
        .get(Math.floor((next - 1) / BLOCK_JOBS), ...blockValues(conditions))?.n ?? null;
    if (block === null) return;
    next = Math.min(next, (block + 1) * BLOCK_JOBS);
    for (; next > block * BLOCK_JOBS; next -= PIECE_JOBS)
      yield read
        .query<JobRow>(`SELECT * FROM job WHERE seq < ? AND seq >= ?${tests} ORDER BY seq DESC`)
        .all(next, Math.max(block * BLOCK_JOBS, next - PIECE_JOBS), ...values);
    next = block * BLOCK_JOBS;
  }
}

const BLOCK_COLUMNS = new Set<Condition['column']>(['status', 'workflow_id', 'environment', 'draft']);
const blockTests = (conditions: readonly Condition[]): string =>
  conditions.map(({ column, sql }) => (BLOCK_COLUMNS.has(column) ? ` AND ${sql}` : '')).join('');
const blockValues = (conditions: readonly Condition[]): Value[] =>
  conditions.flatMap(({ column, values }) => (BLOCK_COLUMNS.has(column) ? [...values] : []));

/** Which jobs are meant, as a condition over `job`. */
export const targetCondition = (read: ReadHandle, search: Search, target: Target): { sql: string; values: Value[] } =>
  'ids' in target
    ? { sql: 'id IN (SELECT value FROM json_each(?))', values: [JSON.stringify(target.ids)] }
    : where(allConditions(read, search, target.filter));

/** The conditions of a filter, and what its search found. */
function allConditions(read: ReadHandle, search: Search, filter: JobFilter): Condition[] {
  const found = search(filter);
  return [...filterConditions(filter, readCounts(read)), ...(found ? searchMatches(found) : [])];
}

function where(conditions: readonly Condition[]): { sql: string; values: Value[] } {
  return {
    sql: conditions.length === 0 ? 'true' : conditions.map(({ sql }) => sql).join(' AND '),
    values: conditions.flatMap(({ values }) => [...values]),
  };
}
