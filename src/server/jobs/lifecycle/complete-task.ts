import type { TaskFailure } from '../../../contract/worker-protocol.ts';
import { jsonTextOf } from '../../../lib/packed-inputs.ts';
import { backoffMs } from '../../machine/backoff.ts';
import type { TaskReport } from '../../machine/report.ts';
import type { TaskFault } from '../../machine/task.ts';
import { advance } from './schedule-successors.ts';
import { resumeList, takeItems } from '../foreach/map-items.ts';
import { fitsOutput } from '../foreach/count-items.ts';
import type { Memory } from '../engine/memory.ts';
import { noteProgress } from '../engine/replica-progress.ts';
import type { TaskRecord } from '../engine/records.ts';
import { step, touchTask, type Unit } from '../engine/transaction.ts';
import { keepText } from '../engine/write-rows.ts';

/** Takes a frame of reports in: each under its lease (task id, attempt); stale ones change nothing and are answered `lost`. */
export function settle(unit: Unit, workerId: string, reports: readonly TaskReport[]): void {
  let toCome: ReadonlySet<string> | null = null;
  for (const report of reports) {
    const task = unit.memory.leased.get(report.id);
    if (task?.facts.workerId === workerId && task.facts.attempt === report.attempt) settleOne(unit, task, report);
    else {
      toCome ??= chained(unit.memory, workerId);
      // Told that this is lost, the worker would drop it from the chain that it runs now.
      if (!toCome.has(report.id)) unit.effects.lost.push({ workerId, id: report.id, attempt: report.attempt });
    }
  }
}

/** Tasks that are to be born at a worker, once those before them in their chains have ended. An earlier try at the chain may have come to them already, under the same names. */
const chained = ({ leased }: Memory, workerId: string): ReadonlySet<string> =>
  new Set(
    [...leased.values()].flatMap(({ facts, chain }) => (facts.workerId === workerId ? chain.map(({ id }) => id) : [])),
  );

function settleOne(unit: Unit, task: TaskRecord, report: TaskReport): void {
  // The worker's clock is not ours: times are brought between the assignment and now, to whole milliseconds.
  const within = (at: number): number =>
    Math.min(
      Math.max(Math.floor(at), task.facts.startedAt ?? task.facts.scheduledAt ?? 0),
      Math.max(unit.now, task.facts.scheduledAt ?? 0),
    );
  if (report.e === 'start') {
    step(unit, task, { on: 'start', at: within(report.at) });
    return;
  }
  if (report.startedAt !== null && task.facts.state === 'SCHEDULED')
    step(unit, task, { on: 'start', at: within(report.startedAt) });
  if (report.e === 'fail') {
    fail(unit, task, within(report.at), report.error);
    return;
  }
  if (report.e === 'items') {
    const failure = takeItems(unit, task, report);
    if (failure) fail(unit, task, within(report.at), failure);
    return;
  }
  complete(unit, task, jsonTextOf(report.output), within(report.at), report.port ?? null);
}

/** A RUNNING task has its output (JSON text): what it made possible is made in the same transaction. */
export function complete(unit: Unit, task: TaskRecord, text: string, at: number, port: string | null): void {
  const { taskOutputBytes } = unit.limits;
  if (text.length > taskOutputBytes) {
    const message = `the output has ${text.length} characters of JSON, at most ${taskOutputBytes} are kept: return less, or a reference to it`;
    fail(unit, task, at, { code: 'NON_RETRYABLE', message, retryable: false });
    return;
  }
  if (task.item !== null && !fitsOutput(unit, task, text)) {
    const message = `the outputs of the items have together more than ${taskOutputBytes} characters of JSON: return less, or references`;
    fail(unit, task, at, { code: 'NON_RETRYABLE', message, retryable: false });
    return;
  }
  if (!step(unit, task, { on: 'finish', at })) return;
  const attempt = unit.effects.attempts.at(-1);
  if (attempt?.task === task) attempt.outputText = text;
  task.output = keepText(unit, task.job.seq, text);
  // What the items come to is their list's business, at the end of the turn.
  if (task.item !== null) return;
  task.port = port;
  noteProgress(task);
  advance(unit, task, text);
}

/** An executing task failed. The wait before its retry follows from its node, the attempt, chance, and what an upstream asked for. */
export function fail(unit: Unit, task: TaskRecord, at: number, failure: TaskFailure): void {
  const { limits } = unit;
  const rule = {
    firstSeconds: task.node.backoffSeconds,
    mostSeconds: limits.retryBackoffMaxSeconds,
    jitter: limits.retryJitter,
  };
  step(unit, task, {
    on: 'fail',
    at,
    fault: cut(failure, limits.taskMessageCharacters),
    backoffMs: backoffMs(
      rule,
      task.facts.attempt,
      unit.random(),
      failure.retryAfterSeconds === undefined
        ? undefined
        : Math.min(failure.retryAfterSeconds, limits.retryAfterMaxSeconds),
    ),
  });
}

const cut = ({ code, message, retryable }: TaskFailure, most: number): TaskFault => ({
  code: code.slice(0, 100),
  message: message.length > most ? `${message.slice(0, most)}…` : message,
  retryable,
});

/** Ends the attempt that FAILED or timed out and begins the next: the failed one becomes a retry entry. */
export function retryTask(unit: Unit, task: TaskRecord, by: 'check' | 'hand'): boolean {
  const { attempt, workerId, startedAt, finishedAt, error } = task.facts;
  const taken =
    by === 'check'
      ? step(unit, task, { on: 'retry', at: unit.now })
      : step(unit, task, { on: 'retry-by-hand', at: unit.now, allowance: task.node.retries });
  if (!taken) return false;
  touchTask(unit, task);
  const fault = error ?? { code: 'MANUAL', message: 'retried by hand', retryable: true };
  if (task.node.child !== null && task.item === null) unit.starts.push({ task, inputText: null });
  else if (task.node.fan !== null) resumeList(unit, task);
  task.entries += `${JSON.stringify({ attempt, workerId, startedAt, failedAt: finishedAt ?? unit.now, ...fault })}\n`;
  return true;
}
