import type { JobKind, TaskCounters } from './vocabulary.ts';

/**
 * Which action is legal on a job in which state, for the buttons of the console and for bulk operations alike. Each says why not now, or null:
 *
 * - TERMINAL: it has ended, with nothing to kill or nothing failed to retry.
 * - NOTHING_FAILED: nothing of it has failed; a retry would have nothing to do, a rerun would repeat what went well.
 * - CHILD_JOB: a task of another job began it, and takes its output: that job is run again in its place.
 * - NOT_FINISHED: it runs, or waits for a retry.
 */
export interface ActionRefusals {
  readonly kill: 'TERMINAL';
  readonly retry: 'TERMINAL' | 'NOTHING_FAILED';
  readonly rerun: 'CHILD_JOB' | 'NOT_FINISHED' | 'NOTHING_FAILED';
}

/** A job as far as these rules look at it; `finishedAt` in whatever form, null while it is open. */
export interface ActionFacts {
  readonly finishedAt: unknown;
  readonly taskCounters: Readonly<TaskCounters>;
}

/** Tasks that have failed or timed out. */
export const failedTasks = ({
  failedTasks: failed,
  scheduleTimeout,
  runTimeoutTasks,
}: Readonly<TaskCounters>): number => failed + scheduleTimeout + runTimeoutTasks;

export const JOB_ACTIONS = {
  kill: ({ finishedAt }: Pick<ActionFacts, 'finishedAt'>): ActionRefusals['kill'] | null =>
    finishedAt === null ? null : 'TERMINAL',
  retry: ({ finishedAt, taskCounters }: ActionFacts): ActionRefusals['retry'] | null =>
    failedTasks(taskCounters) > 0 ? null : finishedAt === null ? 'NOTHING_FAILED' : 'TERMINAL',
  rerun: ({
    finishedAt,
    taskCounters,
    kind,
  }: ActionFacts & { readonly kind: JobKind }): ActionRefusals['rerun'] | null =>
    kind === 'child'
      ? 'CHILD_JOB'
      : finishedAt === null
        ? 'NOT_FINISHED'
        : failedTasks(taskCounters) === 0
          ? 'NOTHING_FAILED'
          : null,
} as const;
