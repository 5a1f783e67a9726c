import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { WorkerState } from '../../contract/vocabulary.ts';
import { call } from './client.ts';
import type { Paging } from './paging.ts';

export interface WorkerListParams extends Paging {
  state?: readonly WorkerState[] | undefined;
}

export const workerKeys = {
  all: ['workers'] as const,
  lists: ['workers', 'list'] as const,
  list: (params: WorkerListParams) => ['workers', 'list', params] as const,
  one: (workerId: string) => ['workers', 'one', workerId] as const,
  tasks: (workerId: string, params: Paging) => ['workers', 'tasks', workerId, params] as const,
};

export const workersQuery = (params: WorkerListParams) =>
  queryOptions({
    queryKey: workerKeys.list(params),
    queryFn: ({ signal }) => call('workers.list', { query: params, signal }),
    placeholderData: keepPreviousData,
  });
export const workerQuery = (workerId: string) =>
  queryOptions({
    queryKey: workerKeys.one(workerId),
    queryFn: ({ signal }) => call('workers.get', { params: { id: workerId }, signal }),
  });

/** The tasks that a worker holds now. */
export const workerTasksQuery = (workerId: string, params: Paging) =>
  queryOptions({
    queryKey: workerKeys.tasks(workerId, params),
    queryFn: ({ signal }) => call('workers.tasks', { params: { id: workerId }, query: params, signal, lossless: true }),
    structuralSharing: false,
  });

export const drainWorker = (workerId: string) => call('workers.drain', { params: { id: workerId } });
export const resumeWorker = (workerId: string) => call('workers.resume', { params: { id: workerId } });
