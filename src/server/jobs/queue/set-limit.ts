import type { JobRecord } from '../engine/records.ts';
import { touchJob } from '../engine/transaction.ts';
import { dequeueTask } from '../engine/apply-task-event.ts';
import type { LimitChange } from './port.ts';
import type { Transaction } from '../engine/port.ts';

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
