import { queryOptions } from '@tanstack/react-query';
import { parseStored } from '../../lib/json.ts';
import type { JobFailure, AskedJobFilter } from '../../contract/jobs.ts';
import type { TaskState } from '../../contract/vocabulary.ts';
import { bytes, call } from './client.ts';
import type { Paging } from './paging.ts';
import { readList, read } from './read.ts';

export type JobListParams = Paging & { readonly [K in keyof AskedJobFilter]?: Readonly<AskedJobFilter[K]> | undefined };
export interface TaskListParams extends Paging {
  state?: readonly TaskState[] | undefined;
  node?: string | undefined;
  replica?: number | undefined;
  worker?: string | undefined;
  code?: string | undefined;
  /** Text of the error. */
  q?: string | undefined;
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

export const jobsQuery = (params: JobListParams) => readList(jobKeys.list(params), 'jobs.list', { query: params });

export const jobQuery = (jobId: string) => read(jobKeys.one(jobId), 'jobs.get', { params: { jobId } });

/** Payloads are large: one that nobody looks at any more is not kept for long. */
const payload = { gcTime: 20_000, structuralSharing: false } as const;

/** The JSON of the input of one replica, counted from 0, as it came. It never changes. */
export const jobInputQuery = (jobId: string, replica: number) =>
  queryOptions({
    queryKey: jobKeys.input(jobId, replica),
    queryFn: ({ signal }) => bytes('jobs.input', { params: { jobId }, query: { replica }, signal }),
    staleTime: Infinity,
    ...payload,
  });

/** A job that failed has no output: only then the answer is read here. */
const NO_OUTPUT = '{"output":null,';
export const jobOutputQuery = (jobId: string) =>
  queryOptions({
    queryKey: jobKeys.output(jobId),
    queryFn: async ({ signal }): Promise<JobOutput> => {
      const whole = await bytes('jobs.output', { params: { jobId }, signal });
      const has = new TextDecoder().decode(whole.slice(0, NO_OUTPUT.length)) !== NO_OUTPUT;
      return {
        bytes: whole,
        has,
        error: has ? null : parseStored<{ error: JobFailure | null }>(new TextDecoder().decode(whole)).error,
      };
    },
    ...payload,
  });

/** Tasks of a job. Payloads over 64 KiB are cut here; whole by `taskPayloadQuery`. */
export const tasksQuery = (jobId: string, params: TaskListParams) =>
  read(
    jobKeys.tasks(jobId, params),
    'tasks.list',
    { params: { jobId }, query: params, lossless: true },
    { placeholderData: (previous, query) => (query?.queryKey[2] === jobId ? previous : undefined) },
  );

/** What a job's tasks came to at each node. It is a part of what its tasks are: their changes have it read again. */
export const jobGraphQuery = (jobId: string) =>
  read([...jobKeys.tasksOf(jobId), 'graph'], 'jobs.graph', { params: { jobId } });

export const taskQuery = (taskId: string) =>
  read(taskKeys.one(taskId), 'tasks.get', { params: { taskId }, lossless: true });

/** The JSON of a task's input or output, as it came. */
export const taskPayloadQuery = (taskId: string, side: 'input' | 'output') =>
  queryOptions({
    queryKey: taskKeys.payload(taskId, side),
    queryFn: ({ signal }) => bytes(`tasks.${side}`, { params: { taskId }, signal }),
    ...payload,
  });

export const killJob = (jobId: string) => call('jobs.kill', { params: { jobId } });
export const retryJob = (jobId: string) => call('jobs.retry', { params: { jobId } });
