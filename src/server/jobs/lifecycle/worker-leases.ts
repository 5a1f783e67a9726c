import type { WriteHandle } from '../../store/port.ts';
import type { TaskRecord } from '../engine/records.ts';
import { addLoad, leaseKind, servesEnvironment } from '../queue/assigner.ts';
import { chainAfter } from '../queue/dispatch.ts';
import type { TaskRow } from '../engine/rows.ts';
import { LEASED_TASKS, OPEN_BY_JOB, RECOUNT_JOB } from '../engine/sql.ts';
import { loadTask, loadJob } from '../engine/load-records.ts';
import type { WorkerPool } from '../queue/port.ts';
import type { Memory, Transaction } from '../engine/port.ts';
import { failTask } from './retry.ts';
import { flushTasks } from '../engine/transaction.ts';
import { TASK_BY_ID } from '../engine/sql.ts';
import { applyTaskEvent } from '../engine/apply-task-event.ts';
import type { Limits } from '../../../contract/limits.ts';

/**
 * After a restart of the master: leases of the database are taken back into memory. Their workers may come back with
 * the same id and go on; those that stay away become Down, and their tasks are lost.
 */
export function recoverLeases(tx: Transaction): void {
  for (const state of ['SCHEDULED', 'RUNNING']) {
    for (const row of tx.db.query<TaskRow>(LEASED_TASKS).all(state)) {
      const task = loadTask(tx, row);
      task.chain = chainAfter(task);
      task.job.held++;
      tx.memory.leased.set(task.id, task);
      tx.memory.recoveredLeases.set(task, task.facts.attempt);
      tx.memory.concurrencyLimits.acquire(task.job);
      task.leasedAs = leaseKind(tx, task);
      if (task.facts.workerId !== null) addLoad(tx.workerPool.worker(task.facts.workerId), task.leasedAs, 1);
    }
  }
}

/**
 * Counts the open tasks of jobs anew. Leases are written late and the job's row is not, so that after a crash it may
 * count tasks as handed out whose rows say READY; all other counts are written with their tasks. Before anything is read.
 */
export function recountOpenTasks(db: WriteHandle): void {
  const counts = new Map<number, Record<'READY' | 'SCHEDULED' | 'RUNNING', number>>();
  for (const { job, state, n } of db
    .query<{ job: number; state: 'READY' | 'SCHEDULED' | 'RUNNING'; n: number }>(OPEN_BY_JOB)
    .all()) {
    const known = counts.get(job) ?? { READY: 0, SCHEDULED: 0, RUNNING: 0 };
    counts.set(job, { ...known, [state]: n });
  }
  for (const [job, { READY, SCHEDULED, RUNNING }] of counts)
    db.statement(RECOUNT_JOB).run(READY, SCHEDULED, RUNNING, job, READY, SCHEDULED, RUNNING);
}

/**
 * Leases of workers that nobody waits for: forgotten ones, and ones that are Down. Of those a master that dies between
 * its finding that one is Down and the loss of its leases leaves some behind.
 */
export function orphanedLeases({ leased }: Memory, workerPool: WorkerPool): TaskRecord[] {
  return [...leased.values()].filter(
    ({ facts: { workerId } }) => workerId === null || (workerPool.worker(workerId)?.state ?? 'Down') === 'Down',
  );
}

/** True where there are more than one turn takes. */
export function revokeOrphanedLeases(tx: Transaction): boolean {
  const gone = orphanedLeases(tx.memory, tx.workerPool);
  for (const task of gone.slice(0, LEASES_REVOKED_PER_TURN))
    revokeLease(
      tx,
      task,
      task.facts.workerId === null ? 'the task has no worker' : `worker ${task.facts.workerId} was lost`,
    );
  return gone.length > LEASES_REVOKED_PER_TURN;
}

/** Leases that one turn loses, at most: a worker may hold thousands. */
export const LEASES_REVOKED_PER_TURN = 100;

/** Leases that one turn tells a worker it has not. */
export const STALE_PER_TURN = 1000;

/** A worker is Down: what it held is lost. True where it holds more than one turn takes. */
export function revokeWorkerLeases(tx: Transaction, workerId: string): boolean {
  const held = heldBy(tx.memory, workerId);
  for (const task of held.slice(0, LEASES_REVOKED_PER_TURN)) revokeLease(tx, task, `worker ${workerId} was lost`);
  return held.length > LEASES_REVOKED_PER_TURN;
}

/** A lease as a worker names it. */
export interface LeaseClaim {
  readonly id: string;
  readonly attempt: number;
}

/** A lease as it was when somebody looked. */
export interface UnheldLease {
  readonly task: TaskRecord;
  readonly attempt: number;
}

/**
 * A worker came (back) with these leases. Ours that it does not hold never reached it or were dropped: `gone`, for
 * `revokeUnheldLeases`. Its that are not ours any more are `stale`, for `tellStale`. Both take them slice by slice.
 */
export function reconcileLeases(
  tx: Transaction,
  workerId: string,
  running: readonly LeaseClaim[],
): { gone: UnheldLease[]; stale: LeaseClaim[] } {
  const ours = heldBy(tx.memory, workerId);
  // Claims that cannot be ours, of which a worker may make any number, are looked at once and no more.
  const known = new Set(ours.flatMap(({ id, chain }) => [id, ...chain.map((next) => next.id)]));
  const held = new Map<string, number>();
  const stale: LeaseClaim[] = [];
  for (const claim of running)
    if (known.has(claim.id)) held.set(claim.id, claim.attempt);
    else stale.push(claim);
  const gone: UnheldLease[] = [];
  for (const task of ours) {
    if (held.get(task.id) === task.facts.attempt && mayHold(tx, workerId, task)) {
      held.delete(task.id);
      tx.memory.recoveredLeases.delete(task);
      keepChain(task, held);
    } else gone.push({ task, attempt: task.facts.attempt });
  }
  for (const [id, attempt] of held) stale.push({ id, attempt });
  return { gone, stale };
}

/** Leases that are not the worker's are told to it. */
export function tellStale(tx: Transaction, workerId: string, stale: readonly LeaseClaim[]): void {
  for (const { id, attempt } of stale) tx.effects.lostLeases.push({ workerId, id, attempt });
}

/** The rest of a chain is held too, though its tasks do not exist yet. What of it was dropped is handed out when its turn comes. */
function keepChain(task: TaskRecord, held: Map<string, number>): void {
  const dropped = task.chain.findIndex(({ id }) => held.get(id) !== 1);
  if (dropped >= 0) task.chain = task.chain.slice(0, dropped);
  for (const { id } of task.chain) held.delete(id);
}

/** These did not come back with their worker. One that ended meanwhile stays as it is. */
export function revokeUnheldLeases(tx: Transaction, workerId: string, gone: readonly UnheldLease[]): void {
  for (const { task, attempt } of gone) {
    if (tx.memory.leased.get(task.id) === task && task.facts.workerId === workerId && task.facts.attempt === attempt)
      revokeLease(
        tx,
        task,
        mayHold(tx, workerId, task)
          ? `worker ${workerId} reconnected without the task`
          : `worker ${workerId} reconnected with a token that does not serve the environment of the task`,
      );
  }
}

/** The worker, asked what it holds (`timeout-scan.ts`), says that it does not hold these. */
export function revokeDeniedLeases(
  tx: Transaction,
  workerId: string,
  gone: readonly { id: string; attempt: number }[],
): void {
  for (const { id, attempt } of gone) {
    const task = tx.memory.leased.get(id);
    if (task?.facts.workerId === workerId && task.facts.attempt === attempt)
      revokeLease(tx, task, `worker ${workerId} is no longer running the task`);
  }
}

const heldBy = ({ leased }: Memory, workerId: string): TaskRecord[] =>
  [...leased.values()].filter(({ facts }) => facts.workerId === workerId);

/**
 * Where the lease was given before the master started and its worker has not come back with it, the master's end is the
 * cause: local workers end with it, and what it had sent may not have arrived. That uses up no retry. A node without
 * retries is not run twice: what an attempt did outside is not known.
 */
function revokeLease(tx: Transaction, task: TaskRecord, message: string): void {
  const restarted = tx.memory.recoveredLeases.get(task) === task.facts.attempt;
  failTask(
    tx,
    task,
    tx.now,
    { code: 'WORKER_LOST', message: restarted ? `${message}; the master was restarted` : message, retryable: true },
    restarted && task.node.retries > 0,
  );
}

/**
 * A worker came (back) with leases of which the rows say that nobody has them: they are written late (`deferWrites` in transaction.ts), and the
 * master that gave them died before. The worker has them all the same, so they are its again. Were they refused, the same
 * attempt would be given once more, perhaps to the same worker, and what it still has to say of the first time could not be
 * told from what it says of the second. Call before `reconcileLeases`, and before any report of the worker is heard.
 */
export function reclaimLeases(
  tx: Transaction,
  workerId: string,
  running: readonly { id: string; attempt: number }[],
): void {
  for (const { id, attempt } of running) {
    if (tx.memory.leased.has(id)) continue;
    const task = findWaitingTask(tx, id);
    if (task?.facts.state !== 'READY' || task.facts.attempt !== attempt || task.node.child !== null) continue;
    if (!mayHold(tx, workerId, task)) continue;
    if (applyTaskEvent(tx, task, { on: 'assign', at: Math.max(tx.now, task.facts.readyAt), workerId }))
      task.chain = chainAfter(task);
  }
}

/** The worker may have come with another token than the one under which it was given the task. */
function mayHold({ workerPool }: Transaction, workerId: string, { job }: TaskRecord): boolean {
  const worker = workerPool.worker(workerId);
  return worker !== undefined && servesEnvironment(worker, job.environment);
}

/** The record of a task that no worker has; undefined where there is no such task: most are of a chain, and not made yet. */
function findWaitingTask(tx: Transaction, id: string): TaskRecord | undefined {
  const queued = tx.memory.queue.get(id);
  if (queued) return queued;
  const byId = tx.db.query<TaskRow>(TASK_BY_ID);
  const found = byId.get(id);
  if (found?.state !== 'READY') return undefined;
  // It may have been changed in this very turn.
  flushTasks(tx, loadJob(tx, found.job));
  const row = byId.get(id);
  return row && loadTask(tx, row);
}

/** Leases that one check asks about, at most: the oldest first, the others come with the next. */
const ASKED_AT_ONCE = 1000;

/**
 * Asks workers whether they still hold what was with them for long, again every `leaseCheckSeconds`. Both sides agree on what
 * a worker holds when it joins, and frames keep their order, so the answer is yes; should they ever differ, a task whose
 * worker knows nothing of it would be RUNNING until its run timeout.
 */
export function createLeaseVerifier({
  memory: { leased },
  workerPool,
  limits,
}: {
  memory: Pick<Memory, 'leased'>;
  workerPool: WorkerPool;
  limits: Readonly<Limits>;
}): (now: number) => void {
  const asked = new WeakMap<TaskRecord, number>();
  return (now) => {
    const latest = now - limits.leaseCheckSeconds * 1000;
    const questions: { workerId: string; id: string; attempt: number }[] = [];
    for (const task of leased.values()) {
      if (questions.length >= ASKED_AT_ONCE) break;
      const { workerId, attempt, scheduledAt, startedAt } = task.facts;
      const worker = workerId === null ? undefined : workerPool.worker(workerId);
      if (workerId === null || !worker?.admitted) continue;
      if ((asked.get(task) ?? Math.max(startedAt ?? scheduledAt ?? now, worker.registeredAt)) > latest) continue;
      asked.set(task, now);
      questions.push({ workerId, id: task.id, attempt });
    }
    for (const [workerId, leases] of Map.groupBy(questions, (one) => one.workerId))
      workerPool.verify(
        workerId,
        leases.map(({ id, attempt }) => ({ id, attempt })),
      );
  };
}
