import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Page } from '../../contract/shapes.ts';
import type { Task } from '../../contract/tasks.ts';
import type { WorkerState } from '../../contract/vocabulary.ts';
import type { Worker } from '../../contract/workers.ts';
import { type Query, request } from './client.ts';
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

const base = (workerId: string) => `/api/v1/workers/${encodeURIComponent(workerId)}`;

export const workersQuery = (params: WorkerListParams) =>
  queryOptions({
    queryKey: workerKeys.list(params),
    queryFn: ({ signal }) => request<Page<Worker>>('/api/v1/workers', { query: params as Query, signal }),
    placeholderData: keepPreviousData,
  });
export const workerQuery = (workerId: string) =>
  queryOptions({
    queryKey: workerKeys.one(workerId),
    queryFn: ({ signal }) => request<Worker>(base(workerId), { signal }),
  });

/** The tasks that a worker holds now. */
export const workerTasksQuery = (workerId: string, params: Paging) =>
  queryOptions({
    queryKey: workerKeys.tasks(workerId, params),
    queryFn: ({ signal }) =>
      request<Page<Task>>(`${base(workerId)}/tasks`, { query: { ...params }, signal, lossless: true }),
    structuralSharing: false,
  });

export const drainWorker = (workerId: string) => request<Worker>(`${base(workerId)}/drain`, { method: 'POST' });
export const resumeWorker = (workerId: string) => request<Worker>(`${base(workerId)}/resume`, { method: 'POST' });
