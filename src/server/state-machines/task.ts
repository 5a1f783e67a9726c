import type { StackFrame } from '../../contract/tasks.ts';
import { NON_RETRYABLE_CODES, type TaskState } from '../../contract/vocabulary.ts';
import { unreachable } from '../../lib/fault.ts';

/**
 * The life of a task.
 *
 *   READY ──assign──▶ SCHEDULED ──start──▶ RUNNING ──finish──▶ COMPLETED
 *
 * It is made READY (or, where a worker has room, goes on to SCHEDULED at once). A worker takes it: SCHEDULED. The worker
 * begins: RUNNING. It ends well: COMPLETED, for good. An error, or the loss of the worker, makes an executing task
 * (SCHEDULED or RUNNING) FAILED. If its failure may be retried and retries are left, it waits there until `retryAt`; the
 * periodic check then makes it READY again as the next attempt. Without `retryAt` a FAILED task is finally failed.
 * Nobody takes it in time: SCHEDULE_TIMEOUT. It runs too long: RUN_TIMEOUT. Both are final.
 *
 * A kill, or the end of the replica's time, makes every open task FAILED without a retry (a replica's RUNNING ones
 * RUN_TIMEOUT); a FAILED task that waits for a retry stays FAILED but loses the retry. Finally failed ones stay as they
 * are. Only a person leads out of FAILED, SCHEDULE_TIMEOUT and RUN_TIMEOUT: the manual retry makes the task READY as the
 * next attempt, with the node's retries anew. An attempt that the death of the master ended uses up no retry. Attempts
 * never go back, so an old lease can never report into a new one.
 *
 * `attempt` is the number of retry entries + 1. Times are milliseconds.
 */
export interface TaskFacts {
  readonly state: TaskState;
  readonly attempt: number;
  /** The most retries allowed. */
  readonly retryCount: number;
  readonly workerId: string | null;
  readonly readyAt: number;
  readonly scheduledAt: number | null;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** Set on a FAILED task that waits for a retry. */
  readonly retryAt: number | null;
  readonly error: AttemptFailure | null;
}

export interface AttemptFailure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly stack?: readonly StackFrame[];
}

export type TaskEvent =
  /** `workerId` null: the master runs it itself, by a child job. */
  | { readonly on: 'assign'; readonly at: number; readonly workerId: string | null }
  | { readonly on: 'start'; readonly at: number }
  | { readonly on: 'finish'; readonly at: number }
  /** `backoffMs`: how long a retry would wait. `uncounted`: the attempt uses up no retry. */
  | {
      readonly on: 'fail';
      readonly at: number;
      readonly fault: AttemptFailure;
      readonly backoffMs: number;
      readonly uncounted?: boolean;
    }
  | { readonly on: 'schedule-timeout'; readonly at: number; readonly message: string }
  | { readonly on: 'run-timeout'; readonly at: number; readonly message: string }
  | { readonly on: 'retry'; readonly at: number }
  /** `allowance`: retries of the node, which the task has anew from its next attempt on. */
  | { readonly on: 'retry-by-hand'; readonly at: number; readonly allowance: number }
  | { readonly on: 'kill'; readonly at: number; readonly message: string }
  | { readonly on: 'replica-timeout'; readonly at: number; readonly message: string };

export interface TaskStep {
  readonly facts: TaskFacts;
  /** Short text for the history. */
  readonly reason: string;
}

/** How an attempt ends that did not end well; only a person leads out of the last two. */
export const FAILED_STATES = ['FAILED', 'SCHEDULE_TIMEOUT', 'RUN_TIMEOUT'] as const satisfies readonly TaskState[];
export const hasFailed = (state: TaskState): boolean =>
  state === 'FAILED' || state === 'SCHEDULE_TIMEOUT' || state === 'RUN_TIMEOUT';

/** A task as it is made. */
export function newTask(at: number, retryCount: number): TaskFacts {
  return {
    state: 'READY',
    attempt: 1,
    retryCount,
    workerId: null,
    readyAt: at,
    scheduledAt: null,
    startedAt: null,
    finishedAt: null,
    retryAt: null,
    error: null,
  };
}

/** A task that failed by so much later than now: the clock was set back since. */
export const CLOCK_SET_BACK_MS = 60_000;

/** True where a failed task may be retried by itself. Where the clock was set back since the failure, the back-off counts as over. */
export const backOffIsOver = (
  { retryAt, finishedAt }: Pick<TaskFacts, 'retryAt' | 'finishedAt'>,
  now: number,
): boolean => now >= (retryAt ?? 0) || (finishedAt ?? 0) - now > CLOCK_SET_BACK_MS;

/** The next facts, or null where the event is not allowed in this state (a stale report, a second kill). */
export function nextTask(task: TaskFacts, event: TaskEvent): TaskStep | null {
  const { state } = task;
  const executing = state === 'SCHEDULED' || state === 'RUNNING';
  const waiting = state === 'FAILED' && task.retryAt !== null;
  switch (event.on) {
    case 'assign':
      if (state !== 'READY') return null;
      return {
        facts: { ...task, state: 'SCHEDULED', workerId: event.workerId, scheduledAt: event.at },
        reason: 'assigned',
      };
    case 'start':
      if (state !== 'SCHEDULED') return null;
      return { facts: { ...task, state: 'RUNNING', startedAt: event.at }, reason: 'started' };
    case 'finish':
      if (state !== 'RUNNING') return null;
      return { facts: { ...task, state: 'COMPLETED', finishedAt: event.at }, reason: 'finished' };
    case 'fail': {
      if (!executing) return null;
      const retryCount = task.retryCount + Number(event.uncounted ?? false);
      const again = mayRetry(event.fault) && task.attempt <= retryCount;
      return end({ ...task, retryCount }, 'FAILED', event.at, event.fault, again ? event.at + event.backoffMs : null);
    }
    case 'schedule-timeout':
      if (state !== 'READY') return null;
      return end(task, 'SCHEDULE_TIMEOUT', event.at, {
        code: 'SCHEDULE_TIMEOUT',
        message: event.message,
        retryable: false,
      });
    case 'run-timeout':
      if (state !== 'RUNNING') return null;
      return end(task, 'RUN_TIMEOUT', event.at, { code: 'RUN_TIMEOUT', message: event.message, retryable: false });
    case 'retry':
      if (!waiting || !backOffIsOver(task, event.at)) return null;
      return { facts: { ...newTask(event.at, task.retryCount), attempt: task.attempt + 1 }, reason: 'retried' };
    case 'retry-by-hand':
      if (!hasFailed(state)) return null;
      return {
        facts: { ...newTask(event.at, task.attempt + event.allowance), attempt: task.attempt + 1 },
        reason: 'retried manually',
      };
    case 'kill':
      if (state !== 'READY' && !executing && !waiting) return null;
      return end(task, 'FAILED', event.at, { code: 'KILLED', message: event.message, retryable: false });
    case 'replica-timeout':
      if (state === 'RUNNING')
        return end(task, 'RUN_TIMEOUT', event.at, { code: 'RUN_TIMEOUT', message: event.message, retryable: false });
      if (state !== 'READY' && state !== 'SCHEDULED' && !waiting) return null;
      return end(task, 'FAILED', event.at, { code: 'REPLICA_TIMEOUT', message: event.message, retryable: false });
    default:
      return unreachable(event);
  }
}

/** True where a failure may be retried at all: not marked final, and not of a code that never is. */
export function mayRetry(fault: AttemptFailure): boolean {
  return fault.retryable && !NON_RETRYABLE_CODES.has(fault.code);
}

/** True for a task that can still change by itself. */
export function isOpen(task: Pick<TaskFacts, 'state' | 'retryAt'>): boolean {
  return (
    task.state === 'READY' ||
    task.state === 'SCHEDULED' ||
    task.state === 'RUNNING' ||
    (task.state === 'FAILED' && task.retryAt !== null)
  );
}

/** True for a task that ended otherwise than COMPLETED and that no retry waits for. */
export function isFinallyFailed(task: Pick<TaskFacts, 'state' | 'retryAt'>): boolean {
  return !isOpen(task) && task.state !== 'COMPLETED';
}

function end(
  task: TaskFacts,
  state: (typeof FAILED_STATES)[number],
  at: number,
  error: AttemptFailure,
  retryAt: number | null = null,
): TaskStep {
  // What the record shows is what was decided: a failure that is never retried reads so.
  return {
    facts: { ...task, state, finishedAt: at, error: { ...error, retryable: mayRetry(error) }, retryAt },
    reason: error.code,
  };
}
