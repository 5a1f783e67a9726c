import { itemAt } from '../../../../lib/item-at.ts';
import type { Filter, Query } from '../../../../lib/logsql/ast.ts';
import { readQuery } from '../../logsql/parse.ts';
import { Fault, invalidAt } from '../../../../lib/fault.ts';
import type { LogFilter } from '../../port.ts';
import { compileFilter, type Matcher } from '../../logsql/filter/evaluate.ts';
import { hintsOf } from '../../logsql/filter/hints.ts';
import type { ScanHints } from '../port.ts';
import { isoOf } from './records.ts';
import { createTimeReader, type Instant } from '../time.ts';

const EXACT = ['job_id', 'task_id', 'worker_id', 'level', 'source'] as const;

/** One filter of a query and the parameters beside it; pipes of the query are left out. Throws QUERY_INVALID or VALIDATION_FAILED. */
export function filterOf(given: LogFilter, read: (text: string) => Query = readQuery): Filter {
  const from = given.from === undefined ? null : instantOf('from', given.from);
  const to = given.to === undefined ? null : instantOf('to', given.to);
  if (from && to && (from.ms > to.ms || (from.ms === to.ms && from.ns > to.ns)))
    throw invalidAt('/from', `from (${given.from}) is after to (${given.to})`, 'is after to');
  const parts: Filter[] = [];
  if (from)
    parts.push({ kind: 'time', spec: { kind: 'compare', op: '>=', text: isoOf(from.ms, from.ns) }, offset: null });
  if (to) parts.push({ kind: 'time', spec: { kind: 'compare', op: '<', text: isoOf(to.ms, to.ns) }, offset: null });
  for (const field of EXACT) {
    const text = given[field];
    if (text !== undefined && text !== '')
      parts.push({
        kind: 'field',
        field,
        test: { kind: 'exact', text: field === 'level' ? text.toUpperCase() : text, prefix: false },
      });
  }
  if (given.within) parts.push(ofWorkflows(given.within));
  const { filter } = read(given.query ?? '');
  if (filter.kind !== 'all') parts.push(filter);
  return parts.length === 0 ? { kind: 'all' } : parts.length === 1 ? itemAt(parts, 0) : { kind: 'and', parts };
}

const ofWorkflows = (ids: readonly string[]): Filter =>
  ids.length === 0 ? { kind: 'none' } : { kind: 'field', field: 'workflow_id', test: { kind: 'in', values: ids } };

/** A filter ready to run. `now` in unix ms. Subqueries are not among what these filters may hold. */
export function readyFilter(filter: Filter, now: number): { matcher: Matcher; hints: ScanHints } {
  const nanos = BigInt(Math.floor(now)) * 1_000_000n;
  const values = (): never => {
    throw new Fault('QUERY_INVALID', 'a subquery inside in(…) is not supported here: list the values', {
      extra: { position: 0 },
    });
  };
  return { matcher: compileFilter(filter, { now: nanos, values }), hints: hintsOf(filter, nanos) };
}

function instantOf(name: 'from' | 'to', text: string): Instant {
  const instant: Instant = { ms: 0, ns: 0 };
  if (!createTimeReader().read(text, instant))
    throw invalidAt(
      `/${name}`,
      `${name} must be an ISO 8601 time such as 2026-01-31T12:00:00Z; got ${JSON.stringify(text)}`,
      'is not an ISO 8601 time',
    );
  return instant;
}
