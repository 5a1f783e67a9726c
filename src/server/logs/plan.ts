import type { Filter } from './logsql/ast.ts';

export interface Plan {
  where: string;
  args: (string | number)[];
  /** The SQL decides alone: every row that it gives matches. */
  exact: boolean;
}

const COLUMNS: Readonly<Record<string, string>> = { _msg: 'msg', level: 'level', job_id: 'job_id', task_id: 'task_id', worker_id: 'worker_id', source: 'source' };
const NOTHING: Plan = { where: '1', args: [], exact: false };

/** SQL conditions that every match fulfils; `exact` where they are also enough. Time is in them, so an index serves. */
export function planOf(filter: Filter): Plan {
  switch (filter.kind) {
    case 'all':
      return { where: '1', args: [], exact: true };
    case 'and':
      return joined(filter.parts.map(planOf), ' AND ');
    case 'or': {
      const parts = filter.parts.map(planOf);
      // One side that says nothing makes the whole say nothing.
      return parts.every(({ where }) => where !== '1') ? joined(parts, ' OR ') : { ...NOTHING, exact: parts.every(({ exact }) => exact) };
    }
    case 'not': {
      const inner = planOf(filter.part);
      return inner.exact ? { where: `NOT (${inner.where})`, args: inner.args, exact: true } : NOTHING;
    }
    case 'time':
      return timePlan(filter.from, filter.to);
    case 'exact':
      return filter.prefix ? phrasePlan(filter.field, filter.text) : exactPlan(filter.field, [filter.text]);
    case 'in':
      return filter.values.length === 0 || filter.values.length > 500 ? NOTHING : exactPlan(filter.field, filter.values);
    case 'present': {
      const column = COLUMNS[filter.field];
      return column === undefined ? { where: 'fields IS NOT NULL', args: [], exact: false } : { where: `ifnull(${column}, '') <> ''`, args: [], exact: true };
    }
    case 'phrase':
      return phrasePlan(filter.field, filter.text);
    case 'compare':
      return NOTHING;
  }
}

function joined(parts: Plan[], by: string): Plan {
  return { where: `(${parts.map(({ where }) => where).join(by)})`, args: parts.flatMap(({ args }) => args), exact: parts.every(({ exact }) => exact) };
}

function timePlan(from: number, to: number): Plan {
  const args: number[] = [];
  const parts: string[] = [];
  if (Number.isFinite(from)) parts.push('time >= ?') && args.push(from);
  if (Number.isFinite(to)) parts.push('time < ?') && args.push(to);
  return { where: parts.length === 0 ? '1' : `(${parts.join(' AND ')})`, args, exact: true };
}

function exactPlan(field: string, values: readonly string[]): Plan {
  const column = COLUMNS[field];
  if (column === undefined) return NOTHING;
  if (values.includes('')) return { where: `ifnull(${column}, '') IN (${values.map(() => '?').join(', ')})`, args: [...values], exact: true };
  // `IS NOT NULL` lets the partial indexes serve, and makes the negation two-valued.
  return { where: `(${column} IS NOT NULL AND ${column} ${values.length === 1 ? '= ?' : `IN (${values.map(() => '?').join(', ')})`})`, args: [...values], exact: true };
}

/** The text must be in there somewhere; where its word ends are is checked on the row. */
function phrasePlan(field: string, text: string): Plan {
  const column = COLUMNS[field];
  if (text === '' || column === undefined) return NOTHING;
  return { where: `instr(${column}, ?) > 0`, args: [text], exact: false };
}

/** Records in time order, newest or oldest first. */
export const searchSql = (where: string, order: 'ASC' | 'DESC'): string => `SELECT id, time, msg, level, job_id, task_id, worker_id, source, fields FROM log WHERE ${where} ORDER BY time ${order}, id ${order}`;
