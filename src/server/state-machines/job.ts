import { COUNTER_OF, taskStateForCounter, type JobStatus, type TaskCounters } from '../../contract/vocabulary.ts';
import type { TaskFacts } from './task.ts';

/**
 * A job is what its tasks are: its status comes from the counters alone (`statusOf`). It has finished when no task is
 * active or waits for a retry; a retry by hand opens it again.
 */
export interface JobFacts {
  readonly counters: TaskCounters;
  /** FAILED tasks that wait for a retry; they count in `failedTasks` too. */
  readonly retrying: number;
  readonly updatedAt: number;
  readonly finishedAt: number | null;
}

type Standing = Pick<TaskFacts, 'state' | 'retryAt'>;

export const NO_TASKS: TaskCounters = {
  readyTasks: 0,
  scheduledTasks: 0,
  runningTasks: 0,
  completedTasks: 0,
  failedTasks: 0,
  scheduleTimeout: 0,
  runTimeoutTasks: 0,
};

/** A job as it is made, before its tasks are counted. */
export const newJob = (at: number): JobFacts => ({ counters: NO_TASKS, retrying: 0, updatedAt: at, finishedAt: null });

/** One task went from `before` (null: it is new) to `after`. `finishedAt` is left to `settleJob`. */
export function countTask(job: JobFacts, before: Standing | null, after: Standing, at: number): JobFacts {
  const counters = { ...job.counters };
  if (before) counters[COUNTER_OF[before.state]]--;
  counters[COUNTER_OF[after.state]]++;
  const retrying = job.retrying - Number(waits(before)) + Number(waits(after));
  return { counters, retrying, updatedAt: Math.max(at, job.updatedAt), finishedAt: job.finishedAt };
}

/** A task of which nothing is to be left. */
export function uncountTask(job: JobFacts, { state }: Standing): JobFacts {
  const counters = { ...job.counters };
  counters[COUNTER_OF[state]]--;
  return { ...job, counters };
}

/** Called once all that belongs together was counted, so that a job never looks finished between a task and its successor. */
export function settleJob(job: JobFacts): JobFacts {
  const finished = openTasks(job) === 0;
  if (finished === (job.finishedAt !== null)) return job;
  return { ...job, finishedAt: finished ? job.updatedAt : null };
}

export const openTasks = ({ counters, retrying }: JobFacts): number =>
  counters.readyTasks + counters.scheduledTasks + counters.runningTasks + retrying;

export const jobStatus = (job: JobFacts): JobStatus => taskStateForCounter(job.counters);

const waits = (task: Standing | null): boolean => task !== null && task.state === 'FAILED' && task.retryAt !== null;
