import type { JobStatus } from '../../../contract/vocabulary.ts';
import type { AuditNote } from '../../access/port.ts';
import { jobStatus } from '../../machine/job.ts';
import type { TaskEvent } from '../../machine/task.ts';
import { expandJob } from './task-expansion.ts';
import { beginFailureSearch, findRemainingFailure } from './remaining-failure.ts';
import type { JobRecord, TaskRecord, FailureSearch } from '../engine/records.ts';
import { retryTask } from './complete-task.ts';
import { flushTasks } from '../engine/flush.ts';
import { touchJob } from '../engine/transaction.ts';
import type { TaskRow } from '../engine/rows.ts';
import { TASKS_IN_STATE, TASKS_WAITING } from '../engine/sql.ts';
import { loadJob, loadTask } from '../engine/load-records.ts';
import { applyTaskEvent } from '../engine/apply-task-event.ts';
import type { Transaction, Engine } from '../engine/port.ts';

/** Weight of a slice: it has a turn of its own. */
const WEIGHT = 200;

/** What one turn did to a job. */
export interface SliceResult {
  readonly jobId: string;
  readonly before: JobStatus;
  readonly status: JobStatus;
  readonly changed: number;
  /** The last task looked at; null: all were. Hand it to the next turn. */
  readonly cursor: number | null;
}

/** READY, SCHEDULED, RUNNING and retry-waiting tasks become FAILED, KILLED. Says how many, and the status then. */
export async function killJob(
  engine: Engine,
  seq: number,
  actor: string,
  note?: AuditNote,
): Promise<{ killedTasks: number; status: JobStatus }> {
  const { changed, status } = await runInSlices(
    engine,
    (tx) => killSlice(tx, seq, actor),
    (db, { jobId, before, status: now, changed: killedTasks }) =>
      // A second kill changes nothing.
      killedTasks > 0 &&
      note?.(db, {
        action: 'job.kill',
        target: `job:${jobId}`,
        before: { status: before },
        after: { status: now, killedTasks },
      }),
  );
  return { killedTasks: changed, status };
}

/** FAILED and timed-out tasks become READY with a fresh allowance. */
export async function retryJob(
  engine: Engine,
  seq: number,
  note?: AuditNote,
): Promise<{ retriedTasks: number; status: JobStatus }> {
  const { changed, status } = await runInSlices(
    engine,
    (tx, cursor) => retrySlice(tx, seq, cursor),
    (db, { jobId, before, status: now, changed: retriedTasks }) =>
      retriedTasks > 0 &&
      note?.(db, {
        action: 'job.retry',
        target: `job:${jobId}`,
        before: { status: before },
        after: { status: now, retriedTasks },
      }),
  );
  return { retriedTasks: changed, status };
}

/** Kills up to `most` open tasks of a job in this turn. */
export function killSlice(
  tx: Transaction,
  seq: number,
  actor: string,
  most: number = tx.memory.turnBudget.steps,
): SliceResult {
  const job = loadJob(tx, seq);
  const before = jobStatus(job.facts);
  const { pendingInputs } = tx.memory;
  // What is still to be made is made and ended in the same turn, so each is half of it.
  const limit = pendingInputs.has(seq) ? Math.ceil(most / 2) : most;
  expandJob(tx, job, limit);
  const tasks = openTasks(tx, job, limit);
  if (tasks.length > 0 && job.killedAt === null) {
    touchJob(tx, job);
    job.killedAt = tx.now;
  }
  const changed = applyToAll(tx, tasks, { on: 'kill', at: tx.now, message: `killed by ${actor}` });
  return {
    jobId: job.id,
    before,
    status: jobStatus(job.facts),
    changed,
    cursor: changed < limit && !pendingInputs.has(seq) ? null : 0,
  };
}

/**
 * Retries up to `most` failed and timed-out tasks after `cursor`: in the order of `seq`, so that one that fails again
 * meanwhile is not retried twice. A kill in between is the last word: nothing is retried any more.
 */
export function retrySlice(
  tx: Transaction,
  seq: number,
  cursor: number,
  most: number = tx.memory.turnBudget.steps,
): SliceResult {
  const job = loadJob(tx, seq);
  const before = jobStatus(job.facts);
  if (cursor > 0 && job.killedAt !== null) return { jobId: job.id, before, status: before, changed: 0, cursor: null };
  flushTasks(tx, job);
  const rows = ['FAILED', 'SCHEDULE_TIMEOUT', 'RUN_TIMEOUT'].flatMap((state) =>
    tx.db.query<TaskRow>(TASKS_IN_STATE).all(state, seq, cursor, most),
  );
  const tasks = rows
    .sort((a, b) => a.seq - b.seq)
    .slice(0, most)
    .map((row) => loadTask(tx, row));
  if (cursor === 0 && tasks.length > 0) reopenJob(tx, job);
  const changed = tasks.filter((task) => retryTask(tx, task, 'hand')).length;
  const last = tasks.at(-1)?.seq ?? cursor;
  // What failed it is looked at when all were retried: some may have failed again by then.
  const isOver = tasks.length < most && (last === 0 || findRemainingFailure(tx, job, failureSearchOf(tx, seq)));
  return { jobId: job.id, before, status: jobStatus(job.facts), changed, cursor: isOver ? null : last };
}

/** The time of a job's replicas is over: RUNNING tasks become RUN_TIMEOUT, other open ones FAILED, REPLICA_TIMEOUT. */
export async function timeOutReplicas(engine: Engine, seq: number): Promise<void> {
  await runInSlices(engine, (tx) => {
    const job = loadJob(tx, seq);
    const before = jobStatus(job.facts);
    const message = `the replica ran longer than the ${job.replicaTimeoutSeconds} s that the job allows`;
    const { pendingInputs, turnBudget: pace } = tx.memory;
    const limit = pendingInputs.has(seq) ? Math.ceil(pace.steps / 2) : pace.steps;
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

/** Turn after turn until all is done. `note` runs in the transaction of each, with the sum so far. */
async function runInSlices(
  engine: Engine,
  slice: (tx: Transaction, cursor: number) => SliceResult,
  note?: (db: Transaction['db'], sum: SliceResult) => unknown,
): Promise<SliceResult> {
  const turn = (before: SliceResult | null): Promise<SliceResult> =>
    engine.enqueue(WEIGHT, (tx) => {
      const taken = slice(tx, before?.cursor ?? 0);
      const sum =
        before === null ? taken : { ...taken, before: before.before, changed: before.changed + taken.changed };
      note?.(tx.db, sum);
      return sum;
    });
  let sum = await turn(null);
  while (sum.cursor !== null) sum = await turn(sum);
  return sum;
}

/** The search of the retry of a whole job, which an earlier turn may have begun. */
function failureSearchOf({ memory }: Transaction, job: number): FailureSearch {
  for (const search of memory.failureSearches) if (search.ofWholeJob && search.job === job) return search;
  return beginFailureSearch(memory, job, true);
}

/** What a retry by hand takes back: the end and the kill; a time limit of replicas starts anew, and so does what its duration is counted from. */
function reopenJob(tx: Transaction, job: JobRecord): void {
  touchJob(tx, job);
  job.retriedAt = tx.now;
  job.killedAt = null;
  job.replicaDeadline = job.replicaTimeoutSeconds === null ? null : tx.now + job.replicaTimeoutSeconds * 1000;
}

function openTasks(tx: Transaction, job: JobRecord, most: number): TaskRecord[] {
  flushTasks(tx, job);
  const rows: TaskRow[] = [];
  for (const state of ['READY', 'SCHEDULED', 'RUNNING']) {
    if (rows.length < most)
      rows.push(...tx.db.query<TaskRow>(TASKS_IN_STATE).all(state, job.seq, 0, most - rows.length));
  }
  if (rows.length < most) rows.push(...tx.db.query<TaskRow>(TASKS_WAITING).all(job.seq, most - rows.length));
  return rows.map((row) => loadTask(tx, row));
}

const applyToAll = (tx: Transaction, tasks: readonly TaskRecord[], event: TaskEvent): number =>
  tasks.filter((task) => applyTaskEvent(tx, task, event)).length;
