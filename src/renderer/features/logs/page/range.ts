import type { LogFilters } from '../../../api/logs.ts';
import { DEFAULT_RANGE, type LogRange, type LogsSearch } from '../logs-search.ts';

const MINUTES: Readonly<Record<Exclude<LogRange, 'all'>, number>> = {
  '15m': 15,
  '1h': 60,
  '6h': 360,
  '24h': 1440,
  '7d': 10_080,
};

export interface LogsView {
  readonly filters: LogFilters;
  /** Milliseconds; null: no bound. */
  readonly from: number | null;
  readonly to: number | null;
}

/** What the URL asks for. Relative ranges count from `now` (ms); following has no end. */
export function logsView(search: LogsSearch, now: number): LogsView {
  const range = search.range ?? DEFAULT_RANGE;
  const chosen = search.from !== undefined || search.to !== undefined;
  const from = chosen
    ? search.from === undefined
      ? null
      : Date.parse(search.from)
    : range === 'all'
      ? null
      : now - MINUTES[range] * 60_000;
  const to = chosen && search.to !== undefined && search.live === undefined ? Date.parse(search.to) : null;
  const filters: LogFilters = {
    query: search.query,
    job_id: search.job,
    task_id: search.task,
    worker_id: search.worker,
    source: search.source,
    level: search.level,
  };
  if (from !== null) filters.from = new Date(from).toISOString();
  if (to !== null) filters.to = new Date(to).toISOString();
  return { filters, from, to };
}
