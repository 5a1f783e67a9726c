import type { Gate } from './concurrency-limits.ts';
import type { JobRecord } from '../engine/records.ts';
import { leaveQueue, touchJob, type Unit } from '../engine/transaction.ts';

/** A limit on the tasks that run at once; `most` null: there is none any more. */
export interface LimitChange {
  readonly scope: Gate['scope'];
  /** The workflow's id, or the number of the API key. */
  readonly id: string | number;
  readonly name: string;
  readonly most: number | null;
}

/** Puts a limit in force, or ends it. Tasks that run stay; those that wait are sorted anew. */
export function setLimit(unit: Unit, { scope, id, name, most }: LimitChange): void {
  const { queue, gates, leased } = unit.memory;
  const known = gates.find(scope, id);
  if (!known && most === null) return;
  if (known && most !== null) {
    known.most = most;
    known.name = name;
    return;
  }
  // Which line a task stands in follows from its limits, so all leave and are read in again.
  const places = queue.places();
  for (const { task } of places) {
    touchJob(unit, task.job);
    leaveQueue(unit, task);
  }
  // A priority of which nothing was left is not known any more.
  for (const { task } of places) queue.level(task.job.priority);
  queue.forget();
  const isOf = ({ plan, keySeq }: JobRecord) => (scope === 'workflow' ? plan.workflowId === id : keySeq === id);
  gates.set(scope, id, name, most, [...leased.values()].filter(({ job }) => isOf(job)).length);
}
