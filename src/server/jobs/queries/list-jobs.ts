import { pageOf } from '../../../lib/page.ts';
import type { Job, JobFilter } from '../../../contract/jobs.ts';
import type { Page } from '../../../contract/shapes.ts';
import type { ReadHandle } from '../../store/port.ts';
import { countBlocks, openBlockTimes, pageOfBlocks, type BlockTimes } from './job-blocks.ts';
import {
  filterConditions,
  searchMatches,
  countFromBlocks,
  matching,
  type Condition,
  type Count,
} from './job-filter.ts';
import type { JobRow } from '../engine/rows.ts';
import { jobViews } from './foreign-jobs.ts';
import { walk } from './walk-jobs.ts';
import type { JobListQuery } from './port.ts';

/** Sort field → column. `createdAt` follows `seq`, the order of creation, which every index carries. */
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
/** Fields of few values: their order is that of the values, and within one that of creation. */
const FEW = {
  status: { column: 'status', of: (count: Count) => count.status },
  workflowId: { column: 'workflow_id', of: (count: Count) => count.workflowId },
  environment: { column: 'environment', of: (count: Count) => count.environment },
} as const;
const isFew = (field: string): field is keyof typeof FEW => Object.hasOwn(FEW, field);
const GROUPED: ReadonlySet<string> = new Set(['status', 'workflow_id', 'environment', 'created_at', 'draft']);
/** Rows that a list may read on the event loop: about a millisecond. */
const CHEAP_ROWS = 2000;
/** Rows that a plain walk may pass over before the counts of blocks are worth reading. */
const WALK_ROWS = 8192;

/** What lists read from. */
export interface Lists {
  readonly read: ReadHandle;
  readonly times: BlockTimes;
  counts(): readonly Count[];
}

export const openLists = (read: ReadHandle, counts: () => readonly Count[]): Lists => ({
  read,
  counts,
  times: openBlockTimes(read),
});

interface Order {
  readonly conditions: readonly Condition[];
  readonly filter: JobFilter;
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  /** Jobs that there are at all. */
  readonly all: number;
}

/**
 * True where the page is read in about a millisecond, so that it is not worth a thread: the first pages in the order of
 * creation, and whatever the counts say is small.
 */
export function isFastJobPage(counts: readonly Count[], query: JobListQuery): boolean {
  const conditions = filterConditions(query, counts);
  if (
    query.label ||
    query.input ||
    query.text !== undefined ||
    query.query !== undefined ||
    conditions.some(({ matches }) => matches === null)
  )
    return false;
  const [field = 'createdAt'] = query.sort.split(',');
  if (field !== 'createdAt' && !isFew(field)) return countFromBlocks(counts, {}) <= CHEAP_ROWS;
  const total = countFromBlocks(counts, query);
  const reach = Math.min((query.page + 1) * query.size, total);
  const all = countFromBlocks(counts, {});
  const column = COLUMNS[field] ?? 'seq';
  const lead = leading('seq', conditions, { reach, totalItems: total, all });
  return (
    Math.min(
      rowsWalked({ offset: reach - query.size, limit: query.size, total, all }),
      lead === null ? all : costOf(lead, column, reach, total, all),
    ) <= CHEAP_ROWS
  );
}

/**
 * One page of jobs. Totals come from counts wherever they can. Pages in the order of creation, and those sorted by what
 * has few values, begin in the block that the counts name. For the others the index is walked that reads the fewest
 * rows by those counts: SQLite alone would guess. Absent values come last in either direction.
 *
 * @param found `temp.found` holds what a search found; null: nothing was searched.
 */
export function listJobs(
  { read, times, counts: readCounts }: Lists,
  query: JobListQuery,
  found: { total: number | null; excluded?: number | null } | null = null,
): Page<Job> {
  const { page, size } = query;
  const counts = readCounts();
  const [field = 'createdAt', direction = 'asc'] = query.sort.split(',');
  const conditions = [...filterConditions(query, counts), ...(found ? searchMatches(found) : [])];
  const grouped = conditions.every(({ column }) => GROUPED.has(column));
  const timed = conditions.some(({ column }) => column === 'created_at');
  const total = grouped
    ? timed
      ? sum(countBlocks(read, times, query, conditions))
      : countFromBlocks(counts, query)
    : count(read, conditions);
  const offset = page * size;
  if (offset >= total) return pageOf<Job>([], query, total);
  const order: Order = {
    conditions,
    filter: query,
    descending: direction === 'desc',
    offset,
    limit: Math.min(size, total - offset),
    total,
    all: countFromBlocks(counts, {}),
  };
  let seqs: number[];
  if (grouped && field === 'createdAt') seqs = byCreation(read, times, order);
  else if (grouped && isFew(field)) seqs = byValue(read, times, order, field, counts, timed);
  else seqs = byIndex(read, field, order);
  return pageOf(jobViews(read, rowsOf(read, seqs), query.within), query, total);
}

export function rowsOf(read: ReadHandle, seqs: readonly number[]): JobRow[] {
  const rows = read.query<JobRow>(`SELECT * FROM job WHERE seq IN (${seqs.map(() => '?').join(', ')})`).all(...seqs);
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return seqs.flatMap((seq) => bySeq.get(seq) ?? []);
}

/** In the order of creation: a plain walk where it is short, else from the block in which the page begins. */
function byCreation(read: ReadHandle, times: BlockTimes, order: Order): number[] {
  const { conditions, descending, offset, limit, total, all } = order;
  const timed = conditions.some(({ column }) => column === 'created_at');
  const lead = timed ? null : leading('seq', conditions, { reach: offset + limit, totalItems: total, all });
  const led = lead === null ? Infinity : costOf(lead, 'seq', offset + limit, total, all);
  // Of the blocks' own cost the last part is the walk within them, longer where matches are far between.
  const blocks = BLOCK_COST + limit * (all / Math.max(1, total));
  if (!timed && Math.min(led, rowsWalked(order)) <= Math.max(WALK_ROWS, blocks)) {
    return walk(read, {
      column: 'seq',
      descending,
      conditions,
      lead: led < rowsWalked(order) ? lead : null,
      offset,
      limit,
      totalItems: total,
    });
  }
  return pageOfBlocks(read, countBlocks(read, times, order.filter, conditions), {
    conditions,
    descending,
    offset,
    limit,
  });
}

const BLOCK_COST = 10_000;

/** Sorted by a field of few values: the values one after the other, each in the order of creation. No environment comes last. */
function byValue(
  read: ReadHandle,
  times: BlockTimes,
  order: Order,
  field: keyof typeof FEW,
  all: readonly Count[],
  timed: boolean,
): number[] {
  const counts = matching(all, order.filter);
  const { column, of: valueOf } = FEW[field];
  const values = [...new Set(counts.map(valueOf))].sort((a, b) =>
    a === '' ? 1 : b === '' ? -1 : (a < b ? -1 : 1) * (order.descending ? -1 : 1),
  );
  const seqs: number[] = [];
  let before = 0;
  for (const value of values) {
    if (seqs.length >= order.limit) break;
    const one: Condition = {
      column,
      sql: value === '' ? 'environment IS NULL' : `${column} = ?`,
      values: value === '' ? [] : [value],
      matches: jobsOf(all, valueOf, value),
    };
    const conditions = [...order.conditions.filter((condition) => condition.column !== one.column), one];
    const blocks = timed ? countBlocks(read, times, order.filter, forBlocks(conditions)) : null;
    const total = blocks ? sum(blocks) : jobsOf(counts, valueOf, value);
    const offset = Math.max(0, order.offset - before);
    const limit = Math.min(order.limit - seqs.length, total - offset);
    before += total;
    if (limit <= 0) continue;
    seqs.push(
      ...(blocks
        ? pageOfBlocks(read, blocks, { conditions, descending: order.descending, offset, limit })
        : byCreation(read, times, { ...order, conditions: forBlocks(conditions), offset, limit, total })),
    );
  }
  return seqs;
}

const jobsOf = (counts: readonly Count[], valueOf: (count: Count) => string, value: string): number =>
  counts.reduce((sum, count) => sum + (valueOf(count) === value ? count.jobs : 0), 0);

/** The counts of blocks have '' where a job has no environment. */
const forBlocks = (conditions: readonly Condition[]): Condition[] =>
  conditions.map((condition) =>
    condition.sql === 'environment IS NULL' ? { ...condition, sql: "coalesce(environment, '') = ''" } : condition,
  );

function byIndex(
  read: ReadHandle,
  field: string,
  { conditions, descending, offset, limit, total, all }: Order,
): number[] {
  const column = COLUMNS[field] ?? 'seq';
  // Of a query nothing tells where its few jobs lie: they are found by whatever index the database has, and put in order.
  if (total <= SORTED_ROWS && conditions.some((condition) => condition.column === 'query'))
    return sorted(read, { column, conditions, descending, offset, limit });
  const lead = leading(column, conditions, { reach: offset + limit, totalItems: total, all });
  return walk(read, { column, descending, conditions, lead, offset, limit, totalItems: total });
}

/** Jobs of a query that are put in order as a whole. */
const SORTED_ROWS = 10_000;

function sorted(
  read: ReadHandle,
  {
    column,
    conditions,
    descending,
    offset,
    limit,
  }: Pick<Order, 'conditions' | 'descending' | 'offset' | 'limit'> & { column: string },
): number[] {
  const way = descending ? 'DESC' : 'ASC';
  const where = conditions.map(({ sql }) => sql).join(' AND ');
  return read
    .query<{ seq: number }>(
      `SELECT seq FROM job WHERE ${where} ORDER BY +${column} IS NULL, +${column} ${way}, +seq ${way} LIMIT ? OFFSET ?`,
    )
    .all(...conditions.flatMap(({ values }) => [...values]), limit, offset)
    .map(({ seq }) => seq);
}

/** Rows that a plain walk in the order of creation passes, from the nearer end. */
function rowsWalked({ offset, limit, total, all }: Pick<Order, 'offset' | 'limit' | 'total' | 'all'>): number {
  return (Math.min(offset + limit, total - offset) * all) / Math.max(1, total);
}

/** What it costs to read a row, where an entry of an index that holds all that is asked for costs 1. */
const ROW = 10;
/** Sorts whose index holds what is filtered by. */
const COVERED: ReadonlySet<string> = new Set(['finished_at', 'duration_ms', 'updated_at']);

/** The condition whose index is walked; null: that of the sort is, and rows are tested on the way. */
function leading(
  column: string,
  conditions: readonly Condition[],
  { reach, totalItems, all }: { reach: number; totalItems: number; all: number },
): Condition | null {
  let best: Condition | null = null;
  const walked = (Math.min(reach, totalItems) * all) / Math.max(1, totalItems);
  let cost =
    COVERED.has(column) && conditions.every(({ column: tested }) => GROUPED.has(tested)) ? walked / ROW : walked;
  for (const condition of conditions) {
    if (
      condition.column === 'environment' ||
      condition.column === 'draft' ||
      condition.column === 'trigger' ||
      condition.column === 'display' ||
      condition.column === 'query' ||
      (condition.column === 'created_at' && column !== 'seq')
    )
      continue;
    const own = costOf(condition, column, reach, totalItems, all);
    if (own < cost) [best, cost] = [condition, own];
  }
  return best;
}

function costOf(condition: Condition, column: string, reach: number, totalItems: number, all: number): number {
  // Unknown to the counts: external ids and prefixes are few; a range of time is walked in the order of creation.
  const rows = condition.matches ?? (condition.column === 'created_at' ? totalItems : Math.min(all, 100));
  const inOrder =
    column === condition.column || (column === 'seq' && !condition.sql.includes(' IN ') && condition.matches !== null);
  return inOrder ? (reach * rows) / Math.max(1, totalItems) : rows * 2;
}

function count(read: ReadHandle, conditions: readonly Condition[]): number {
  const where = conditions.map(({ sql }) => sql).join(' AND ');
  return (
    read
      .query<{ n: number }>(`SELECT count(*) AS n FROM job WHERE ${where}`)
      .get(...conditions.flatMap(({ values }) => [...values]))?.n ?? 0
  );
}

const sum = (blocks: readonly { n: number }[]): number => blocks.reduce((total, { n }) => total + n, 0);
