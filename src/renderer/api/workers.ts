import type { WorkerState } from '../../contract/vocabulary.ts';
import { call } from './client.ts';
import type { Paging } from './paging.ts';
import { readList, read } from './read.ts';

export interface WorkerListParams extends Paging {
  /** Words in what tells a worker apart. */
  q?: string | undefined;
  state?: readonly WorkerState[] | undefined;
  /** False: without those that stopped in order or were replaced. */
  past?: boolean | undefined;
}

export const workerKeys = {
  all: ['workers'] as const,
  lists: ['workers', 'list'] as const,
  list: (params: WorkerListParams) => ['workers', 'list', params] as const,
  one: (workerId: string) => ['workers', 'one', workerId] as const,
  tasks: (workerId: string, params: Paging) => ['workers', 'tasks', workerId, params] as const,
};

export const workersQuery = (params: WorkerListParams) =>
  readList(workerKeys.list(params), 'workers.list', { query: params });
export const workerQuery = (workerId: string) =>
  read(workerKeys.one(workerId), 'workers.get', { params: { id: workerId } });

/** The tasks that a worker holds now. */
export const workerTasksQuery = (workerId: string, params: Paging) =>
  read(workerKeys.tasks(workerId, params), 'workers.tasks', {
    params: { id: workerId },
    query: params,
    lossless: true,
  });

export const drainWorker = (workerId: string) => call('workers.drain', { params: { id: workerId } });
export const resumeWorker = (workerId: string) => call('workers.resume', { params: { id: workerId } });
export const forgetWorker = (workerId: string) => call('workers.forget', { params: { id: workerId } });
