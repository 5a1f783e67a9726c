import type { Limits } from '../../../contract/limits.ts';
import type { ReadHandle, Store } from '../../store/port.ts';
import { openTasks, applyToAll } from './kill.ts';
import { revokeOrphanedLeases, orphanedLeases } from './worker-leases.ts';
import { retryAhead, retryDue, failTask } from './retry.ts';
import type { TaskRecord } from '../engine/records.ts';
import { flushTasks, touchJob } from '../engine/transaction.ts';
import type { TaskRow } from '../engine/rows.ts';
import { FORGET_IDEMPOTENT, OVERDUE_JOBS, OVERDUE_READY } from '../engine/sql.ts';
import { loadTask, loadJob } from '../engine/load-records.ts';
import { applyTaskEvent } from '../engine/apply-task-event.ts';
import type { WorkerPool } from '../queue/port.ts';
import type { Memory, Transaction, Engine } from '../engine/port.ts';
import { jobStatus } from '../../state-machines/job.ts';
import { expandJob } from './task-expansion.ts';
import type { CheckTime } from '../engine/ticker.ts';
import { runInSlices, SLICE_WEIGHT } from '../engine/run-in-slices.ts';

/** Jobs whose time is over that one check ends. */
const OVERDUE = 200;
/** Idempotency keys whose time is over: so many are deleted at once, and so many times in one check. More come in no second. */
const FORGOTTEN_PER_STEP = 500;
const FORGOTTEN_STEPS = 20;
const HOUR_MS = 3_600_000;

export interface TimeoutScanDeps {
  readonly engine: Engine;
  readonly store: Store;
  readonly memory: Memory;
  readonly workerPool: WorkerPool;
  readonly limits: Readonly<Limits>;
}

/** The periodic check: time limits first, then retries. Reads decide whether a turn is worth it. */
export async function scanTimeouts(deps: TimeoutScanDeps, time: CheckTime): Promise<void> {
  const { engine, store, memory, workerPool, limits } = deps;
  const now = time.now();
  const over = time.deadline();
  await endOverdueReplicas(deps, over);
  while (runningTooLong(memory, over).length > 0) await engine.enqueue(SLICE_WEIGHT, (tx) => timeOutRuns(tx, over));
  while (orphanedLeases(memory, workerPool).length > 0) await engine.enqueue(SLICE_WEIGHT, revokeOrphanedLeases);
  while (leasesNotStarted(deps, over).length > 0)
    await engine.enqueue(SLICE_WEIGHT, (tx) => takeBackLeases(tx, leasesNotStarted(deps, over)));
  while (hasRows(store.read, OVERDUE_READY, over)) await engine.enqueue(SLICE_WEIGHT, (tx) => timeOutWaits(tx, over));
  await retryDue({ engine, read: store.read, memory, workerPool }, now);
  if (time.isSetBack()) await retryAhead({ engine, read: store.read, memory, workerPool }, now);
  for (let step = 0; step < FORGOTTEN_STEPS; step++) {
    if (
      (await store.write((db) => db.statement(FORGET_IDEMPOTENT).run(now - limits.idempotencyHours * HOUR_MS))) <
      FORGOTTEN_PER_STEP
    )
      break;
  }
}

async function endOverdueReplicas({ engine, store }: TimeoutScanDeps, now: number): Promise<void> {
  for (const { seq } of store.read.query<{ seq: number }>(OVERDUE_JOBS).all(now, OVERDUE))
    await timeOutReplicas(engine, seq);
}

function runningTooLong({ leased }: Memory, now: number) {
  return [...leased.values()].filter(
    ({ facts, node }) => facts.state === 'RUNNING' && (facts.startedAt ?? now) + node.runTimeoutMs <= now,
  );
}

function timeOutRuns(tx: Transaction, over: number): void {
  for (const task of runningTooLong(tx.memory, over).slice(0, tx.memory.turnBudget.steps))
    applyTaskEvent(tx, task, {
      on: 'run-timeout',
      at: tx.now,
      message: `the attempt exceeded its run timeout of ${task.node.runTimeoutMs / 1000} s`,
    });
}

/**
 * Leases that their worker has not begun in time, though it is there: since they were given, or since it came back and was
 * asked what it holds, whichever was later. One that is away becomes Down, and loses what it held by that.
 */
function leasesNotStarted({ memory: { leased }, workerPool, limits }: TimeoutScanDeps, now: number): TaskRecord[] {
  const latest = now - limits.startSeconds * 1000;
  return [...leased.values()].filter(({ facts: { state, workerId, scheduledAt } }) => {
    if (state !== 'SCHEDULED' || workerId === null || (scheduledAt ?? now) > latest) return false;
    const worker = workerPool.worker(workerId);
    return worker !== undefined && worker.admitted && worker.registeredAt <= latest;
  });
}

function takeBackLeases(tx: Transaction, tasks: readonly TaskRecord[]): void {
  for (const task of tasks.slice(0, tx.memory.turnBudget.steps)) {
    const { workerId, attempt } = task.facts;
    if (workerId === null) continue;
    tx.effects.lostLeases.push(
      { workerId, id: task.id, attempt },
      ...task.chain.map(({ id }) => ({ workerId, id, attempt: 1 })),
    );
    failTask(tx, task, tx.now, {
      code: 'WORKER_LOST',
      message: `worker ${workerId} did not start the task within ${tx.limits.startSeconds} s`,
      retryable: true,
    });
  }
}

function timeOutWaits(tx: Transaction, over: number): void {
  // Rows must say who was handed out by now, else this would be due for ever.
  flushTasks(tx);
  for (const row of tx.db.query<TaskRow>(OVERDUE_READY).all(over, tx.memory.turnBudget.steps)) {
    const task = loadTask(tx, row);
    applyTaskEvent(tx, task, {
      on: 'schedule-timeout',
      at: tx.now,
      message: `no worker was available within the schedule timeout of ${task.node.scheduleTimeoutMs / 1000} s`,
    });
  }
}

const hasRows = (read: ReadHandle, sql: string, now: number): boolean => read.query(sql).get(now, 1) !== undefined;

/** The time of a job's replicas is over: RUNNING tasks become RUN_TIMEOUT, other open ones FAILED, REPLICA_TIMEOUT. */
export async function timeOutReplicas(engine: Engine, seq: number): Promise<void> {
  await runInSlices(engine, (tx) => {
    const job = loadJob(tx, seq);
    const before = jobStatus(job.facts);
    const message = `the replica exceeded the replica timeout of ${job.replicaTimeoutSeconds} s`;
    const { pendingInputs, turnBudget } = tx.memory;
    const limit = pendingInputs.has(seq) ? Math.ceil(turnBudget.steps / 2) : turnBudget.steps;
    expandJob(tx, job, limit);
    const tasks = openTasks(tx, job, limit);
    const more = tasks.length >= limit || pendingInputs.has(seq);
    if (!more && job.replicaDeadline !== null) {
      touchJob(tx, job);
      job.replicaDeadline = null;
    }
    const changed = applyToAll(tx, tasks, { on: 'replica-timeout', at: tx.now, message });
    return { jobId: job.id, before, status: jobStatus(job.facts), changed, cursor: more ? 0 : null };
  });
}
