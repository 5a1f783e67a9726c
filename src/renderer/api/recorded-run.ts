import { queryOptions } from '@tanstack/react-query';
import type { Definition } from '../../contract/definition.ts';
import type { DraftRun } from '../../contract/drafts.ts';
import type { Job } from '../../contract/jobs.ts';
import type { Task } from '../../contract/tasks.ts';
import { nodesOfTasks } from '../../lib/nodes-of-tasks.ts';
import { bytes, call } from './client.ts';

/** One replica of a job as it ran: what the builder needs to show it again, and to run it again from a node. */
export interface RecordedRun {
  readonly job: Job;
  readonly task: Task;
  /** Of the version that ran. */
  readonly definition: Definition;
  /** JSON text of what the replica was given. */
  readonly input: string;
  /** Its nodes; payloads over 64 KiB are cut. */
  readonly run: DraftRun;
}

/** Tasks of a replica that are read; the items of a long forEach are not all needed. */
const MAX_TASKS = 500;

/** The run that a task belongs to. Throws TASK_NOT_FOUND, and where the version or the payloads are gone or not for the reader. */
export const recordedRunQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['recorded-run', taskId],
    queryFn: async ({ signal }): Promise<RecordedRun> => {
      const task = await call('tasks.get', { params: { taskId }, signal, lossless: true });
      const { jobId, replica } = task;
      const [job, input, tasks] = await Promise.all([
        call('jobs.get', { params: { jobId }, signal }),
        bytes('jobs.input', { params: { jobId }, query: { replica }, signal }),
        call('tasks.list', { params: { jobId }, query: { replica, size: MAX_TASKS }, signal, lossless: true }),
      ]);
      const { definition } = await call('commits.get', {
        params: { id: job.workflowId, hash: job.commit },
        signal,
        lossless: true,
      });
      const { error } = task;
      return {
        job,
        task,
        definition,
        input: new TextDecoder().decode(input),
        run: {
          jobId,
          workflowId: job.workflowId,
          status: job.status,
          createdAt: job.createdAt,
          finishedAt: job.finishedAt,
          durationMs: job.durationMs,
          output: null,
          error: error && { node: task.node, code: error.code, message: error.message },
          nodes: nodesOfTasks(tasks.items, error === null ? null : task.node),
          leftOut: tasks.totalItems - tasks.items.length,
        },
      };
    },
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
    structuralSharing: false,
  });

/** The whole output of a task, as JSON text. */
export const taskOutputText = async (taskId: string): Promise<string> =>
  new TextDecoder().decode(await bytes('tasks.output', { params: { taskId } }));
