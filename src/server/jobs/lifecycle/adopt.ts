import { flushTasks } from '../engine/flush.ts';
import { chainAfter } from '../queue/dispatch.ts';
import type { TaskRecord } from '../engine/records.ts';
import type { TaskRow } from '../engine/rows.ts';
import { TASK_BY_ID } from '../rerun/sql.ts';
import { loadJob, loadTask } from '../engine/load-records.ts';
import { applyTaskEvent } from '../engine/apply-task-event.ts';
import type { Transaction } from '../engine/port.ts';

/**
 * A worker came (back) with leases of which the rows say that nobody has them: they are written late (`deferred-writes.ts`), and the
 * master that gave them died before. The worker has them all the same, so they are its again. Were they refused, the same
 * attempt would be given once more, perhaps to the same worker, and what it still has to say of the first time could not be
 * told from what it says of the second. Call before `reconcile`, and before any report of the worker is heard.
 */
export function reclaimLeases(
  tx: Transaction,
  workerId: string,
  running: readonly { id: string; attempt: number }[],
): void {
  for (const { id, attempt } of running) {
    if (tx.memory.leased.has(id)) continue;
    const task = findWaitingTask(tx, id);
    if (task?.facts.state !== 'READY' || task.facts.attempt !== attempt || task.node.child !== null) continue;
    if (applyTaskEvent(tx, task, { on: 'assign', at: Math.max(tx.now, task.facts.readyAt), workerId }))
      task.chain = chainAfter(task);
  }
}

/** The record of a task that no worker has; undefined where there is no such task: most are of a chain, and not born yet. */
function findWaitingTask(tx: Transaction, id: string): TaskRecord | undefined {
  const queued = tx.memory.queue.get(id);
  if (queued) return queued;
  const byId = tx.db.query<TaskRow>(TASK_BY_ID);
  const found = byId.get(id);
  if (found?.state !== 'READY') return undefined;
  // It may have been changed in this very turn.
  flushTasks(tx, loadJob(tx, found.job));
  const row = byId.get(id);
  return row && loadTask(tx, row);
}
