import type { Query } from '../../contract/routes.ts';
import { read } from './read.ts';

export type ValuesParams = Readonly<Query<'jobs.compareValues'>>;

// Apart from the keys of jobs: a run that goes on is compared again when somebody asks, not with each of its changes.
const steady = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

export const comparisonQuery = (jobId: string, otherId: string) =>
  read(['compare', 'tasks', jobId, otherId], 'jobs.compare', { params: { jobId, otherId } }, steady);

export const compareValuesQuery = (jobId: string, otherId: string, query: ValuesParams) =>
  read(
    ['compare', 'values', jobId, otherId, query],
    'jobs.compareValues',
    { params: { jobId, otherId }, query },
    steady,
  );

export const compareLogsQuery = (jobId: string, otherId: string) =>
  read(['compare', 'logs', jobId, otherId], 'jobs.compareLogs', { params: { jobId, otherId } }, steady);
