import type { ReadHandle, Value } from '../store/port.ts';
import type { Condition } from './list-filter.ts';
import { OPEN_JOBS } from './sql.ts';

/** Indexes by column; `seq` and `id` need no naming. */
const INDEX: Readonly<Record<string, string>> = {
  created_at: 'job_by_created',
  finished_at: 'job_by_finished',
  duration_ms: 'job_by_duration',
  status: 'job_by_status',
  workflow_id: 'job_by_workflow',
  external_id: 'job_by_external_id',
};

/** Columns that may be null, and which jobs those are: found by their status where that is far quicker. */
const ABSENT: Readonly<Record<string, { from: string; where: string }>> = {
  finished_at: { from: 'job INDEXED BY job_by_status', where: OPEN_JOBS },
  duration_ms: { from: 'job INDEXED BY job_by_status', where: OPEN_JOBS },
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
  if (lead === null && ABSENT[column]) return presentThenAbsent(read, page);
  return straight(read, page);
}

/** One index from end to end; from the far half of a list it is walked backwards. */
function straight(read: ReadHandle, page: Walk): number[] {
  const { sql, values, backwards } = straightQuery(page);
  const seqs = run(read, sql, values);
  return backwards ? seqs.reverse() : seqs;
}

/** The statement of a straight walk; exported for the test of its plan. */
export function straightQuery({ column, descending, conditions, lead, offset, limit, totalItems }: Walk): { sql: string; values: Value[]; backwards: boolean } {
  const backwards = offset > totalItems / 2;
  const skip = backwards ? totalItems - offset - limit : offset;
  const way = descending !== backwards;
  const absent = lead !== null && column in ABSENT ? `${column} IS NULL ${backwards ? 'DESC' : 'ASC'}, ` : '';
  const index = INDEX[lead?.column ?? column];
  const where = conditions.map((condition) => (condition === lead ? condition.sql : away(condition)));
  const sql = `SELECT seq FROM ${index === undefined ? 'job' : `job INDEXED BY ${index}`}${where.length > 0 ? ` WHERE ${where.join(' AND ')}` : ''} ORDER BY ${absent}${order(column, way)} LIMIT ? OFFSET ?`;
  return { sql, values: [...valuesOf(conditions), limit, skip], backwards };
}

/** Two walks, one after the other: the jobs that have the value by its index, then the others in the order of creation. */
function presentThenAbsent(read: ReadHandle, { column, descending, conditions, offset, limit }: Walk): number[] {
  const others = conditions.map((condition) => ` AND ${away(condition)}`).join('');
  const values = valuesOf(conditions);
  const present = `FROM job INDEXED BY ${INDEX[column]} WHERE ${column} IS NOT NULL${others}`;
  const first = run(read, `SELECT seq ${present} ORDER BY ${order(column, descending)} LIMIT ? OFFSET ?`, [...values, limit, offset]);
  if (first.length === limit) return first;
  const before = first.length > 0 ? offset + first.length : (read.query<{ n: number }>(`SELECT count(*) AS n ${present}`).get(...values)?.n ?? 0);
  const { from, where } = ABSENT[column] as { from: string; where: string };
  const rest = run(read, `SELECT seq FROM ${from} WHERE ${where}${others} ORDER BY ${order('seq', descending)} LIMIT ? OFFSET ?`, [...values, limit - first.length, Math.max(0, offset - before)]);
  return [...first, ...rest];
}

/** A finished job was updated last when it finished, so its own index serves; open ones are few and sorted beside them. */
function byUpdate(read: ReadHandle, { descending, conditions, offset, limit }: Walk): number[] {
  const others = conditions.map((condition) => ` AND ${away(condition)}`).join('');
  const values = valuesOf(conditions);
  const way = descending ? 'DESC' : 'ASC';
  const open = `SELECT seq, updated_at AS at FROM job INDEXED BY job_by_status WHERE ${OPEN_JOBS}${others} ORDER BY updated_at ${way}, seq ${way} LIMIT ?`;
  const finished = `SELECT seq, finished_at AS at FROM job INDEXED BY job_by_finished WHERE finished_at IS NOT NULL${others} ORDER BY finished_at ${way}, seq ${way} LIMIT ?`;
  const reach = offset + limit;
  const sql = `SELECT seq FROM (SELECT * FROM (${open}) UNION ALL SELECT * FROM (${finished})) ORDER BY at ${way}, seq ${way} LIMIT ? OFFSET ?`;
  return run(read, sql, [...values, reach, ...values, reach, limit, offset]);
}

/** The same condition, out of reach of the planner. */
const away = ({ sql }: Condition): string => `+(${sql})`;

const valuesOf = (conditions: readonly Condition[]): Value[] => conditions.flatMap(({ values }) => [...values]);

const order = (column: string, descending: boolean): string => {
  const way = descending ? 'DESC' : 'ASC';
  return column === 'seq' || column === 'id' ? `${column} ${way}` : `${column} ${way}, seq ${way}`;
};

const run = (read: ReadHandle, sql: string, values: readonly Value[]): number[] => read.query<{ seq: number }>(sql).all(...values).map(({ seq }) => seq);
