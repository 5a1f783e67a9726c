import type { TaskFailure } from '../../../contract/worker-protocol.ts';
import { jsonTextOf } from '../../../lib/packed-inputs.ts';
import { jitteredBackoffMs } from '../../../lib/backoff.ts';
import type { TaskReport } from '../../machine/report.ts';
import type { TaskFault } from '../../machine/task.ts';
import { scheduleSuccessors } from './schedule-successors.ts';
import { resumeMapItems, takeMapItems } from '../foreach/map-items.ts';
import { reserveOutput } from '../foreach/count-items.ts';
import { noteProgress } from '../engine/replica-progress.ts';
import type { TaskRecord } from '../engine/records.ts';
import { touchTask } from '../engine/transaction.ts';
import { storeText } from '../engine/write-rows.ts';
import { applyTaskEvent } from '../engine/apply-task-event.ts';
import type { Memory, Transaction } from '../engine/port.ts';

/** Takes a frame of reports in: each under its lease (task id, attempt); stale ones change nothing and are answered `lost`. */
export function takeReports(tx: Transaction, workerId: string, reports: readonly TaskReport[]): void {
  let toCome: ReadonlySet<string> | null = null;
  for (const report of reports) {
    const task = tx.memory.leased.get(report.id);
    if (task?.facts.workerId === workerId && task.facts.attempt === report.attempt) takeReport(tx, task, report);
    else {
      toCome ??= chainedTaskIds(tx.memory, workerId);
      // Told that this is lost, the worker would drop it from the chain that it runs now.
      if (!toCome.has(report.id)) tx.effects.lostLeases.push({ workerId, id: report.id, attempt: report.attempt });
    }
  }
}

/** Tasks that are to be born at a worker, once those before them in their chains have ended. An earlier try at the chain may have come to them already, under the same names. */
const chainedTaskIds = ({ leased }: Memory, workerId: string): ReadonlySet<string> =>
  new Set(
    [...leased.values()].flatMap(({ facts, chain }) => (facts.workerId === workerId ? chain.map(({ id }) => id) : [])),
  );

function takeReport(tx: Transaction, task: TaskRecord, report: TaskReport): void {
  // The worker's clock is not ours: times are brought between the assignment and now, to whole milliseconds.
  const within = (at: number): number =>
    Math.min(
      Math.max(Math.floor(at), task.facts.startedAt ?? task.facts.scheduledAt ?? 0),
      Math.max(tx.now, task.facts.scheduledAt ?? 0),
    );
  if (report.e === 'start') {
    applyTaskEvent(tx, task, { on: 'start', at: within(report.at) });
    return;
  }
  if (report.startedAt !== null && task.facts.state === 'SCHEDULED')
    applyTaskEvent(tx, task, { on: 'start', at: within(report.startedAt) });
  if (report.e === 'fail') {
    failTask(tx, task, within(report.at), report.error);
    return;
  }
  if (report.e === 'items') {
    const failure = takeMapItems(tx, task, report);
    if (failure) failTask(tx, task, within(report.at), failure);
    return;
  }
  completeTask(tx, task, jsonTextOf(report.output), within(report.at), report.port ?? null);
}

/** A RUNNING task has its output (JSON text): what it made possible is made in the same transaction. */
export function completeTask(tx: Transaction, task: TaskRecord, text: string, at: number, port: string | null): void {
  const { taskOutputBytes } = tx.limits;
  if (text.length > taskOutputBytes) {
    const message = `the output has ${text.length} characters of JSON, at most ${taskOutputBytes} are kept: return less, or a reference to it`;
    failTask(tx, task, at, { code: 'NON_RETRYABLE', message, retryable: false });
    return;
  }
  if (task.item !== null && !reserveOutput(tx, task, text)) {
    const message = `the outputs of the items have together more than ${taskOutputBytes} characters of JSON: return less, or references`;
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
  noteProgress(task);
  scheduleSuccessors(tx, task, text);
}

/** An executing task failed. The wait before its retry follows from its node, the attempt, chance, and what an upstream asked for. */
export function failTask(tx: Transaction, task: TaskRecord, at: number, failure: TaskFailure): void {
  const { limits } = tx;
  const rule = {
    firstMs: task.node.backoffSeconds * 1000,
    mostMs: limits.retryBackoffMaxSeconds * 1000,
    jitter: limits.retryJitter,
  };
  applyTaskEvent(tx, task, {
    on: 'fail',
    at,
    fault: truncateFault(failure, limits.taskMessageCharacters),
    backoffMs: jitteredBackoffMs(
      rule,
      task.facts.attempt,
      tx.random(),
      failure.retryAfterSeconds === undefined
        ? undefined
        : Math.min(failure.retryAfterSeconds, limits.retryAfterMaxSeconds) * 1000,
    ),
  });
}

const truncateFault = ({ code, message, retryable }: TaskFailure, most: number): TaskFault => ({
  code: code.slice(0, 100),
  message: message.length > most ? `${message.slice(0, most)}…` : message,
  retryable,
});

/** Ends the attempt that FAILED or timed out and begins the next: the failed one becomes a retry entry. */
export function retryTask(tx: Transaction, task: TaskRecord, by: 'check' | 'hand'): boolean {
  const { attempt, workerId, startedAt, finishedAt, error } = task.facts;
  const taken =
    by === 'check'
      ? applyTaskEvent(tx, task, { on: 'retry', at: tx.now })
      : applyTaskEvent(tx, task, { on: 'retry-by-hand', at: tx.now, allowance: task.node.retries });
  if (!taken) return false;
  touchTask(tx, task);
  const fault = error ?? { code: 'MANUAL', message: 'retried by hand', retryable: true };
  if (task.node.child !== null && task.item === null) tx.childStarts.push({ task, inputText: null });
  else if (task.node.foreach !== null) resumeMapItems(tx, task);
  task.retryEntries += `${JSON.stringify({ attempt, workerId, startedAt, failedAt: finishedAt ?? tx.now, ...fault })}\n`;
  return true;
}
