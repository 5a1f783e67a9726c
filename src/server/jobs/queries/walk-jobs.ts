import { itemAt } from '../../../lib/item-at.ts';
import type { ReadHandle, Value } from '../../store/port.ts';
import { valuesOf, type Condition } from './job-filter.ts';
import { OPEN_JOBS } from '../engine/sql.ts';

/** Indexes by column; `seq` and `id` need no naming. */
const INDEX: Readonly<Record<string, string>> = {
  created_at: 'job_by_created',
  finished_at: 'job_by_finished',
  duration_ms: 'job_by_duration',
  status: 'job_by_status',
  workflow_id: 'job_by_workflow',
  external_id: 'job_by_external_id',
  parent_task_id: 'job_by_parent_task',
  parent_job_id: 'job_by_parent_job',
  rerun_of: 'job_by_rerun',
  trace: 'job_by_trace',
  trigger_kind: 'job_by_trigger_kind',
  trigger_id: 'job_by_trigger',
};

/** Columns that may be null, and which jobs those are: found by their status where that is far quicker. */
interface Absent {
  readonly from: string;
  readonly where: string;
}
const ABSENT: Readonly<Record<string, Absent>> = {
  finished_at: { from: 'job', where: OPEN_JOBS },
  duration_ms: { from: 'job', where: OPEN_JOBS },
  external_id: { from: 'job', where: 'external_id IS NULL' },
};

export interface Walk {
  /** `seq`: the order of creation. */
  readonly column: string;
  readonly descending: boolean;
  readonly conditions: readonly Condition[];
  /** The condition whose index is walked; null: the index of the column is. */
  readonly lead: Condition | null;
  readonly offset: number;
  readonly limit: number;
  readonly totalItems: number;
}

/** The `seq`s of one page, in order. */
export function walk(read: ReadHandle, page: Walk): number[] {
  const { column, lead } = page;
  if (lead === null && column === 'updated_at') return byUpdate(read, page);
  const absent = ABSENT[column];
  if (lead === null && absent) return presentThenAbsent(read, page, absent);
  return straight(read, page);
}

/** One index from end to end; from the far half of a list it is walked backwards. */
function straight(read: ReadHandle, page: Walk, plain: Condition | null = null): number[] {
  const { sql, values, backwards } = straightQuery(page, plain);
  const seqs = run(read, sql, values);
  return backwards ? seqs.reverse() : seqs;
}

/** The statement of a straight walk; `plain`: the condition of a partial index. Exported for the test of its plan. */
export function straightQuery(
  { column, descending, conditions, lead, offset, limit, totalItems }: Walk,
  plain: Condition | null = null,
): { sql: string; values: Value[]; backwards: boolean } {
  const backwards = offset > totalItems / 2;
  const skip = backwards ? totalItems - offset - limit : offset;
  const way = descending !== backwards;
  const absent =
    column === 'environment' || (lead !== null && column in ABSENT)
      ? `${column} IS NULL ${backwards ? 'DESC' : 'ASC'}, `
      : '';
  const index = INDEX[lead?.column ?? column];
  const where = conditions.map((condition) =>
    condition === lead || condition === plain ? condition.sql : away(condition),
  );
  const sql = `SELECT seq FROM ${index === undefined ? 'job' : `job INDEXED BY ${index}`}${where.length > 0 ? ` WHERE ${where.join(' AND ')}` : ''} ORDER BY ${absent}${order(column, way)} LIMIT ? OFFSET ?`;
  return { sql, values: [...valuesOf(conditions), limit, skip], backwards };
}

/** Jobs from the beginning up to which a page is tried before anything is counted. */
const NEAR = 2000;

/**
 * Two walks, one after the other: the jobs that have the value by its index, then the others in the order of creation.
 * Each goes from its nearer end; how many are of either kind is counted where they are fewer.
 */
function presentThenAbsent(read: ReadHandle, page: Walk, { from, where }: Absent): number[] {
  const { column, conditions, offset, limit, totalItems } = page;
  const others = conditions.map((condition) => ` AND ${away(condition)}`).join('');
  const values = valuesOf(conditions);
  const count = (rows: string) => read.query<{ n: number }>(`SELECT count(*) AS n ${rows}`).get(...values)?.n ?? 0;
  const having: Condition = { column: 'found', sql: `${column} IS NOT NULL`, values: [], matches: null };
  if (offset + limit <= NEAR) {
    // Most often the page is full before the value is absent: nothing needs to be counted.
    const near = straight(
      read,
      { ...page, conditions: [...conditions, having], totalItems: Number.MAX_SAFE_INTEGER },
      having,
    );
    if (near.length === limit) return near;
  }
  const present =
    column === 'external_id'
      ? count(`FROM job INDEXED BY job_by_external_id WHERE external_id IS NOT NULL${others}`)
      : totalItems - count(`FROM ${from} WHERE ${where}${others}`);
  const firstLimit = Math.max(0, Math.min(limit, present - offset));
  const first =
    firstLimit === 0
      ? []
      : straight(
          read,
          { ...page, conditions: [...conditions, having], limit: firstLimit, totalItems: present },
          having,
        );
  const restLimit = limit - first.length;
  if (restLimit === 0) return first;
  const absent = totalItems - present;
  const skip = Math.max(0, offset - present);
  const backwards = skip > absent / 2;
  const rest = run(
    read,
    `SELECT seq FROM ${from} WHERE ${where}${others} ORDER BY ${order('seq', page.descending !== backwards)} LIMIT ? OFFSET ?`,
    [...values, restLimit, backwards ? absent - skip - restLimit : skip],
  );
  return [...first, ...(backwards ? rest.reverse() : rest)];
}

/** Open jobs that are merged in memory; of more, the database merges. */
const MERGED = 5000;

/**
 * A finished job was updated last when it finished, so its own index serves. Open ones are few: they are merged into the
 * part of the finished ones that the page can reach, which is found from the nearer end.
 */
function byUpdate(read: ReadHandle, page: Walk): number[] {
  const { descending, conditions, offset, limit, totalItems } = page;
  const others = conditions.map((condition) => ` AND ${away(condition)}`).join('');
  const values = valuesOf(conditions);
  const way = descending ? 'DESC' : 'ASC';
  const openRows = `FROM job WHERE ${OPEN_JOBS}${others}`;
  const open = read
    .query<Updated>(`SELECT seq, updated_at AS at ${openRows} ORDER BY updated_at ${way}, seq ${way} LIMIT ?`)
    .all(...values, MERGED + 1);
  if (open.length > MERGED) return mergedByDatabase(read, page);
  const finished = totalItems - open.length;
  const from = Math.max(0, offset - open.length);
  const having: Condition = { column: 'found', sql: 'finished_at IS NOT NULL', values: [], matches: null };
  const reach = Math.min(finished - from, limit + open.length);
  const seqs =
    reach <= 0
      ? []
      : straight(
          read,
          {
            ...page,
            column: 'finished_at',
            conditions: [...conditions, having],
            offset: from,
            limit: reach,
            totalItems: finished,
          },
          having,
        );
  const times = new Map(
    read
      .query<Updated>('SELECT seq, finished_at AS at FROM job WHERE seq IN (SELECT value FROM json_each(?))')
      .all(JSON.stringify(seqs))
      .map(({ seq, at }) => [seq, at]),
  );
  const before = (a: Updated, b: Updated) => (a.at === b.at ? a.seq < b.seq : a.at < b.at) !== descending;
  // The rank of the first of these finished ones: those before it, and the open ones that come before it.
  const merged: number[] = [];
  let rank = from;
  let next = 0;
  for (const seq of seqs) {
    const one = { seq, at: times.get(seq) ?? 0 };
    for (let other = open[next]; other && before(other, one); other = open[++next])
      if (rank++ >= offset) merged.push(other.seq);
    if (rank++ >= offset) merged.push(seq);
  }
  for (; next < open.length; next++) if (rank++ >= offset) merged.push(itemAt(open, next).seq);
  return merged.slice(0, limit);
}

interface Updated {
  seq: number;
  at: number;
}

function mergedByDatabase(read: ReadHandle, { descending, conditions, offset, limit }: Walk): number[] {
  const others = conditions.map((condition) => ` AND ${away(condition)}`).join('');
  const values = valuesOf(conditions);
  const way = descending ? 'DESC' : 'ASC';
  const open = `SELECT seq, updated_at AS at FROM job WHERE ${OPEN_JOBS}${others} ORDER BY updated_at ${way}, seq ${way} LIMIT ?`;
  const finished = `SELECT seq, finished_at AS at FROM job INDEXED BY job_by_finished WHERE finished_at IS NOT NULL${others} ORDER BY finished_at ${way}, seq ${way} LIMIT ?`;
  const reach = offset + limit;
  const sql = `SELECT seq FROM (SELECT * FROM (${open}) UNION ALL SELECT * FROM (${finished})) ORDER BY at ${way}, seq ${way} LIMIT ? OFFSET ?`;
  return run(read, sql, [...values, reach, ...values, reach, limit, offset]);
}

/** The same condition, out of reach of the planner. */
const away = ({ sql }: Condition): string => `+(${sql})`;

const order = (column: string, descending: boolean): string => {
  const way = descending ? 'DESC' : 'ASC';
  return column === 'seq' || column === 'id' ? `${column} ${way}` : `${column} ${way}, seq ${way}`;
};

const run = (read: ReadHandle, sql: string, values: readonly Value[]): number[] =>
  read
    .query<{ seq: number }>(sql)
    .all(...values)
    .map(({ seq }) => seq);
