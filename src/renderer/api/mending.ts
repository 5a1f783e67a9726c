import { queryOptions } from '@tanstack/react-query';
import type { Job } from '../../contract/jobs.ts';
import type { Page } from '../../contract/shapes.ts';
import type { Task, Why } from '../../contract/tasks.ts';
import { request, requestBytes } from './client.ts';
import { taskKeys } from './jobs.ts';

const id = encodeURIComponent;

export const whyQuery = (taskId: string) =>
  queryOptions({
    queryKey: [...taskKeys.one(taskId), 'why'],
    queryFn: ({ signal }) => request<Why>(`/api/v1/tasks/${id(taskId)}/why`, { signal }),
    staleTime: 0,
  });

export const retryTask = (taskId: string) =>
  request<Task>(`/api/v1/tasks/${id(taskId)}/retry`, { method: 'POST', lossless: true });

export interface RerunDraft {
  /** JSON text of the list of inputs, sent as it stands; absent: the same as before. */
  readonly inputsText?: string | undefined;
  /** Absent: the job's own. */
  readonly commit?: string | undefined;
  /** Where to begin; what came before is taken over. Absent: at the beginning. */
  readonly fromNode?: string | undefined;
}
/** Numbers in the inputs are not read by anyone on the way, so none loses a digit. */
export function rerunJob(
  jobId: string,
  { inputsText, ...rest }: RerunDraft,
): Promise<{ jobId: string; rerunOf: string }> {
  const fields = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  if (inputsText !== undefined) fields.push(`"inputs":${inputsText}`);
  return request(`/api/v1/jobs/${id(jobId)}/rerun`, { method: 'POST', body: `{${fields.join(',')}}` });
}

/** The inputs of a job, or of one of its nodes: the text of a list, to the letter. */
export const jobInputsText = async (jobId: string, node: string | null, signal?: AbortSignal): Promise<string> =>
  new TextDecoder().decode(
    await requestBytes(`/api/v1/jobs/${id(jobId)}/input`, { query: node === null ? {} : { node }, signal }),
  );

/** Jobs that came from another: reruns of a job, or children of a task. */
export const lineageQuery = (of: { rerunOf: string } | { parentTaskId: string }) =>
  queryOptions({
    queryKey: ['jobs', 'lineage', of],
    queryFn: ({ signal }) =>
      request<Page<Job>>('/api/v1/jobs', { query: { ...of, size: 50, sort: 'createdAt,desc' }, signal }),
    retry: false,
  });
