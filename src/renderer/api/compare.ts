import { queryOptions } from '@tanstack/react-query';
import type { Comparison, LogComparison, ValueComparison } from '../../contract/comparisons.ts';
import { request } from './client.ts';

export interface ValuesParams {
  readonly of: 'input' | 'output';
  readonly replica?: number | undefined;
  /** A task of each job: their payloads in the place of those of the jobs. */
  readonly task?: string | undefined;
  readonly otherTask?: string | undefined;
}

const base = (jobId: string, otherId: string) =>
  `/api/v1/jobs/${encodeURIComponent(jobId)}/compare/${encodeURIComponent(otherId)}`;
// Apart from the keys of jobs: a run that goes on is compared again when somebody asks, not with each of its changes.
const steady = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

export const comparisonQuery = (jobId: string, otherId: string) =>
  queryOptions({
    queryKey: ['compare', 'tasks', jobId, otherId] as const,
    queryFn: ({ signal }) => request<Comparison>(base(jobId, otherId), { signal }),
    ...steady,
  });

export const compareValuesQuery = (jobId: string, otherId: string, params: ValuesParams) =>
  queryOptions({
    queryKey: ['compare', 'values', jobId, otherId, params] as const,
    queryFn: ({ signal }) =>
      request<ValueComparison>(`${base(jobId, otherId)}/values`, { query: { ...params }, signal }),
    ...steady,
  });

export const compareLogsQuery = (jobId: string, otherId: string) =>
  queryOptions({
    queryKey: ['compare', 'logs', jobId, otherId] as const,
    queryFn: ({ signal }) => request<LogComparison>(`${base(jobId, otherId)}/logs`, { signal }),
    ...steady,
  });
