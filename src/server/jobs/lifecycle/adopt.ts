import { flushTasks } from '../engine/flush.ts';
import { chainOf } from '../queue/dispatch.ts';
import type { TaskRecord } from '../engine/records.ts';
import type { TaskRow } from '../engine/rows.ts';
import { TASK_BY_ID } from '../rerun/sql.ts';
import { loadJob, loadTask, step, type Unit } from '../engine/transaction.ts';

/**
 * A worker came (back) with leases of which the rows say that nobody has them: they are written late (`deferred-writes.ts`), and the
 * master that gave them died before. The worker has them all the same, so they are its again. Were they refused, the same
 * attempt would be given once more, perhaps to the same worker, and what it still has to say of the first time could not be
 * told from what it says of the second. Call before `reconcile`, and before any report of the worker is heard.
 */
export function adopt(unit: Unit, workerId: string, running: readonly { id: string; attempt: number }[]): void {
  for (const { id, attempt } of running) {
    if (unit.memory.leased.has(id)) continue;
    const task = waiting(unit, id);
    if (task?.facts.state !== 'READY' || task.facts.attempt !== attempt || task.node.child !== null) continue;
    if (step(unit, task, { on: 'assign', at: Math.max(unit.now, task.facts.readyAt), workerId }))
      task.chain = chainOf(task);
  }
}

/** The record of a task that no worker has; undefined where there is no such task: most are of a chain, and not born yet. */
function waiting(unit: Unit, id: string): TaskRecord | undefined {
  const queued = unit.memory.queue.get(id);
  if (queued) return queued;
  const byId = unit.db.query<TaskRow>(TASK_BY_ID);
  const found = byId.get(id);
  if (found?.state !== 'READY') return undefined;
  // It may have been changed in this very turn.
  flushTasks(unit, loadJob(unit, found.job));
  const row = byId.get(id);
  return row && loadTask(unit, row);
}
