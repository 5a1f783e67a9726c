import { queryOptions } from '@tanstack/react-query';
import type { Approval } from '../../contract/approvals.ts';
import type { BulkDryRun } from '../../contract/operations.ts';
import type { OperationKind } from '../../contract/vocabulary.ts';
import { pathTo } from '../../lib/api-client.ts';
import { call } from './client.ts';
import type { JobListParams } from './jobs.ts';
import type { Paging } from './paging.ts';
import { readList, read } from './read.ts';

/** The list's filters, without paging and order. */
export type JobFilters = Omit<JobListParams, keyof Paging>;
/** What a bulk operation works on: chosen jobs, or all that match a filter. */
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

async function dryRun(kind: OperationKind, target: BulkTarget): Promise<BulkDryRun> {
  const found = await call(`operations.${kind}`, { body: { ...target, dryRun: true } });
  if ('operationId' in found || 'requestedBy' in found)
    throw new Error('the master took a dry run for the operation itself');
  return found;
}

/** Counts what an operation would touch, and changes nothing. Never kept: the answer is as old as the question. */
export const dryRunQuery = (kind: OperationKind, target: BulkTarget) =>
  queryOptions({
    queryKey: ['dry-run', kind, target],
    queryFn: () => dryRun(kind, target),
    staleTime: 0,
    gcTime: 0,
  });
/** Starts on the jobs that the dry run of `target` counted: what was confirmed is what was shown. */
export async function startBulk(
  kind: OperationKind,
  target: BulkTarget,
  { snapshot }: BulkDryRun,
): Promise<{ operationId: string } | Approval> {
  const { ids: _ids, filter: _filter, all: _all, ...choices } = { ids: null, filter: null, all: null, ...target };
  const begun = await call(`operations.${kind}`, { body: { ...choices, snapshot } });
  if ('operationId' in begun || 'requestedBy' in begun) return begun;
  throw new Error('the master took the operation for a dry run');
}
export const abortOperation = (operationId: string) => call('operations.abort', { params: { id: operationId } });

export const operationsQuery = (params: Paging) =>
  readList(operationKeys.list(params), 'operations.list', { query: params });
export const operationQuery = (operationId: string) =>
  read(operationKeys.one(operationId), 'operations.get', { params: { id: operationId } });
export const readResults = (operationId: string, params: OperationResultParams, signal?: AbortSignal) =>
  call('operations.results', { params: { id: operationId }, query: params, signal });
export const operationResultsQuery = (operationId: string, params: OperationResultParams) =>
  queryOptions({
    queryKey: operationKeys.results(operationId, params),
    queryFn: ({ signal }) => readResults(operationId, params, signal),
    placeholderData: (previous, query) => (query?.queryKey[2] === operationId ? previous : undefined),
  });

/** Where the jobs that match are to be had as a file. */
export const exportUrl = (format: ExportFormat, filters: JobFilters): string =>
  pathTo('jobs.export', { query: { format, ...filters } });
