import type { LogFormat } from '../../contract/vocabulary.ts';
import { pathTo } from '../../lib/api-client.ts';
import { call } from './client.ts';
import { readList, read } from './read.ts';

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
  values: (params: object) => ['logs', 'values', params] as const,
  hits: (params: LogFilters & { step?: string | undefined; field?: string | undefined }) =>
    ['logs', 'hits', params] as const,
};

/** One page of records; `cursor` of the page before goes on from there. Throws `ApiError` QUERY_INVALID with `problem.position` (0-based). */
export const searchLogs = (params: LogSearchParams, cursor: string | null, signal: AbortSignal) =>
  call('logs.search', { query: { ...params, cursor }, signal, lossless: true });

export const logHitsQuery = (params: LogFilters & { step?: string | undefined; field?: string | undefined }) =>
  readList(logKeys.hits(params), 'logs.hits', { query: params });

/** Address for an `EventSource` that follows what matches. */
export const logTailUrl = (filters: LogFilters): string => pathTo('logs.tail', { query: { ...filters, batch: true } });

export interface ContextParams {
  readonly at: string;
  readonly before: number;
  readonly after: number;
  readonly job_id?: string;
  readonly task_id?: string;
  readonly worker_id?: string;
  readonly source?: string;
}
/** The records around a moment. */
export const logContextQuery = (params: ContextParams) =>
  readList(['logs', 'context', params], 'logs.context', { query: params, lossless: true });

/** Rows of a query with pipes that are shown. */
export const PIPE_ROWS = 1000;
/** What the pipes of a query make. */
export const logRowsQuery = (params: LogFilters) =>
  readList(
    ['logs', 'rows', params],
    'logs.search',
    { query: { ...params, limit: PIPE_ROWS }, lossless: true },
    { retry: false },
  );

const VALUES_STALE_MS = 30_000;
/** Names of fields of what matches, with counts. */
export const logFieldsQuery = (params: LogFilters & { contains?: string | undefined; limit?: number | undefined }) =>
  read(logKeys.values(params), 'logs.fields', { query: params }, { staleTime: VALUES_STALE_MS, retry: false });
/** Values of one field of what matches, with counts. */
export const logValuesQuery = (
  params: LogFilters & { field: string; contains?: string | undefined; limit?: number | undefined },
) => read(logKeys.values(params), 'logs.values', { query: params }, { staleTime: VALUES_STALE_MS, retry: false });

/** Address of a download of all that matches. */
export const logExportUrl = (format: LogFormat, filters: LogFilters, columns: readonly string[] = []): string =>
  pathTo('logs.export', { query: { format, ...filters, column: columns } });
