import type { ReportedFailure } from '../../../contract/worker-protocol.ts';
import { jsonTextsOf } from '../../../lib/packed-inputs.ts';
import type { TaskReport } from '../../state-machines/report.ts';
import { sumOf } from '../../store/whole.ts';
import { flushTasks } from '../engine/transaction.ts';
import { createTask, dispatchOrEnqueue } from '../queue/dispatch.ts';
import type { TaskRecord, ForeachRecord } from '../engine/records.ts';
import { storeText } from '../engine/write-rows.ts';
import { beginForeach, findForeach, touchForeach } from './records.ts';
import * as sql from './sql.ts';
import { detachFromWorker, deleteTask, applyTaskEvent, withholdTask } from '../engine/apply-task-event.ts';
import type { Transaction } from '../engine/port.ts';

type Items = Extract<TaskReport, { e: 'items' }>;

/**
 * A part of the list of a forEach came from the worker that evaluates it. With the last part the tasks of the items are
 * made: at once where there are few, else from what is kept here, slice by slice, while the list's own task stays
 * RUNNING without a worker, so that nobody sees the job done. A failure is the task's; null: all is well.
 */
export function takeMapItems(tx: Transaction, task: TaskRecord, report: Items): ReportedFailure | null {
  const { job, replica, node } = task;
  if (!node.foreach)
    return {
      code: 'NON_RETRYABLE',
      message: `node ${node.id} is not a forEach node, but its worker reported items`,
      retryable: false,
    };
  const foreach =
    findForeach(tx, job, replica, node.id) ?? beginForeach(tx, job, replica, node.id, task.facts.attempt, task.input);
  touchForeach(tx, foreach);
  // From its beginning, though parts of it came: all of it is sent again, or its worker is another since the restart of the master.
  if (foreach.attempt !== task.facts.attempt || (report.first === 0 && foreach.received > 0))
    startOver(tx, foreach, task.facts.attempt);
  // Sent again after a reconnect.
  if (foreach.total !== null || (report.first < foreach.received && report.more)) return null;
  if (report.first < foreach.received)
    return {
      code: 'TASK_ERROR',
      message: `the worker reported the end of the list at item ${report.first + report.items.length}, after it had already sent ${foreach.received} items`,
      retryable: true,
    };
  if (report.first > foreach.received)
    return {
      code: 'TASK_ERROR',
      message: `the worker skipped items of the list: expected item ${foreach.received}, got ${report.first}`,
      retryable: true,
    };
  const texts = jsonTextsOf(report.items);
  const first = foreach.received;
  foreach.received += texts.length;
  for (const text of texts) foreach.listCharacters += text.length + 1;
  const { forEachItems, taskOutputBytes } = tx.limits;
  if (foreach.received > forEachItems) return tooMuch(`more than ${forEachItems} items`);
  if (foreach.listCharacters > taskOutputBytes) return tooMuch(`more than ${taskOutputBytes} characters of JSON`);
  if (!report.more) foreach.total = foreach.received;
  if (first === 0 && foreach.total !== null && foreach.total <= CREATED_AT_ONCE) {
    createItemTasks(tx, foreach, texts);
    endMapTask(tx, foreach, task);
    return null;
  }
  for (let from = 0; from < texts.length; from += ROW_ITEMS) {
    const row = JSON.stringify(texts.slice(from, from + ROW_ITEMS));
    tx.db.statement(sql.INSERT_ITEMS).run(job.seq, replica, node.id, first + from, row, sumOf(row));
  }
  if (foreach.total !== null) {
    detachFromWorker(tx, task);
    expand(tx, foreach);
  }
  return null;
}

/** The list's task was made READY again, and the list is there already: its items are made from where that was left. False: it is to be evaluated. */
export function resumeMapItems(tx: Transaction, task: TaskRecord): boolean {
  const foreach = findForeach(tx, task.job, task.replica, task.node.id);
  if (!foreach || foreach.total === null) return false;
  touchForeach(tx, foreach);
  applyTaskEvent(tx, task, { on: 'assign', at: tx.now, workerId: null });
  applyTaskEvent(tx, task, { on: 'start', at: tx.now });
  expand(tx, foreach);
  return true;
}

/** Makes the tasks of the next items. */
export function createItemTasks(tx: Transaction, foreach: ForeachRecord, texts: readonly string[]): void {
  const { job, replica, rule } = foreach;
  for (const text of texts) {
    const item = foreach.created++;
    const task = createTask(tx, {
      job,
      node: rule.item,
      replica,
      item,
      input: storeText(tx, job.seq, text),
      at: tx.now,
      reason: 'item of the list',
    });
    const goes = rule.item.child === null && foreach.active < rule.concurrency && foreach.withheld === 0;
    if (goes) {
      foreach.active++;
      dispatchOrEnqueue(tx, task, text, true);
    } else {
      withholdTask(tx, task);
      foreach.withheld++;
      foreach.hasUnwrittenItems = true;
    }
  }
}

/** The tasks of all items are there: the list's own is not needed any more. */
export function endMapTask(tx: Transaction, foreach: ForeachRecord, task: TaskRecord): void {
  foreach.phase = 'run';
  applyTaskEvent(tx, task, { on: 'finish', at: tx.now });
  deleteTask(tx, task);
}

function expand(tx: Transaction, foreach: ForeachRecord): void {
  foreach.phase = 'expand';
  // Its row must not say that a worker has it.
  flushTasks(tx, foreach.job);
}

/** Another attempt evaluates the list anew. */
function startOver(tx: Transaction, foreach: ForeachRecord, attempt: number): void {
  if (foreach.total !== null) return;
  tx.db.statement(sql.DELETE_ALL_ITEMS).run(foreach.job.seq, foreach.replica, foreach.node);
  foreach.attempt = attempt;
  foreach.received = 0;
  foreach.listCharacters = 0;
}

const tooMuch = (what: string): ReportedFailure => ({
  code: 'NON_RETRYABLE',
  message: `the list has ${what}, the maximum: return fewer items, or references to them`,
  retryable: false,
});

/** A list no longer than this has its tasks made as it comes in; longer ones are kept first, in rows of so many items. */
export const CREATED_AT_ONCE = 100;

export const ROW_ITEMS = 50;
