import type { TaskEvent } from '../../machine/task.ts';
import { advanceReplica } from '../lifecycle/schedule-successors.ts';
import { startChild } from '../children/start-child.ts';
import { flushTasks } from '../engine/flush.ts';
import { place } from '../queue/dispatch.ts';
import type { TaskRow } from '../engine/rows.ts';
import { retryTask } from '../lifecycle/complete-task.ts';
import { loadJob, loadTask, release, step, type Unit } from '../engine/transaction.ts';
import { keepText } from '../engine/write-rows.ts';
import { joinedOutput, joinParts } from './join-outputs.ts';
import { bearItems, endList } from './map-items.ts';
import { ROW_ITEMS } from './chunks.ts';
import { fanKey, findFan, touchFan, type Fan, type FanAtWork } from './records.ts';
import * as sql from './sql.ts';

/** Items that one turn looks at, at most, to stop them or to make them ready again. */
const LOOKED_AT = 2000;
/** Child jobs that the fan-outs of one turn start together, about. */
const CHILDREN = 32;

const atWork = (phase: Fan['phase']): boolean => phase === 'expand' || phase === 'stop' || phase === 'revive';

/** After the operations of a turn: what the fan-outs that were touched in it come to, and a slice of the long work of one. */
export function workFans(unit: Unit): void {
  const { fansAtWork } = unit.memory;
  for (const key of fansAtWork.keys()) {
    const work = fansAtWork.get(key) as FanAtWork;
    oneSlice(unit, key, work);
    break;
  }
  const children = Math.max(1, Math.floor(CHILDREN / Math.max(1, unit.fans.size)));
  for (const fan of unit.fans.keys()) {
    if (!isDone(fan) && (fan.phase === 'run' || fan.phase === 'expand'))
      handOut(unit, fan, fan.rule.item.child === null ? unit.memory.pace.steps : children);
    if (fan.phase === 'stop' && !isKnown(unit, fan))
      stopSlice(unit, fan, { job: fan.job.seq, replica: fan.replica, node: fan.node, phase: 'stop', cursor: 0 });
    // Only now, when no more items end in this turn: a child that cannot be called fails its item while it is handed out,
    // and that may have been the last one; what is stopped ends too.
    joinParts(unit, fan);
    if (isDone(fan)) finish(unit, fan);
    if (atWork(fan.phase) || (fan.phase === 'run' && hasRoom(fan))) keepAtWork(unit, fan);
  }
}

/** After a restart of the master: those that were at work. */
export function recoverFans(unit: Unit): void {
  for (const row of unit.db.query<{ job: number; replica: number; node: string }>(sql.FANS_AT_WORK).all())
    unit.memory.fansAtWork.set(workKey(row), { ...row, phase: null, cursor: 0 });
}

const workKey = ({ job, replica, node }: { job: number; replica: number; node: string }): string =>
  `${job} ${fanKey(replica, node)}`;
const keyOf = (fan: Fan): string => workKey({ job: fan.job.seq, replica: fan.replica, node: fan.node });
const isKnown = (unit: Unit, fan: Fan): boolean => unit.memory.fansAtWork.has(keyOf(fan));
const hasRoom = ({ active, withheld, rule }: Fan): boolean => withheld > 0 && active < rule.concurrency;

function keepAtWork({ memory: { fansAtWork }, undo }: Unit, fan: Fan): void {
  const key = keyOf(fan);
  if (fansAtWork.has(key)) return;
  fansAtWork.set(key, { job: fan.job.seq, replica: fan.replica, node: fan.node, phase: fan.phase, cursor: 0 });
  undo.push(() => void fansAtWork.delete(key));
}

function leaveWork({ memory: { fansAtWork }, undo }: Unit, key: string, work: FanAtWork): void {
  fansAtWork.delete(key);
  undo.push(() => void fansAtWork.set(key, work));
}

/** What was under way is not to be gone on with: whoever calls this has set another phase. */
export function dropWork(unit: Unit, fan: Fan): void {
  const work = unit.memory.fansAtWork.get(keyOf(fan));
  if (work) leaveWork(unit, keyOf(fan), work);
}

/** By turns: it goes to the end of the line while there is more. */
function oneSlice(unit: Unit, key: string, work: FanAtWork): void {
  const fan = findFan(unit, loadJob(unit, work.job), work.replica, work.node);
  leaveWork(unit, key, work);
  if (!fan) return;
  touchFan(unit, fan);
  // An item that fails while others are made READY again has all of them stopped, also those before the cursor.
  const from = work.phase === fan.phase ? work : { ...work, cursor: 0 };
  if (fan.phase === 'expand') expandSlice(unit, fan);
  else if (fan.phase === 'stop') stopSlice(unit, fan, from);
  else if (fan.phase === 'revive') reviveSlice(unit, fan, from);
}

function expandSlice(unit: Unit, fan: Fan): void {
  const { job, replica, node } = fan;
  const task = listTask(unit, fan);
  // It was killed, or its time is over: whoever retries it goes on from here.
  if (task?.facts.state !== 'RUNNING') {
    fan.phase = 'stopped';
    return;
  }
  const most = Math.ceil(unit.memory.pace.steps / ROW_ITEMS);
  for (const row of unit.db
    .query<{ first: number; items: string }>(sql.FIRST_LISTS)
    .all(job.seq, replica, node, most)) {
    bearItems(unit, fan, JSON.parse(row.items) as string[]);
    unit.db.statement(sql.DROP_LIST).run(job.seq, replica, node, row.first);
  }
  if (fan.born === fan.total) endList(unit, fan, task);
}

function listTask(unit: Unit, { job, replica, node }: Fan) {
  flushTasks(unit, job);
  const row = unit.db.query<TaskRow>(sql.LIST_TASK).get(job.seq, replica, node);
  return row && loadTask(unit, row);
}

/** One item has failed for good, and that fails the replica: the others shall not run for nothing. */
function stopSlice(unit: Unit, fan: Fan, work: FanAtWork): void {
  const event: TaskEvent = { on: 'kill', at: unit.now, message: 'stopped, because another item of the list failed' };
  const list = listTask(unit, fan);
  if (list) step(unit, list, event);
  const { rows, cursor } = slice(unit, fan, sql.OPEN_ITEMS, work.cursor);
  for (const row of rows) step(unit, loadTask(unit, row), event);
  if (cursor === null) fan.phase = 'stopped';
  else again(unit, fan, work, cursor);
}

/** Somebody retries one item of a list that was stopped: the items that were stopped with it are needed too. */
function reviveSlice(unit: Unit, fan: Fan, work: FanAtWork): void {
  const list = listTask(unit, fan);
  const { rows, cursor } = slice(unit, fan, sql.STOPPED_ITEMS, work.cursor);
  for (const row of rows) retryTask(unit, loadTask(unit, row), 'hand');
  if (cursor !== null) return again(unit, fan, work, cursor);
  fan.phase = list?.facts.state === 'RUNNING' ? 'expand' : 'run';
  // It was stopped before all items were made, and goes on with them.
  if (list && list.facts.state !== 'RUNNING') retryTask(unit, list, 'hand');
}

/** The next of the items that a query finds, and where to go on; null: these were the last. */
function slice(unit: Unit, fan: Fan, query: string, from: number): { rows: TaskRow[]; cursor: number | null } {
  const end = Math.min(from + LOOKED_AT, fan.born);
  const most = unit.memory.pace.steps;
  const rows = unit.db.query<TaskRow>(query).all(fan.job.seq, fan.replica, from, end, fan.node, most);
  const cursor = rows.length === most ? (rows.at(-1)?.item ?? 0) + 1 : end;
  return { rows, cursor: cursor < fan.born ? cursor : null };
}

function again(unit: Unit, fan: Fan, work: FanAtWork, cursor: number): void {
  const key = keyOf(fan);
  unit.memory.fansAtWork.set(key, { ...work, phase: fan.phase, cursor });
  unit.undo.push(() => void unit.memory.fansAtWork.delete(key));
}

function isDone({ phase, total, born, completed, failed, rule }: Fan): boolean {
  return phase === 'run' && total !== null && born === total && completed + (rule.collect ? failed : 0) === total;
}

function finish(unit: Unit, fan: Fan): void {
  const text = joinedOutput(unit, fan);
  fan.output = keepText(unit, fan.job.seq, text);
  fan.phase = 'done';
  advanceReplica(unit, fan.job, fan.replica, unit.now, fan.node);
}

/** Hands the next withheld items out as far as the concurrency of the node allows. */
function handOut(unit: Unit, fan: Fan, most: number): void {
  if (!hasRoom(fan)) return;
  if (fan.stirred) {
    flushTasks(unit, fan.job);
    fan.stirred = false;
  }
  const { job, replica, node, rule } = fan;
  const room = Math.min(rule.concurrency - fan.active, most);
  const rows = unit.db
    .query<TaskRow & { input_text: string | null }>(sql.WITHHELD_ITEMS)
    .all(job.seq, replica, node, room);
  for (const row of rows) {
    const task = loadTask(unit, row);
    const text = row.input_text ?? 'null';
    if (rule.item.child) startChild(unit, task, text);
    else {
      release(unit, task);
      fan.withheld--;
      fan.active++;
      // It waits for a worker from now on.
      task.facts = { ...task.facts, readyAt: unit.now };
      place(unit, task, text, true);
    }
  }
}
