import type { LogRecord } from '../../../contract/logs.ts';
import { parseJson } from '../../../lib/json.ts';
import { filtersWithin } from '../../../lib/logsql/filters-within.ts';
import { parseQuery } from '../../../lib/logsql/parse.ts';
import { valueText } from '../../../lib/logsql/quote.ts';
import { tokensOf } from '../../../lib/logsql/tokens.ts';
import type { LogFilter, Logs } from '../../logs/port.ts';

const TIMEOUT_MS = 30_000;
const SCOPE = ['job_id', 'task_id', 'worker_id', 'level', 'source'] as const;

/** Where the pipes of a query begin; null: it has none, or cannot be read, of which the store tells. */
export function pipesAt(query: string | undefined): number | null {
  if (query === undefined || !query.includes('|')) return null;
  try {
    if (parseQuery(query).pipes.length === 0) return null;
  } catch {
    return null;
  }
  let depth = 0;
  for (const { kind, text, at } of tokensOf(query)) {
    if (kind !== 'sign') continue;
    if ('([{'.includes(text)) depth++;
    else if (')]}'.includes(text)) depth--;
    else if (text === '|' && depth === 0) return at;
  }
  return null;
}

/** The rows that the pipes of a query make, some at a time. What its reader does not take, or waits for no more (`gone`), is not made. */
export async function* pipedRows(
  logs: Pick<Logs, 'run'>,
  { query = '*', from, to, within, ...scope }: LogFilter,
  limit: number,
  now: number,
  gone?: AbortSignal,
): AsyncGenerator<LogRecord[]> {
  const extraFilters = SCOPE.flatMap((field) => {
    const value = scope[field];
    return value === undefined || value === ''
      ? []
      : [`${field}:=${valueText(field === 'level' ? value.toUpperCase() : value)}`];
  });
  // Joined to every filter of the query, those of subqueries, joins and unions too.
  extraFilters.push(...filtersWithin(within));
  if (from !== undefined) extraFilters.push(`_time:>=${new Date(from).toISOString()}`);
  if (to !== undefined) extraFilters.push(`_time:<${new Date(to).toISOString()}`);
  const stop = new AbortController();
  let left = limit;
  let rest = '';
  const decoder = new TextDecoder();
  try {
    for await (const page of logs.run(
      {
        query,
        from: null,
        to: null,
        extraFilters,
        limit: Number.isFinite(limit) ? limit : null,
        offset: 0,
        now,
        timeoutMs: TIMEOUT_MS,
      },
      gone === undefined ? stop.signal : AbortSignal.any([gone, stop.signal]),
    )) {
      const lines = (rest + decoder.decode(page, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      const rows = lines.slice(0, left).map((line) => parseJson<LogRecord>(line));
      left -= rows.length;
      if (rows.length > 0) yield rows;
      if (left <= 0) return;
    }
    if (rest !== '') yield [parseJson<LogRecord>(rest)];
  } finally {
    stop.abort();
  }
}
