import type { ConcurrencyLimit, LimitedJob, ConcurrencyLimits, LimitChange } from './port.ts';
import type { JobRecord } from '../engine/records.ts';
import { touchJob } from '../engine/transaction.ts';
import { dequeueTask } from '../engine/apply-task-event.ts';
import type { Transaction } from '../engine/port.ts';

const NONE: readonly ConcurrencyLimit[] = [];

/**
 * How many tasks of a workflow, or of the jobs of an API key, may be with workers at once. Held when a task is leased
 * (`dispatch.ts`): beyond it, tasks wait in the queue. Limits of calls a second, and of what the queue takes, are those of
 * `http/events/event-limits.ts`, which refuses calls; `contract/rate-limits.ts` has the shape of both.
 */
export function createConcurrencyLimits(): ConcurrencyLimits {
  const workflows = new Map<string | number, ConcurrencyLimit>();
  const keys = new Map<string | number, ConcurrencyLimit>();
  const limits = {
    any: false,
    forJob: ({ plan, keySeq }: LimitedJob): readonly ConcurrencyLimit[] =>
      limits.any ? limits.forIds(plan.workflowId, keySeq) : NONE,
    forIds(workflowId: string, keySeq: number | null): readonly ConcurrencyLimit[] {
      const workflow = workflows.get(workflowId);
      const key = keySeq === null ? undefined : keys.get(keySeq);
      if (!workflow) return key ? [key] : NONE;
      return key ? [workflow, key] : [workflow];
    },
    find: (scope: ConcurrencyLimit['scope'], id: string | number) => (scope === 'workflow' ? workflows : keys).get(id),
    set(scope: ConcurrencyLimit['scope'], id: string | number, name: string, most: number | null, used: number) {
      const known = scope === 'workflow' ? workflows : keys;
      if (most === null) known.delete(id);
      else known.set(id, { scope, id, name, most, used });
      limits.any = workflows.size + keys.size > 0;
    },
    acquire(job: LimitedJob) {
      for (const limit of limits.forJob(job)) limit.used++;
    },
    release(job: LimitedJob) {
      for (const limit of limits.forJob(job)) limit.used--;
    },
  };
  return limits;
}

export const allHaveRoom = (limits: readonly ConcurrencyLimit[]): boolean =>
  limits.every(({ used, most }) => used < most);

/** Puts a limit in force, or ends it. Tasks that run stay; those that wait are sorted anew. */
export function setConcurrencyLimit(tx: Transaction, { scope, id, name, most }: LimitChange): void {
  const { queue, concurrencyLimits, leased } = tx.memory;
  const known = concurrencyLimits.find(scope, id);
  if (!known && most === null) return;
  if (known && most !== null) {
    known.most = most;
    known.name = name;
    return;
  }
  // Which lane a task stands in follows from its limits, so all leave and are read in again.
  const places = queue.entries();
  for (const { task } of places) {
    touchJob(tx, task.job);
    dequeueTask(tx, task);
  }
  // A priority of which nothing was left is not known any more.
  for (const { task } of places) queue.level(task.job.priority);
  queue.forgetLanes();
  const isOf = ({ plan, keySeq }: JobRecord) => (scope === 'workflow' ? plan.workflowId === id : keySeq === id);
  concurrencyLimits.set(scope, id, name, most, [...leased.values()].filter(({ job }) => isOf(job)).length);
}
