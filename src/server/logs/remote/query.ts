import { hintsOf } from '../logsql/filter/hints.ts';
import { readQuery } from '../logsql/parse.ts';
import type { Instant } from '../store/time.ts';
import { createTimeReader } from '../store/time.ts';
import { filterOf } from '../store/read/filter.ts';
import { cutQuery, joinQuery } from '../http/query-text.ts';
import { filtersWithin } from '../../../lib/logsql/filters-within.ts';
import { valueText } from '../../../lib/logsql/quote.ts';
import type { LogFilter, LogRange } from '../port.ts';

/** A question to the store elsewhere, as LogsQL. The filters are joined to the query and to every subquery of it. */
export interface RemoteQuery {
  readonly query: string;
  readonly extraFilters: readonly string[];
  /** The instant of relative times, Unix ms. */
  readonly now: number;
  readonly timeoutMs: number;
}

const EXACT = ['job_id', 'task_id', 'worker_id', 'level', 'source'] as const;

/** The filter of a query (its pipes are left out) with what stands beside it, and the time that it is about. Throws QUERY_INVALID, VALIDATION_FAILED. */
export function questionOf(filter: LogFilter, now: number, timeoutMs: number): RemoteQuery & { range: LogRange } {
  const { from, to } = hintsOf(filterOf(filter, readQuery), BigInt(Math.floor(now)) * 1_000_000n);
  const extraFilters = EXACT.flatMap((field) => {
    const value = filter[field];
    return value === undefined || value === ''
      ? []
      : [`${field}:=${valueText(field === 'level' ? value.toUpperCase() : value)}`];
  });
  extraFilters.push(...filtersWithin(filter.within));
  if (filter.from !== undefined) extraFilters.push(`_time:>=${nanoText(instantOf(filter.from))}`);
  if (filter.to !== undefined) extraFilters.push(`_time:<${nanoText(instantOf(filter.to))}`);
  return {
    query: joinQuery(cutQuery(filter.query ?? '').filter, []),
    extraFilters,
    now,
    timeoutMs,
    range: { from, to },
  };
}

/** With pipes behind it. */
export const piped = (question: RemoteQuery, ...pipes: readonly string[]): RemoteQuery => ({
  ...question,
  query: joinQuery(question.query, pipes),
});

const times = createTimeReader();
/** An instant of a text that is known to be one. */
export function instantOf(text: string): Instant {
  const instant = { ms: 0, ns: 0 };
  times.read(text, instant);
  return instant;
}

/** Nine digits behind the point: a time of fewer stands for all of its last unit. */
export const nanoText = ({ ms, ns }: Instant): string =>
  `${new Date(ms).toISOString().slice(0, -1)}${String(ns).padStart(6, '0')}Z`;
