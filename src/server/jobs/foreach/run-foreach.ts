import { parseStored } from '../../../lib/json.ts';
import type { TaskEvent } from '../../state-machines/task.ts';
import { scheduleInReplica } from '../lifecycle/complete-task.ts';
import { startChild } from '../children/start-child.ts';
import { flushTasks } from '../engine/transaction.ts';
import { dispatchOrEnqueue } from '../queue/dispatch.ts';
import type { TaskRow } from '../engine/rows.ts';
import { storeText } from '../engine/write-rows.ts';
import { joinedOutput, joinChunks } from './join-outputs.ts';
import { createItemTasks, endMapTask, ROW_ITEMS } from './map-items.ts';
import { foreachKey, findForeach, touchForeach } from './records.ts';
import * as sql from './sql.ts';
import type { ForeachRecord, ForeachWork } from '../engine/records.ts';
import { loadJob, loadTask } from '../engine/load-records.ts';
import { releaseTask, applyTaskEvent } from '../engine/apply-task-event.ts';
import type { Transaction } from '../engine/port.ts';
import { retryTask } from '../lifecycle/retry.ts';

/** Items that one turn looks at, at most, to stop them or to make them ready again. */
const LOOKED_AT = 2000;
/** Child jobs that the forEach nodes of one turn start together, about. */
const CHILDREN = 32;

const isLongWork = (phase: ForeachRecord['phase']): boolean =>
  phase === 'expand' || phase === 'stop' || phase === 'revive';

/** After the operations of a turn: what the forEach nodes that were touched in it come to, and a slice of the long work of one. */
export function continueForeachNodes(tx: Transaction): void {
  const { foreachWork } = tx.memory;
  for (const [key, work] of foreachWork) {
    runSlice(tx, key, work);
    break;
  }
  const children = Math.max(1, Math.floor(CHILDREN / Math.max(1, tx.foreachRecords.size)));
  for (const foreach of tx.foreachRecords.keys()) {
    if (!isDone(foreach) && (foreach.phase === 'run' || foreach.phase === 'expand'))
      dispatchItems(tx, foreach, foreach.rule.item.child === null ? tx.memory.turnBudget.steps : children);
    if (foreach.phase === 'stop' && !isKnown(tx, foreach))
      stopSlice(tx, foreach, {
        job: foreach.job.seq,
        replica: foreach.replica,
        node: foreach.node,
        phase: 'stop',
        cursor: 0,
      });
    // Only now, when no more items end in this turn: a child that cannot be called fails its item while it is handed out,
    // and that may have been the last one; what is stopped ends too.
    joinChunks(tx, foreach);
    if (isDone(foreach)) finishForeach(tx, foreach);
    if (isLongWork(foreach.phase) || (foreach.phase === 'run' && hasRoom(foreach))) addWork(tx, foreach);
  }
}

/** After a restart of the master: those that were at work. */
export function recoverForeachNodes(tx: Transaction): void {
  for (const row of tx.db.query<{ job: number; replica: number; node: string }>(sql.ACTIVE_FOREACH_NODES).all())
    tx.memory.foreachWork.set(workKey(row), { ...row, phase: null, cursor: 0 });
}

const workKey = ({ job, replica, node }: { job: number; replica: number; node: string }): string =>
  `${job} ${foreachKey(replica, node)}`;
const keyOf = (foreach: ForeachRecord): string =>
  workKey({ job: foreach.job.seq, replica: foreach.replica, node: foreach.node });
const isKnown = (tx: Transaction, foreach: ForeachRecord): boolean => tx.memory.foreachWork.has(keyOf(foreach));
const hasRoom = ({ active, withheld, rule }: ForeachRecord): boolean => withheld > 0 && active < rule.concurrency;

function addWork({ memory: { foreachWork }, undo }: Transaction, foreach: ForeachRecord): void {
  const key = keyOf(foreach);
  if (foreachWork.has(key)) return;
  foreachWork.set(key, {
    job: foreach.job.seq,
    replica: foreach.replica,
    node: foreach.node,
    phase: foreach.phase,
    cursor: 0,
  });
  undo.push(() => void foreachWork.delete(key));
}

function removeWork({ memory: { foreachWork }, undo }: Transaction, key: string, work: ForeachWork): void {
  foreachWork.delete(key);
  undo.push(() => void foreachWork.set(key, work));
}

/** What was under way is not to be gone on with: whoever calls this has set another phase. */
export function cancelForeachWork(tx: Transaction, foreach: ForeachRecord): void {
  const work = tx.memory.foreachWork.get(keyOf(foreach));
  if (work) removeWork(tx, keyOf(foreach), work);
}

/** By turns: it goes to the end of the line while there is more. */
function runSlice(tx: Transaction, key: string, work: ForeachWork): void {
  const foreach = findForeach(tx, loadJob(tx, work.job), work.replica, work.node);
  removeWork(tx, key, work);
  if (!foreach) return;
  touchForeach(tx, foreach);
  // An item that fails while others are made READY again has all of them stopped, also those before the cursor.
  const from = work.phase === foreach.phase ? work : { ...work, cursor: 0 };
  if (foreach.phase === 'expand') expandSlice(tx, foreach);
  else if (foreach.phase === 'stop') stopSlice(tx, foreach, from);
  else if (foreach.phase === 'revive') reviveSlice(tx, foreach, from);
}

function expandSlice(tx: Transaction, foreach: ForeachRecord): void {
  const { job, replica, node } = foreach;
  const task = listTask(tx, foreach);
  // It was killed, or its time is over: whoever retries it goes on from here.
  if (task?.facts.state !== 'RUNNING') {
    foreach.phase = 'stopped';
    return;
  }
  const most = Math.ceil(tx.memory.turnBudget.steps / ROW_ITEMS);
  for (const row of tx.db.query<{ first: number; items: string }>(sql.FIRST_ITEMS).all(job.seq, replica, node, most)) {
    createItemTasks(tx, foreach, parseStored<string[]>(row.items));
    tx.db.statement(sql.DELETE_ITEMS).run(job.seq, replica, node, row.first);
  }
  if (foreach.created === foreach.total) endMapTask(tx, foreach, task);
}

function listTask(tx: Transaction, { job, replica, node }: ForeachRecord) {
  flushTasks(tx, job);
  const row = tx.db.query<TaskRow>(sql.ITEMS_TASK).get(job.seq, replica, node);
  return row && loadTask(tx, row);
}

/** One item has failed for good, and that fails the replica: the others shall not run for nothing. */
function stopSlice(tx: Transaction, foreach: ForeachRecord, work: ForeachWork): void {
  const event: TaskEvent = { on: 'kill', at: tx.now, message: 'stopped because another item of the list failed' };
  const list = listTask(tx, foreach);
  if (list) applyTaskEvent(tx, list, event);
  const { rows, cursor } = slice(tx, foreach, sql.OPEN_ITEMS, work.cursor);
  for (const row of rows) applyTaskEvent(tx, loadTask(tx, row), event);
  if (cursor === null) foreach.phase = 'stopped';
  else continueNextTurn(tx, foreach, work, cursor);
}

/** Somebody retries one item of a list that was stopped: the items that were stopped with it are needed too. */
function reviveSlice(tx: Transaction, foreach: ForeachRecord, work: ForeachWork): void {
  const list = listTask(tx, foreach);
  const { rows, cursor } = slice(tx, foreach, sql.STOPPED_ITEMS, work.cursor);
  for (const row of rows) retryTask(tx, loadTask(tx, row), 'hand');
  if (cursor !== null) return continueNextTurn(tx, foreach, work, cursor);
  foreach.phase = list?.facts.state === 'RUNNING' ? 'expand' : 'run';
  // It was stopped before all items were made, and goes on with them.
  if (list && list.facts.state !== 'RUNNING') retryTask(tx, list, 'hand');
}

/** The next of the items that a query finds, and where to go on; null: these were the last. */
function slice(
  tx: Transaction,
  foreach: ForeachRecord,
  query: string,
  from: number,
): { rows: TaskRow[]; cursor: number | null } {
  const end = Math.min(from + LOOKED_AT, foreach.created);
  const most = tx.memory.turnBudget.steps;
  const rows = tx.db.query<TaskRow>(query).all(foreach.job.seq, foreach.replica, from, end, foreach.node, most);
  const cursor = rows.length === most ? (rows.at(-1)?.item ?? 0) + 1 : end;
  return { rows, cursor: cursor < foreach.created ? cursor : null };
}

function continueNextTurn(tx: Transaction, foreach: ForeachRecord, work: ForeachWork, cursor: number): void {
  const key = keyOf(foreach);
  tx.memory.foreachWork.set(key, { ...work, phase: foreach.phase, cursor });
  tx.undo.push(() => void tx.memory.foreachWork.delete(key));
}

function isDone({ phase, total, created, completed, failed, rule }: ForeachRecord): boolean {
  return phase === 'run' && total !== null && created === total && completed + (rule.collect ? failed : 0) === total;
}

function finishForeach(tx: Transaction, foreach: ForeachRecord): void {
  const text = joinedOutput(tx, foreach);
  foreach.output = storeText(tx, foreach.job.seq, text);
  foreach.phase = 'done';
  scheduleInReplica(tx, foreach.job, foreach.replica, tx.now, foreach.node);
}

/** Hands the next withheld items out as far as the concurrency of the node allows. */
function dispatchItems(tx: Transaction, foreach: ForeachRecord, most: number): void {
  if (!hasRoom(foreach)) return;
  if (foreach.hasUnwrittenItems) {
    flushTasks(tx, foreach.job);
    foreach.hasUnwrittenItems = false;
  }
  const { job, replica, node, rule } = foreach;
  const room = Math.min(rule.concurrency - foreach.active, most);
  const rows = tx.db
    .query<TaskRow & { input_text: string | null }>(sql.WITHHELD_ITEMS)
    .all(job.seq, replica, node, room);
  for (const row of rows) {
    const task = loadTask(tx, row);
    const text = row.input_text ?? 'null';
    if (rule.item.child) startChild(tx, task, text);
    else {
      releaseTask(tx, task);
      foreach.withheld--;
      foreach.active++;
      // It waits for a worker from now on.
      task.facts = { ...task.facts, readyAt: tx.now };
      dispatchOrEnqueue(tx, task, text, true);
    }
  }
}
