import type { Job, Page } from '../../contract/api.ts';
import type { JobFilter } from '../../contract/routes.ts';
import type { ReadHandle, Value } from '../store/port.ts';
import type { Memory } from './memory.ts';
import type { JobRow } from './rows.ts';
import { jobView } from './views.ts';
import { walk } from './walk-jobs.ts';

/** Sort field → column. `createdAt` follows `seq`, the order of creation, which every index carries, or its own index where a range of it is asked for. */
const COLUMNS: Readonly<Record<string, string>> = {
  createdAt: 'seq',
  id: 'id',
  updatedAt: 'updated_at',
  finishedAt: 'finished_at',
  durationMs: 'duration_ms',
  status: 'status',
  workflowId: 'workflow_id',
  environment: 'environment',
  externalId: 'external_id',
};

export interface Condition {
  readonly column: 'status' | 'workflow_id' | 'environment' | 'external_id' | 'created_at' | 'q';
  readonly sql: string;
  readonly values: readonly Value[];
  /** Jobs that meet this condition alone, where the counts tell. */
  readonly matches: number | null;
}

export type JobListQuery = { page: number; size: number; sort: string } & JobFilter;

/**
 * One page of jobs. Totals come from the counts wherever they can. Of the indexes that would do, the one is forced that
 * reads the fewest rows by those counts: SQLite alone would guess. Absent values come last in either direction.
 */
export function listJobs(read: ReadHandle, memory: Memory, query: JobListQuery): Page<Job> {
  const { page, size } = query;
  const [field = 'createdAt', direction = 'asc'] = query.sort.split(',');
  const conditions = conditionsOf(query, memory);
  const totalItems = total(read, memory, query, conditions);
  const offset = page * size;
  const result = { page, size, totalItems, totalPages: Math.ceil(totalItems / size) };
  if (offset >= totalItems) return { items: [], ...result };
  const column = field === 'createdAt' && conditions.some((condition) => condition.column === 'created_at') ? 'created_at' : (COLUMNS[field] ?? 'seq');
  const lead = leading(column, conditions, { reach: offset + size, totalItems, all: known(memory, {}) });
  const seqs = walk(read, { column, descending: direction === 'desc', conditions, lead, offset, limit: Math.min(size, totalItems - offset), totalItems });
  const rows = read.query<JobRow>(`SELECT * FROM job WHERE seq IN (${seqs.map(() => '?').join(', ')})`).all(...seqs);
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return { items: seqs.flatMap((seq) => bySeq.get(seq) ?? []).map(jobView), ...result };
}

/** The condition whose index is walked; null: that of the sort is, and rows are tested on the way. */
function leading(column: string, conditions: readonly Condition[], { reach, totalItems, all }: { reach: number; totalItems: number; all: number }): Condition | null {
  let best: Condition | null = null;
  let cost = (reach * all) / Math.max(1, totalItems);
  for (const condition of conditions) {
    // Unknown to the counts: external ids and prefixes are few; a range of time is walked in the order of creation.
    const rows = condition.matches ?? (condition.column === 'created_at' ? totalItems : Math.min(all, 100));
    const inOrder = column === condition.column || (column === 'seq' && !condition.sql.includes(' IN ') && condition.matches !== null);
    const own = inOrder ? (reach * rows) / Math.max(1, totalItems) : rows * 2;
    if (own < cost) [best, cost] = [condition, own];
  }
  return best;
}

function conditionsOf(filter: JobFilter, memory: Memory): Condition[] {
  const conditions: Condition[] = [];
  const { status, workflowId, environment, externalId, q, createdFrom, createdTo } = filter;
  if (status?.length === 1 && status[0]) conditions.push({ column: 'status', sql: 'status = ?', values: [status[0]], matches: known(memory, { status }) });
  else if (status && status.length > 1) conditions.push({ column: 'status', sql: `status IN (${status.map(() => '?').join(', ')})`, values: status, matches: known(memory, { status }) });
  if (workflowId !== undefined) conditions.push({ column: 'workflow_id', sql: 'workflow_id = ?', values: [workflowId], matches: known(memory, { workflowId }) });
  if (environment !== undefined) conditions.push({ column: 'environment', sql: 'environment = ?', values: [environment], matches: known(memory, { environment }) });
  if (externalId !== undefined) conditions.push({ column: 'external_id', sql: 'external_id = ?', values: [externalId], matches: null });
  if (q !== undefined && q !== '') conditions.push({ column: 'q', sql: '(id >= ? AND id < ? OR external_id >= ? AND external_id < ?)', values: [q, after(q), q, after(q)], matches: null });
  if (createdFrom !== undefined || createdTo !== undefined) {
    const range = [createdFrom === undefined ? 0 : Date.parse(createdFrom), createdTo === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(createdTo)];
    conditions.push({ column: 'created_at', sql: 'created_at BETWEEN ? AND ?', values: range, matches: null });
  }
  return conditions;
}

/** The end of the range of texts that begin with `prefix`. */
const after = (prefix: string): string => `${prefix}\u{10ffff}`;

function total(read: ReadHandle, memory: Memory, filter: JobFilter, conditions: readonly Condition[]): number {
  if (conditions.every(({ matches }) => matches !== null)) return known(memory, filter);
  const where = conditions.map(({ sql }) => sql).join(' AND ');
  return read.query<{ n: number }>(`SELECT count(*) AS n FROM job WHERE ${where}`).get(...conditions.flatMap(({ values }) => values))?.n ?? 0;
}

function known({ counts }: Memory, { status, workflowId, environment }: Pick<JobFilter, 'status' | 'workflowId' | 'environment'>): number {
  let sum = 0;
  for (const row of counts.values()) {
    if (status !== undefined && status.length > 0 && !status.includes(row.status)) continue;
    if (workflowId !== undefined && row.workflowId !== workflowId) continue;
    if (environment !== undefined && row.environment !== environment) continue;
    sum += row.jobs;
  }
  return sum;
}
