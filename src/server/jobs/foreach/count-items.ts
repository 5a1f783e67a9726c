import { isFinallyFailed, type TaskEvent, type TaskFacts } from '../../machine/task.ts';
import type { TaskRecord } from '../engine/records.ts';
import type { Unit } from '../engine/transaction.ts';
import { failedSlot, partOf } from './chunks.ts';
import { findFan, touchFan, type Fan } from './records.ts';

const holdsPlace = ({ state }: TaskFacts): boolean => state === 'READY' || state === 'SCHEDULED' || state === 'RUNNING';

/**
 * An item took a step: its fan-out counts it. Who is handed out next, and whether the fan-out is done, is found out at
 * the end of the turn (`end-of-turn.ts`). True where the item's final failure fails the replica.
 */
export function stepItem(
  unit: Unit,
  task: TaskRecord,
  before: TaskFacts,
  wasWithheld: boolean,
  event: TaskEvent,
): boolean {
  const fan = findFan(unit, task.job, task.replica, task.node.id);
  if (!fan) throw new Error(`item ${task.id} has no fan-out`);
  touchFan(unit, fan);
  const after = task.facts;
  if (wasWithheld) {
    fan.withheld--;
    fan.stirred = true;
  } else if (holdsPlace(before)) fan.active--;
  if (isFinallyFailed(before)) reopen(fan, task, before);

  if (after.state === 'READY') {
    fan.withheld++;
    fan.stirred = true;
  } else if (after.state === 'SCHEDULED' || after.state === 'RUNNING') fan.active++;
  else if (after.state === 'COMPLETED') {
    fan.completed++;
    countEnd(fan, task, 1);
  } else if (isFinallyFailed(after)) return fails(unit, fan, task, event);
  return false;
}

/** Makes room in the joined output for that of an item; false where there is not enough. */
export function fitsOutput(unit: Unit, task: TaskRecord, text: string): boolean {
  const fan = findFan(unit, task.job, task.replica, task.node.id);
  if (!fan) return true;
  if (fan.outputCharacters + text.length + 3 > unit.limits.taskOutputBytes) return false;
  touchFan(unit, fan);
  fan.outputCharacters += text.length + 1;
  return true;
}

function fails(unit: Unit, fan: Fan, task: TaskRecord, event: TaskEvent): boolean {
  fan.failed++;
  countEnd(fan, task, 1);
  const ended = event.on === 'kill' || event.on === 'replica-timeout';
  if (fan.rule.collect) fan.outputCharacters += failedSlot(task.facts.error).length + 1;
  if (fan.rule.collect && !ended && fan.outputCharacters + 2 <= unit.limits.taskOutputBytes) return false;
  // Whoever ends the whole job or replica goes on by himself; else the open items are stopped from here.
  if (fan.phase !== 'stop') fan.phase = ended ? 'stopped' : 'stop';
  return true;
}

/** A failed item is made READY again by hand. */
function reopen(fan: Fan, task: TaskRecord, before: TaskFacts): void {
  fan.failed--;
  countEnd(fan, task, -1);
  if (fan.rule.collect) fan.outputCharacters -= failedSlot(before.error).length + 1;
  // Those that are still being stopped are needed too.
  if (fan.phase === 'stop' || fan.phase === 'stopped' || fan.phase === 'done') fan.phase = 'run';
}

function countEnd(fan: Fan, { item }: TaskRecord, by: 1 | -1): void {
  const part = partOf(item ?? 0);
  fan.ended.set(part, (fan.ended.get(part) ?? 0) + by);
}
