import { bytes, call } from './client.ts';
import { taskKeys } from './jobs.ts';
import { read } from './read.ts';

export const whyQuery = (taskId: string) =>
  read([...taskKeys.one(taskId), 'why'], 'tasks.why', { params: { taskId } }, { staleTime: 0 });

export const retryTask = (taskId: string) => call('tasks.retry', { params: { taskId }, lossless: true });

export interface RerunDraft {
  /** JSON text of the list of inputs, sent as it stands; absent: the same as before. */
  readonly inputsText?: string | undefined;
  /** Absent: the job's own. */
  readonly commit?: string | undefined;
  /** Where to begin; what came before is taken over. Absent: at the beginning. */
  readonly fromNode?: string | undefined;
}
/** Numbers in the inputs are not read by anyone on the way, so none loses a digit. */
export function rerunJob(jobId: string, { inputsText, ...rest }: RerunDraft) {
  const fields = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  if (inputsText !== undefined) fields.push(`"inputs":${inputsText}`);
  return call('jobs.rerun', { params: { jobId }, json: `{${fields.join(',')}}` });
}

/** The inputs of a job, or of one of its nodes: the text of a list, to the letter. */
export const jobInputsText = async (jobId: string, node: string | null, signal?: AbortSignal): Promise<string> =>
  new TextDecoder().decode(await bytes('jobs.input', { params: { jobId }, query: { node }, signal }));

/** Jobs that came from another: reruns of a job, or children of a task. */
export const lineageQuery = (of: { rerunOf: string } | { parentTaskId: string }) =>
  read(['jobs', 'lineage', of], 'jobs.list', { query: { ...of, size: 50, sort: 'createdAt,desc' } }, { retry: false });
