import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { BulkDryRun, Operation, OperationResult } from '../../contract/operations.ts';
import type { Page } from '../../contract/shapes.ts';
import type { OperationKind } from '../../contract/vocabulary.ts';
import { type Query, request, urlOf } from './client.ts';
import type { JobListParams } from './jobs.ts';
import type { Paging } from './paging.ts';

/** The list's filters, without paging and order. */
export type JobFilters = Omit<JobListParams, keyof Paging>;
/** What a bulk operation works on: chosen jobs, or all that match a filter when it is submitted. */
export type BulkTarget = (
  | { readonly ids: readonly string[] }
  | { readonly filter: JobFilters; readonly all?: true }
) & {
  /** Of a retry: also jobs whose failures are all of a kind that a retry does not mend. */
  readonly includeNonRetryable?: true;
  /** Of a rerun: the version, else each on its own; jobs that were run again before; jobs of which nothing failed. */
  readonly commit?: 'published';
  readonly includeRerun?: true;
  readonly includeCompleted?: true;
};
export type ExportFormat = 'csv' | 'json' | 'ndjson';

export const operationKeys = {
  all: ['operations'] as const,
  lists: ['operations', 'list'] as const,
  list: (params: Paging) => ['operations', 'list', params] as const,
  one: (operationId: string) => ['operations', 'one', operationId] as const,
  results: (operationId: string, params: OperationResultParams) =>
    ['operations', 'results', operationId, params] as const,
  resultsOf: (operationId: string) => ['operations', 'results', operationId] as const,
};
export interface OperationResultParams extends Paging {
  ok?: boolean | undefined;
}

const base = (operationId: string) => `/api/v1/operations/${encodeURIComponent(operationId)}`;
const bulk = <T>(kind: OperationKind, target: BulkTarget, dryRun: boolean) =>
  request<T>(`/api/v1/jobs/bulk/${kind}`, { method: 'POST', body: { ...target, ...(dryRun ? { dryRun } : {}) } });

/** Counts what an operation would touch, and changes nothing. Never kept: the answer is as old as the question. */
export const dryRunQuery = (kind: OperationKind, target: BulkTarget) =>
  queryOptions({
    queryKey: ['dry-run', kind, target],
    queryFn: () => bulk<BulkDryRun>(kind, target, true),
    staleTime: 0,
    gcTime: 0,
  });
export const startBulk = (kind: OperationKind, target: BulkTarget) =>
  bulk<{ operationId: string }>(kind, target, false);
export const abortOperation = (operationId: string) =>
  request<Operation>(`${base(operationId)}/abort`, { method: 'POST' });

export const operationsQuery = (params: Paging) =>
  queryOptions({
    queryKey: operationKeys.list(params),
    queryFn: ({ signal }) => request<Page<Operation>>('/api/v1/operations', { query: { ...params }, signal }),
    placeholderData: keepPreviousData,
  });
export const operationQuery = (operationId: string) =>
  queryOptions({
    queryKey: operationKeys.one(operationId),
    queryFn: ({ signal }) => request<Operation>(base(operationId), { signal }),
  });
export const readResults = (operationId: string, params: OperationResultParams, signal?: AbortSignal) =>
  request<Page<OperationResult>>(`${base(operationId)}/results`, { query: { ...params }, signal });
export const operationResultsQuery = (operationId: string, params: OperationResultParams) =>
  queryOptions({
    queryKey: operationKeys.results(operationId, params),
    queryFn: ({ signal }) => readResults(operationId, params, signal),
    placeholderData: (previous, query) => (query?.queryKey[2] === operationId ? previous : undefined),
  });

/** Where the jobs that match are to be had as a file. */
export const exportUrl = (format: ExportFormat, filters: JobFilters): string =>
  urlOf('/api/v1/jobs/export', { format, ...(filters as Query) });
