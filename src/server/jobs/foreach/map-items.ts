import type { TaskFailure } from '../../../contract/worker-protocol.ts';
import { jsonTextsOf } from '../../../lib/packed-inputs.ts';
import type { TaskReport } from '../../machine/report.ts';
import { flushTasks } from '../engine/flush.ts';
import { bear, place } from '../queue/dispatch.ts';
import type { TaskRecord } from '../engine/records.ts';
import { detach, dropTask, step, withhold, type Unit } from '../engine/transaction.ts';
import { keepText } from '../engine/write-rows.ts';
import { BORN_AT_ONCE, ROW_ITEMS } from './chunks.ts';
import { beginFan, findFan, touchFan, type Fan } from './records.ts';
import * as sql from './sql.ts';

type Items = Extract<TaskReport, { e: 'items' }>;

/**
 * A part of the list of a forEach came from the worker that evaluates it. With the last part the tasks of the items are
 * made: at once where there are few, else from what is kept here, slice by slice, while the list's own task stays
 * RUNNING without a worker, so that nobody sees the job done. A failure is the task's; null: all is well.
 */
export function takeItems(unit: Unit, task: TaskRecord, report: Items): TaskFailure | null {
  const { job, replica, node } = task;
  if (!node.fan)
    return {
      code: 'NON_RETRYABLE',
      message: `node ${node.id} is no forEach, but its worker reported items`,
      retryable: false,
    };
  const fan =
    findFan(unit, job, replica, node.id) ?? beginFan(unit, job, replica, node.id, task.facts.attempt, task.input);
  touchFan(unit, fan);
  // From its beginning, though parts of it came: all of it is sent again, or its worker is another since the restart of the master.
  if (fan.attempt !== task.facts.attempt || (report.first === 0 && fan.received > 0))
    startOver(unit, fan, task.facts.attempt);
  // Sent again after a reconnect.
  if (fan.total !== null || (report.first < fan.received && report.more)) return null;
  if (report.first < fan.received)
    return {
      code: 'TASK_ERROR',
      message: `the list came to its end at item ${report.first + report.items.length}, though ${fan.received} had come`,
      retryable: true,
    };
  if (report.first > fan.received)
    return {
      code: 'TASK_ERROR',
      message: `the list came with a gap: item ${fan.received} was expected, ${report.first} came`,
      retryable: true,
    };
  const texts = jsonTextsOf(report.items);
  const first = fan.received;
  fan.received += texts.length;
  for (const text of texts) fan.listCharacters += text.length + 1;
  const { forEachItems, taskOutputBytes } = unit.limits;
  if (fan.received > forEachItems) return tooMuch(`more than ${forEachItems} items`);
  if (fan.listCharacters > taskOutputBytes) return tooMuch(`more than ${taskOutputBytes} characters of JSON`);
  if (!report.more) fan.total = fan.received;
  if (first === 0 && fan.total !== null && fan.total <= BORN_AT_ONCE) {
    bearItems(unit, fan, texts);
    endList(unit, fan, task);
    return null;
  }
  for (let from = 0; from < texts.length; from += ROW_ITEMS)
    unit.db
      .statement(sql.PUT_LIST)
      .run(job.seq, replica, node.id, first + from, JSON.stringify(texts.slice(from, from + ROW_ITEMS)));
  if (fan.total !== null) {
    detach(unit, task);
    expand(unit, fan);
  }
  return null;
}

/** The list's task was made READY again, and the list is there already: its items are made from where that was left. False: it is to be evaluated. */
export function resumeList(unit: Unit, task: TaskRecord): boolean {
  const fan = findFan(unit, task.job, task.replica, task.node.id);
  if (!fan || fan.total === null) return false;
  touchFan(unit, fan);
  step(unit, task, { on: 'assign', at: unit.now, workerId: null });
  step(unit, task, { on: 'start', at: unit.now });
  expand(unit, fan);
  return true;
}

/** Makes the tasks of the next items. */
export function bearItems(unit: Unit, fan: Fan, texts: readonly string[]): void {
  const { job, replica, rule } = fan;
  for (const text of texts) {
    const item = fan.born++;
    const task = bear(unit, {
      job,
      node: rule.item,
      replica,
      item,
      input: keepText(unit, job.seq, text),
      at: unit.now,
      reason: 'item of the list',
    });
    const goes = rule.item.child === null && fan.active < rule.concurrency && fan.withheld === 0;
    if (goes) {
      fan.active++;
      place(unit, task, text, true);
    } else {
      withhold(unit, task);
      fan.withheld++;
      fan.stirred = true;
    }
  }
}

/** The tasks of all items are there: the list's own is not needed any more. */
export function endList(unit: Unit, fan: Fan, task: TaskRecord): void {
  fan.phase = 'run';
  step(unit, task, { on: 'finish', at: unit.now });
  dropTask(unit, task);
}

function expand(unit: Unit, fan: Fan): void {
  fan.phase = 'expand';
  // Its row must not say that a worker has it.
  flushTasks(unit, fan.job);
}

/** Another attempt evaluates the list anew. */
function startOver(unit: Unit, fan: Fan, attempt: number): void {
  if (fan.total !== null) return;
  unit.db.statement(sql.DROP_LISTS).run(fan.job.seq, fan.replica, fan.node);
  fan.attempt = attempt;
  fan.received = 0;
  fan.listCharacters = 0;
}

const tooMuch = (what: string): TaskFailure => ({
  code: 'NON_RETRYABLE',
  message: `the list has ${what}, which is the most that is kept: give fewer items, or references to them`,
  retryable: false,
});
