import { scheduleSuccessors } from './schedule-successors.ts';
import { reserveOutput } from '../foreach/count-items.ts';
import { recordProgress } from '../engine/replica-progress.ts';
import type { TaskRecord } from '../engine/records.ts';
import { storeText } from '../engine/write-rows.ts';
import { applyTaskEvent } from '../engine/apply-task-event.ts';
import type { Transaction } from '../engine/port.ts';
import { failTask } from './retry.ts';

/** A RUNNING task has its output (JSON text): what it made possible is made in the same transaction. */
export function completeTask(tx: Transaction, task: TaskRecord, text: string, at: number, port: string | null): void {
  const { taskOutputBytes } = tx.limits;
  if (text.length > taskOutputBytes) {
    const message = `the output has ${text.length} characters of JSON; the maximum is ${taskOutputBytes}. Return less data, or a reference to it`;
    failTask(tx, task, at, { code: 'NON_RETRYABLE', message, retryable: false });
    return;
  }
  if (task.item !== null && !reserveOutput(tx, task, text)) {
    const message = `the outputs of all items exceed ${taskOutputBytes} characters of JSON: return less data, or references to it`;
    failTask(tx, task, at, { code: 'NON_RETRYABLE', message, retryable: false });
    return;
  }
  if (!applyTaskEvent(tx, task, { on: 'finish', at })) return;
  const attempt = tx.effects.endedAttempts.at(-1);
  if (attempt?.task === task) attempt.outputText = text;
  task.output = storeText(tx, task.job.seq, text);
  // What the items come to is their list's business, at the end of the turn.
  if (task.item !== null) return;
  task.port = port;
  recordProgress(task);
  scheduleSuccessors(tx, task, text);
}
