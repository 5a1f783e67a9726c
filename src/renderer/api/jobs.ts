import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Job, JobFailure, Page, Task } from '../../contract/api.ts';
import type { JobGraph } from '../../contract/api-engine.ts';
import type { Environment, JobStatus, TaskState } from '../../contract/vocabulary.ts';
import { type Query, request } from './client.ts';
import type { Paging } from './paging.ts';

export interface JobListParams extends Paging {
  status?: readonly JobStatus[] | undefined;
  workflowId?: string | undefined;
  environment?: Environment | undefined;
  externalId?: string | undefined;
  /** Prefix of id or external id. */
  q?: string | undefined;
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
  /** `name=value` each. */
  label?: readonly string[] | undefined;
  /** `path=value` each. */
  input?: readonly string[] | undefined;
  /** Words in the input. */
  text?: string | undefined;
  failureGroup?: string | undefined;
}
export interface TaskListParams extends Paging {
  state?: readonly TaskState[] | undefined;
  node?: string | undefined;
}
/** Answer of `GET /jobs/{id}/output`. */
export interface JobOutput {
  output: unknown;
  error: JobFailure | null;
}

export const jobKeys = {
  all: ['jobs'] as const,
  lists: ['jobs', 'list'] as const,
  list: (params: JobListParams) => ['jobs', 'list', params] as const,
  one: (jobId: string) => ['jobs', 'one', jobId] as const,
  input: (jobId: string, replica: number) => ['jobs', 'input', jobId, replica] as const,
  output: (jobId: string) => ['jobs', 'output', jobId] as const,
  /** Every task list of a job. */
  tasksOf: (jobId: string) => ['jobs', 'tasks', jobId] as const,
  tasks: (jobId: string, params: TaskListParams) => ['jobs', 'tasks', jobId, params] as const,
};
export const taskKeys = {
  all: ['tasks'] as const,
  one: (taskId: string) => ['tasks', 'one', taskId] as const,
  payload: (taskId: string, side: 'input' | 'output') => ['tasks', side, taskId] as const,
};

const id = encodeURIComponent;
// Sharing with the old answer copies objects, and a copied raw number is none any more.
const keepsRaw = { structuralSharing: false } as const;
const asQuery = (params: object): Query => params as Query;

export const jobsQuery = (params: JobListParams) =>
  queryOptions({ queryKey: jobKeys.list(params), queryFn: ({ signal }) => request<Page<Job>>('/api/v1/jobs', { query: asQuery(params), signal }), placeholderData: keepPreviousData });

export const jobQuery = (jobId: string) =>
  queryOptions({ queryKey: jobKeys.one(jobId), queryFn: ({ signal }) => request<Job>(`/api/v1/jobs/${id(jobId)}`, { signal }) });

/** The input of one replica, counted from 0. It never changes. */
export const jobInputQuery = (jobId: string, replica: number) =>
  queryOptions({ queryKey: jobKeys.input(jobId, replica), queryFn: ({ signal }) => request<unknown>(`/api/v1/jobs/${id(jobId)}/input`, { query: { replica }, signal, lossless: true }), staleTime: Infinity, ...keepsRaw });

export const jobOutputQuery = (jobId: string) =>
  queryOptions({ queryKey: jobKeys.output(jobId), queryFn: ({ signal }) => request<JobOutput>(`/api/v1/jobs/${id(jobId)}/output`, { signal, lossless: true }), ...keepsRaw });

/** Tasks of a job. Payloads over 64 KiB are cut here; whole by `taskPayloadQuery`. */
export const tasksQuery = (jobId: string, params: TaskListParams) =>
  queryOptions({
    queryKey: jobKeys.tasks(jobId, params),
    queryFn: ({ signal }) => request<Page<Task>>(`/api/v1/jobs/${id(jobId)}/tasks`, { query: asQuery(params), signal, lossless: true }),
    ...keepsRaw,
    placeholderData: (previous, query) => (query?.queryKey[2] === jobId ? previous : undefined),
  });

/** What a job's tasks came to at each node. It is a part of what its tasks are: their changes have it read again. */
export const jobGraphQuery = (jobId: string) =>
  queryOptions({ queryKey: [...jobKeys.tasksOf(jobId), 'graph'], queryFn: ({ signal }) => request<JobGraph>(`/api/v1/jobs/${id(jobId)}/graph`, { signal }) });

export const taskQuery = (taskId: string) =>
  queryOptions({ queryKey: taskKeys.one(taskId), queryFn: ({ signal }) => request<Task>(`/api/v1/tasks/${id(taskId)}`, { signal, lossless: true }), ...keepsRaw });

export const taskPayloadQuery = (taskId: string, side: 'input' | 'output') =>
  queryOptions({ queryKey: taskKeys.payload(taskId, side), queryFn: ({ signal }) => request<unknown>(`/api/v1/tasks/${id(taskId)}/${side}`, { signal, lossless: true }), ...keepsRaw });

export const killJob = (jobId: string) => request<{ jobId: string; killedTasks: number; status: JobStatus }>(`/api/v1/jobs/kill/${id(jobId)}`, { method: 'DELETE' });
export const retryJob = (jobId: string) => request<{ jobId: string; retriedTasks: number; status: JobStatus }>(`/api/v1/jobs/${id(jobId)}/retry`, { method: 'POST' });
