import { Fault } from '../../lib/fault.ts';
import type { Filter } from './logsql/ast.ts';
import { parseQuery } from './logsql/parse.ts';
import type { LogFilter } from './port.ts';
import { timeOf } from './record.ts';

const EXACT = ['job_id', 'task_id', 'worker_id', 'level', 'source'] as const;

/** One filter from the query and the parameters beside it. Throws QUERY_INVALID or VALIDATION_FAILED. `now` in microseconds. */
export function filterOf(filter: LogFilter, now: number): Filter {
  const parts: Filter[] = [];
  const from = filter.from === undefined ? -Infinity : micros('from', filter.from);
  const to = filter.to === undefined ? Infinity : micros('to', filter.to);
  if (from > to) throw new Fault('VALIDATION_FAILED', `from (${filter.from}) is after to (${filter.to})`, { errors: [{ pointer: '/from', message: 'is after to' }] });
  if (filter.from !== undefined || filter.to !== undefined) parts.push({ kind: 'time', from, to });
  for (const field of EXACT) {
    const text = filter[field];
    if (text !== undefined && text !== '') parts.push({ kind: 'exact', field, text: field === 'level' ? text.toUpperCase() : text, prefix: false });
  }
  const query = parseQuery(filter.query ?? '', now);
  if (query.kind !== 'all') parts.push(query);
  return parts.length === 0 ? { kind: 'all' } : parts.length === 1 ? (parts[0] as Filter) : { kind: 'and', parts };
}

function micros(name: 'from' | 'to', text: string): number {
  const time = timeOf(text);
  if (time === undefined) throw new Fault('VALIDATION_FAILED', `${name} must be an ISO 8601 time such as 2026-01-31T12:00:00Z; it is ${JSON.stringify(text)}`, { errors: [{ pointer: `/${name}`, message: 'is not an ISO 8601 time' }] });
  return time;
}
