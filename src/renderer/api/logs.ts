import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { LogHits, LogSearch } from '../../contract/api.ts';
import { type Query, request, urlOf } from './client.ts';

export interface LogFilters {
  /** LogsQL. */
  query?: string | undefined;
  job_id?: string | undefined;
  task_id?: string | undefined;
  worker_id?: string | undefined;
  level?: string | undefined;
  source?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}
export interface LogSearchParams extends LogFilters {
  limit?: number | undefined;
  order?: 'asc' | 'desc' | undefined;
}

export const logKeys = {
  all: ['logs'] as const,
  hits: (params: LogFilters & { step?: string | undefined; field?: string | undefined }) => ['logs', 'hits', params] as const,
};

/** One page of records; `cursor` of the page before goes on from there. Throws `ApiError` QUERY_INVALID with `problem.position` (0-based). */
export const searchLogs = (params: LogSearchParams, cursor: string | null, signal: AbortSignal) => request<LogSearch>('/api/v1/logs/search', { query: { ...(params as Query), cursor }, signal });

export const logHitsQuery = (params: LogFilters & { step?: string | undefined; field?: string | undefined }) =>
  queryOptions({ queryKey: logKeys.hits(params), queryFn: ({ signal }) => request<LogHits>('/api/v1/logs/hits', { query: params as Query, signal }), placeholderData: keepPreviousData });

/** Address for an `EventSource` that follows what matches. */
export const logTailUrl = (filters: LogFilters): string => urlOf('/api/v1/logs/tail', { ...(filters as Query), batch: true });
