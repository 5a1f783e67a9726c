import type { Job, JobFilter } from '../../../contract/jobs.ts';
import type { BulkDryRun } from '../../../contract/operations.ts';
import { invalidAt } from '../../../lib/fault.ts';
import type { Redactor } from '../../../lib/redact.ts';
import type { ReadHandle, Value } from '../../store/port.ts';
import { filterConditions, searchMatches, readCounts, type Condition } from '../queries/job-filter.ts';
import type { JobRow } from '../engine/rows.ts';
import { BLOCK_JOBS } from '../engine/sql.ts';
import { jobView } from '../queries/views.ts';
import { refusalSql, type Rule } from './eligible.ts';
import { FORMATS } from './export-formats.ts';
import type { Search } from '../search/port.ts';
import type { ExportFormat, Target } from './port.ts';

/** Jobs of one chunk of a frozen set, and of one piece of an export. */
const CHUNK_JOBS = 2000;
const PIECE_JOBS = 500;

/** Counts what an operation would act on, and why not on the others. One statement, so one moment. */
export function countTargets(read: ReadHandle, search: Search, target: Target, rule: Rule): BulkDryRun {
  const { sql, values } = targetCondition(read, search, target);
  const rows = read
    .query<{ reason: string | null; n: number }>(
      `SELECT reason, count(*) AS n FROM (SELECT ${refusalSql(rule)} AS reason FROM job WHERE ${sql}) GROUP BY reason`,
    )
    .all(...values);
  const found = rows.reduce((sum, { n }) => sum + n, 0);
  const count = 'ids' in target ? target.ids.length : found;
  const ineligible = rows.flatMap(({ reason, n }) => (reason === null ? [] : [{ reason, count: n }]));
  if (count > found) ineligible.push({ reason: 'NOT_FOUND', count: count - found });
  return {
    count,
    eligible: rows.find(({ reason }) => reason === null)?.n ?? 0,
    ineligible: ineligible.sort((a, b) => b.count - a.count),
  };
}

export interface TargetSnapshot {
  total: number;
  /** JSON arrays of `seq`s, each as the distance from the one before in the same array. */
  chunks: string[];
}

/** The jobs that match at this moment, oldest first. */
export function snapshotTargets(read: ReadHandle, search: Search, filter: JobFilter, most: number): TargetSnapshot {
  const { sql, values } = where(allConditions(read, search, filter));
  const chunks: string[] = [];
  let total = 0;
  let last = 0;
  let distances: number[] = [];
  for (const { seq } of read
    .query<{ seq: number }>(`SELECT seq FROM job WHERE ${sql} ORDER BY seq`)
    .iterate(...values)) {
    distances.push(seq - last);
    last = seq;
    if (++total > most)
      throw invalidAt(
        '/filter',
        `the filter matches more than ${most} jobs, the maximum of one operation: narrow the filter`,
        `matches more than ${most} jobs`,
      );
    if (distances.length < CHUNK_JOBS) continue;
    chunks.push(JSON.stringify(distances));
    distances = [];
    last = 0;
  }
  if (distances.length > 0) chunks.push(JSON.stringify(distances));
  return { total, chunks };
}

/** The jobs that match as text, newest first, piece by piece: no piece depends on how many there are. What callers wrote is without secrets. */
export function* exportChunks(
  read: ReadHandle,
  search: Search,
  filter: JobFilter,
  format: ExportFormat,
  redactor: Redactor,
): Generator<string> {
  const { head, jobs, tail } = FORMATS[format];
  let text = head;
  let first = true;
  for (const rows of pages(read, allConditions(read, search, filter))) {
    text += jobs(
      rows.map((row) => shown(jobView(row), redactor)),
      first,
    );
    first = first && rows.length === 0;
    yield text;
    text = '';
  }
  yield text + tail;
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
  return [...filterConditions(filter, readCounts(read)), ...(found ? [searchMatches(found)] : [])];
}

function where(conditions: readonly Condition[]): { sql: string; values: Value[] } {
  return {
    sql: conditions.length === 0 ? 'true' : conditions.map(({ sql }) => sql).join(' AND '),
    values: conditions.flatMap(({ values }) => [...values]),
  };
}
