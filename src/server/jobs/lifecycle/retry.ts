import type { ReportedFailure } from '../../../contract/worker-protocol.ts';
import { jitteredBackoffMs } from '../../../lib/backoff.ts';
import { backOffIsOver, type AttemptFailure } from '../../state-machines/task.ts';
import type { ReadHandle } from '../../store/port.ts';
import { applyTaskEvent } from '../engine/apply-task-event.ts';
import { loadTask } from '../engine/load-records.ts';
import type { Engine, Memory, Transaction } from '../engine/port.ts';
import { SLICE_WEIGHT } from '../engine/run-in-slices.ts';
import type { TaskRecord } from '../engine/records.ts';
import type { TaskRow } from '../engine/rows.ts';
import { DUE_RETRIES } from '../engine/sql.ts';
import { touchTask } from '../engine/transaction.ts';
import { resumeMapItems } from '../foreach/map-items.ts';
import { canRun, needsOf } from '../queue/assigner.ts';
import type { WorkerPool } from '../queue/port.ts';

/*
 * Everything about retries is here, in the order in which it happens to a task:
 *
 * 1. `failTask`: an attempt fails. `nextTask` (state-machines/task.ts) decides whether it is retried at all: the failure may be
 *    retried, and attempts are left of the node's allowance. The back-off doubles with each attempt (lib/backoff.ts).
 * 2. `retryDue`: the periodic check looks for tasks whose back-off is over and for which a worker is there.
 * 3. `retryTask`: the task is READY again as its next attempt, and the failed one becomes an entry of its record.
 *
 * Retries by hand, of a task or of a whole job, begin in `retry-by-hand.ts` and end in `retryTask` too, with a fresh allowance.
 */

/**
 * Which attempt this is since the task was made or last retried by hand, from 1: a back-off begins anew with a retry by
 * hand, and attempts that used up no retry do not lengthen it.
 */
const attemptOfAllowance = ({ facts, node }: TaskRecord): number =>
  Math.max(1, facts.attempt - (facts.retryCount - node.retries));

/** An executing task failed. The wait before its retry follows from its node, the attempt, chance, and what an upstream asked for. `uncounted`: it uses up no retry. */
export function failTask(
  tx: Transaction,
  task: TaskRecord,
  at: number,
  failure: ReportedFailure,
  uncounted = false,
): void {
  const { limits } = tx;
  const rule = {
    firstMs: task.node.backoffSeconds * 1000,
    mostMs: limits.retryBackoffMaxSeconds * 1000,
    jitter: limits.retryJitter,
  };
  applyTaskEvent(tx, task, {
    on: 'fail',
    at,
    uncounted,
    fault: truncateFault(failure, limits.taskMessageCharacters),
    backoffMs: jitteredBackoffMs(
      rule,
      attemptOfAllowance(task),
      tx.random(),
      failure.retryAfterSeconds === undefined
        ? undefined
        : Math.min(failure.retryAfterSeconds, limits.retryAfterMaxSeconds) * 1000,
    ),
  });
}

const truncateFault = ({ code, message, retryable, stack = [] }: ReportedFailure, most: number): AttemptFailure => ({
  code: code.slice(0, 100),
  message: message.length > most ? `${message.slice(0, most)}…` : message,
  retryable,
  ...(stack.length > 0 ? { stack } : {}),
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
  const fault = error ?? { code: 'MANUAL', message: 'retried manually', retryable: true };
  if (task.node.child !== null && task.item === null) tx.childStarts.push({ task, inputText: null });
  else if (task.node.foreach !== null) resumeMapItems(tx, task);
  task.retryEntries += `${JSON.stringify({ attempt, workerId, startedAt, failedAt: finishedAt ?? tx.now, ...fault })}\n`;
  return true;
}

/** Turns of one check in which none could be retried. */
const IDLE_TURNS = 20;

const START = { at: 0, seq: 0 } as const;

interface RetryDeps {
  readonly engine: Engine;
  readonly read: ReadHandle;
  readonly memory: Memory;
  readonly workerPool: WorkerPool;
}

/**
 * Makes FAILED tasks READY whose back-off is over. A retry needs a worker that is healthy and available, serves the
 * environment, and has registered the handler where the task needs one; those that have none are passed over and hold
 * nobody else up. Where they are many, the next check goes on where this one ended.
 */
export const retryDue = (deps: RetryDeps, now: number): Promise<void> => walkRetries(deps, 'retryCursor', START, now);

/**
 * The same, while the clock is set back, for tasks that failed later than now: they would wait for as long as it was set
 * back. They are somewhere among those that are due later, so that a check looks at some of these.
 */
export async function retryAhead(deps: RetryDeps, now: number): Promise<void> {
  if (deps.memory.totals.retrying > 0)
    await walkRetries(deps, 'retryAheadCursor', { at: now, seq: Number.MAX_SAFE_INTEGER }, Number.MAX_SAFE_INTEGER);
}

async function walkRetries(
  { engine, read, memory, workerPool }: RetryDeps,
  which: 'retryCursor' | 'retryAheadCursor',
  start: Memory['retryCursor'],
  until: number,
): Promise<void> {
  if (memory[which].at < start.at) memory[which] = start;
  const any = () => read.query(DUE_RETRIES).get(until, memory[which].at, memory[which].seq, 1) !== undefined;
  let wrapped = memory[which].at === start.at;
  for (let idle = 0; idle < IDLE_TURNS;) {
    if (!any()) {
      memory[which] = start;
      if (wrapped) return;
      wrapped = true;
      continue;
    }
    const retried = await engine.enqueue(SLICE_WEIGHT, (tx) => retryDueSlice(tx, workerPool, which, until));
    if (retried === 0) idle++;
  }
}

function retryDueSlice(
  tx: Transaction,
  workerPool: WorkerPool,
  which: 'retryCursor' | 'retryAheadCursor',
  until: number,
): number {
  const { memory } = tx;
  const rows = tx.db
    .query<TaskRow>(DUE_RETRIES)
    .all(until, memory[which].at, memory[which].seq, memory.turnBudget.steps);
  const last = rows.at(-1);
  if (last) memory[which] = { at: last.retry_at ?? 0, seq: last.seq };
  return rows.filter((row) => {
    if (!backOffIsOver({ retryAt: row.retry_at, finishedAt: row.finished_at }, tx.now)) return false;
    const task = loadTask(tx, row);
    return hasWorkerFor(workerPool, task) && retryTask(tx, task, 'check');
  }).length;
}

function hasWorkerFor(workerPool: WorkerPool, task: TaskRecord): boolean {
  // A task that calls a workflow is run by the master itself.
  if (task.node.child !== null) return true;
  const needs = needsOf(task);
  for (const worker of workerPool.workers()) if (worker.accepting && canRun(worker, needs)) return true;
  return false;
}
