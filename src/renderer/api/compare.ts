import { queryOptions } from '@tanstack/react-query';
import type { Query } from '../../contract/routes.ts';
import { call } from './client.ts';

export type ValuesParams = Readonly<Query<'jobs.compareValues'>>;

// Apart from the keys of jobs: a run that goes on is compared again when somebody asks, not with each of its changes.
const steady = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

export const comparisonQuery = (jobId: string, otherId: string) =>
  queryOptions({
    queryKey: ['compare', 'tasks', jobId, otherId] as const,
    queryFn: ({ signal }) => call('jobs.compare', { params: { jobId, otherId }, signal }),
    ...steady,
  });

export const compareValuesQuery = (jobId: string, otherId: string, query: ValuesParams) =>
  queryOptions({
    queryKey: ['compare', 'values', jobId, otherId, query] as const,
    queryFn: ({ signal }) => call('jobs.compareValues', { params: { jobId, otherId }, query, signal }),
    ...steady,
  });

export const compareLogsQuery = (jobId: string, otherId: string) =>
  queryOptions({
    queryKey: ['compare', 'logs', jobId, otherId] as const,
    queryFn: ({ signal }) => call('jobs.compareLogs', { params: { jobId, otherId }, signal }),
    ...steady,
  });
