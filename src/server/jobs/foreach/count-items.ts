import { isFinallyFailed, type TaskEvent, type TaskFacts } from '../../state-machines/task.ts';
import type { TaskRecord, ForeachRecord } from '../engine/records.ts';
import { findForeach, touchForeach } from './records.ts';
import type { Transaction } from '../engine/port.ts';
import { failedItemText, chunkOf } from './join-outputs.ts';

const isActive = ({ state }: TaskFacts): boolean => state === 'READY' || state === 'SCHEDULED' || state === 'RUNNING';

/**
 * An item took a step: its forEach counts it. Who is handed out next, and whether the forEach is done, is found out at
 * the end of the turn (`run-foreach.ts`). True where the item's final failure fails the replica.
 */
export function countItemEvent(
  tx: Transaction,
  task: TaskRecord,
  before: TaskFacts,
  wasWithheld: boolean,
  event: TaskEvent,
): boolean {
  const foreach = findForeach(tx, task.job, task.replica, task.node.id);
  if (!foreach) throw new Error(`forEach of item ${task.id} not found`);
  touchForeach(tx, foreach);
  const after = task.facts;
  if (wasWithheld) {
    foreach.withheld--;
    foreach.hasUnwrittenItems = true;
  } else if (isActive(before)) foreach.active--;
  if (isFinallyFailed(before)) reopenItem(foreach, task, before);

  if (after.state === 'READY') {
    foreach.withheld++;
    foreach.hasUnwrittenItems = true;
  } else if (after.state === 'SCHEDULED' || after.state === 'RUNNING') foreach.active++;
  else if (after.state === 'COMPLETED') {
    foreach.completed++;
    countEnd(foreach, task, 1);
  } else if (isFinallyFailed(after)) return countFailure(tx, foreach, task, event);
  return false;
}

/** Makes room in the joined output for that of an item; false where there is not enough. */
export function reserveOutput(tx: Transaction, task: TaskRecord, text: string): boolean {
  const foreach = findForeach(tx, task.job, task.replica, task.node.id);
  if (!foreach) return true;
  if (foreach.outputCharacters + text.length + 3 > tx.limits.taskOutputBytes) return false;
  touchForeach(tx, foreach);
  foreach.outputCharacters += text.length + 1;
  return true;
}

function countFailure(tx: Transaction, foreach: ForeachRecord, task: TaskRecord, event: TaskEvent): boolean {
  foreach.failed++;
  countEnd(foreach, task, 1);
  const ended = event.on === 'kill' || event.on === 'replica-timeout';
  if (foreach.rule.collect) foreach.outputCharacters += failedItemText(task.facts.error).length + 1;
  if (foreach.rule.collect && !ended && foreach.outputCharacters + 2 <= tx.limits.taskOutputBytes) return false;
  // Whoever ends the whole job or replica goes on by himself; else the open items are stopped from here.
  if (foreach.phase !== 'stop') foreach.phase = ended ? 'stopped' : 'stop';
  return true;
}

/** A failed item is made READY again by hand. */
function reopenItem(foreach: ForeachRecord, task: TaskRecord, before: TaskFacts): void {
  foreach.failed--;
  countEnd(foreach, task, -1);
  if (foreach.rule.collect) foreach.outputCharacters -= failedItemText(before.error).length + 1;
  // Those that are still being stopped are needed too.
  if (foreach.phase === 'stop' || foreach.phase === 'stopped' || foreach.phase === 'done') foreach.phase = 'run';
}

function countEnd(foreach: ForeachRecord, { item }: TaskRecord, by: 1 | -1): void {
  const part = chunkOf(item ?? 0);
  foreach.ended.set(part, (foreach.ended.get(part) ?? 0) + by);
}
