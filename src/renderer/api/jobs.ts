import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Job, JobFailure, JobGraph } from '../../contract/jobs.ts';
import type { Page } from '../../contract/shapes.ts';
import type { Task } from '../../contract/tasks.ts';
import type { Environment, JobStatus, TaskState } from '../../contract/vocabulary.ts';
import { type Query, request, requestBytes } from './client.ts';
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
/** Answer of `GET /jobs/{id}/output`: its bytes, of which `output` is the output; and what is in its `error`. */
export interface JobOutput {
  readonly bytes: ArrayBuffer;
  readonly error: JobFailure | null;
  /** False where the output is null. */
  readonly has: boolean;
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
  queryOptions({
    queryKey: jobKeys.list(params),
    queryFn: ({ signal }) => request<Page<Job>>('/api/v1/jobs', { query: asQuery(params), signal }),
    placeholderData: keepPreviousData,
  });

export const jobQuery = (jobId: string) =>
  queryOptions({
    queryKey: jobKeys.one(jobId),
    queryFn: ({ signal }) => request<Job>(`/api/v1/jobs/${id(jobId)}`, { signal }),
  });

/** Payloads are large: one that nobody looks at any more is not kept for long. */
const payload = { gcTime: 20_000, ...keepsRaw } as const;

/** The JSON of the input of one replica, counted from 0, as it came. It never changes. */
export const jobInputQuery = (jobId: string, replica: number) =>
  queryOptions({
    queryKey: jobKeys.input(jobId, replica),
    queryFn: ({ signal }) => requestBytes(`/api/v1/jobs/${id(jobId)}/input`, { query: { replica }, signal }),
    staleTime: Infinity,
    ...payload,
  });

/** A job that failed has no output: only then the answer is read here. */
const NO_OUTPUT = '{"output":null,';
export const jobOutputQuery = (jobId: string) =>
  queryOptions({
    queryKey: jobKeys.output(jobId),
    queryFn: async ({ signal }): Promise<JobOutput> => {
      const bytes = await requestBytes(`/api/v1/jobs/${id(jobId)}/output`, { signal });
      const has = new TextDecoder().decode(bytes.slice(0, NO_OUTPUT.length)) !== NO_OUTPUT;
      return {
        bytes,
        has,
        error: has ? null : (JSON.parse(new TextDecoder().decode(bytes)) as { error: JobFailure | null }).error,
      };
    },
    ...payload,
  });

/** Tasks of a job. Payloads over 64 KiB are cut here; whole by `taskPayloadQuery`. */
export const tasksQuery = (jobId: string, params: TaskListParams) =>
  queryOptions({
    queryKey: jobKeys.tasks(jobId, params),
    queryFn: ({ signal }) =>
      request<Page<Task>>(`/api/v1/jobs/${id(jobId)}/tasks`, { query: asQuery(params), signal, lossless: true }),
    ...keepsRaw,
    placeholderData: (previous, query) => (query?.queryKey[2] === jobId ? previous : undefined),
  });

/** What a job's tasks came to at each node. It is a part of what its tasks are: their changes have it read again. */
export const jobGraphQuery = (jobId: string) =>
  queryOptions({
    queryKey: [...jobKeys.tasksOf(jobId), 'graph'],
    queryFn: ({ signal }) => request<JobGraph>(`/api/v1/jobs/${id(jobId)}/graph`, { signal }),
  });

export const taskQuery = (taskId: string) =>
  queryOptions({
    queryKey: taskKeys.one(taskId),
    queryFn: ({ signal }) => request<Task>(`/api/v1/tasks/${id(taskId)}`, { signal, lossless: true }),
    ...keepsRaw,
  });

/** The JSON of a task's input or output, as it came. */
export const taskPayloadQuery = (taskId: string, side: 'input' | 'output') =>
  queryOptions({
    queryKey: taskKeys.payload(taskId, side),
    queryFn: ({ signal }) => requestBytes(`/api/v1/tasks/${id(taskId)}/${side}`, { signal }),
    ...payload,
  });

export const killJob = (jobId: string) =>
  request<{ jobId: string; killedTasks: number; status: JobStatus }>(`/api/v1/jobs/kill/${id(jobId)}`, {
    method: 'DELETE',
  });
export const retryJob = (jobId: string) =>
  request<{ jobId: string; retriedTasks: number; status: JobStatus }>(`/api/v1/jobs/${id(jobId)}/retry`, {
    method: 'POST',
  });
