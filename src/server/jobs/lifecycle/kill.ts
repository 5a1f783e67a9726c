import type { JobStatus } from '../../../contract/vocabulary.ts';
import type { AuditNote } from '../../access/port.ts';
import { jobStatus } from '../../machine/job.ts';
import type { TaskEvent } from '../../machine/task.ts';
import { bearSlice } from './task-expansion.ts';
import type { Engine } from '../engine/engine.ts';
import { beginSeek, findFailure, type Seek } from './remaining-failure.ts';
import type { JobRecord, TaskRecord } from '../engine/records.ts';
import { retryTask } from './complete-task.ts';
import { flushTasks } from '../engine/flush.ts';
import { loadJob, loadTask, step, touchJob, type Unit } from '../engine/transaction.ts';
import type { TaskRow } from '../engine/rows.ts';
import { TASKS_IN_STATE, TASKS_WAITING } from '../engine/sql.ts';

/** Weight of a slice: it has a turn of its own. */
const WEIGHT = 200;

/** What one turn did to a job. */
export interface Taken {
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
  const { changed, status } = await inSlices(
    engine,
    (unit) => killSlice(unit, seq, actor),
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
  const { changed, status } = await inSlices(
    engine,
    (unit, cursor) => retrySlice(unit, seq, cursor),
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
export function killSlice(unit: Unit, seq: number, actor: string, most: number = unit.memory.pace.steps): Taken {
  const job = loadJob(unit, seq);
  const before = jobStatus(job.facts);
  const { unborn } = unit.memory;
  // What is still to be made is made and ended in the same turn, so each is half of it.
  const limit = unborn.has(seq) ? Math.ceil(most / 2) : most;
  bearSlice(unit, job, limit);
  const tasks = openTasks(unit, job, limit);
  if (tasks.length > 0 && job.killedAt === null) {
    touchJob(unit, job);
    job.killedAt = unit.now;
  }
  const changed = stepAll(unit, tasks, { on: 'kill', at: unit.now, message: `killed by ${actor}` });
  return {
    jobId: job.id,
    before,
    status: jobStatus(job.facts),
    changed,
    cursor: changed < limit && !unborn.has(seq) ? null : 0,
  };
}

/**
 * Retries up to `most` failed and timed-out tasks after `cursor`: in the order of `seq`, so that one that fails again
 * meanwhile is not retried twice. A kill in between is the last word: nothing is retried any more.
 */
export function retrySlice(unit: Unit, seq: number, cursor: number, most: number = unit.memory.pace.steps): Taken {
  const job = loadJob(unit, seq);
  const before = jobStatus(job.facts);
  if (cursor > 0 && job.killedAt !== null) return { jobId: job.id, before, status: before, changed: 0, cursor: null };
  flushTasks(unit, job);
  const rows = ['FAILED', 'SCHEDULE_TIMEOUT', 'RUN_TIMEOUT'].flatMap((state) =>
    unit.db.query<TaskRow>(TASKS_IN_STATE).all(state, seq, cursor, most),
  );
  const tasks = rows
    .sort((a, b) => a.seq - b.seq)
    .slice(0, most)
    .map((row) => loadTask(unit, row));
  if (cursor === 0 && tasks.length > 0) reopen(unit, job);
  const changed = tasks.filter((task) => retryTask(unit, task, 'hand')).length;
  const last = tasks.at(-1)?.seq ?? cursor;
  // What failed it is looked at when all were retried: some may have failed again by then.
  const isOver = tasks.length < most && (last === 0 || findFailure(unit, job, seekOf(unit, seq)));
  return { jobId: job.id, before, status: jobStatus(job.facts), changed, cursor: isOver ? null : last };
}

/** The time of a job's replicas is over: RUNNING tasks become RUN_TIMEOUT, other open ones FAILED, REPLICA_TIMEOUT. */
export async function endReplicas(engine: Engine, seq: number): Promise<void> {
  await inSlices(engine, (unit) => {
    const job = loadJob(unit, seq);
    const before = jobStatus(job.facts);
    const message = `the replica ran longer than the ${job.replicaTimeoutSeconds} s that the job allows`;
    const { unborn, pace } = unit.memory;
    const limit = unborn.has(seq) ? Math.ceil(pace.steps / 2) : pace.steps;
    bearSlice(unit, job, limit);
    const tasks = openTasks(unit, job, limit);
    const more = tasks.length >= limit || unborn.has(seq);
    if (!more && job.replicaDeadline !== null) {
      touchJob(unit, job);
      job.replicaDeadline = null;
    }
    const changed = stepAll(unit, tasks, { on: 'replica-timeout', at: unit.now, message });
    return { jobId: job.id, before, status: jobStatus(job.facts), changed, cursor: more ? 0 : null };
  });
}

/** Turn after turn until all is done. `note` runs in the transaction of each, with the sum so far. */
async function inSlices(
  engine: Engine,
  slice: (unit: Unit, cursor: number) => Taken,
  note?: (db: Unit['db'], sum: Taken) => unknown,
): Promise<Taken> {
  const turn = (before: Taken | null): Promise<Taken> =>
    engine.enqueue(WEIGHT, (unit) => {
      const taken = slice(unit, before?.cursor ?? 0);
      const sum =
        before === null ? taken : { ...taken, before: before.before, changed: before.changed + taken.changed };
      note?.(unit.db, sum);
      return sum;
    });
  let sum = await turn(null);
  while (sum.cursor !== null) sum = await turn(sum);
  return sum;
}

/** The search of the retry of a whole job, which an earlier turn may have begun. */
function seekOf({ memory }: Unit, job: number): Seek {
  for (const seek of memory.seeks) if (seek.whole && seek.job === job) return seek;
  return beginSeek(memory, job, true);
}

/** What a retry by hand takes back: the end and the kill; a time limit of replicas starts anew, and so does what its duration is counted from. */
function reopen(unit: Unit, job: JobRecord): void {
  touchJob(unit, job);
  job.retriedAt = unit.now;
  job.killedAt = null;
  job.replicaDeadline = job.replicaTimeoutSeconds === null ? null : unit.now + job.replicaTimeoutSeconds * 1000;
}

function openTasks(unit: Unit, job: JobRecord, most: number): TaskRecord[] {
  flushTasks(unit, job);
  const rows: TaskRow[] = [];
  for (const state of ['READY', 'SCHEDULED', 'RUNNING']) {
    if (rows.length < most)
      rows.push(...unit.db.query<TaskRow>(TASKS_IN_STATE).all(state, job.seq, 0, most - rows.length));
  }
  if (rows.length < most) rows.push(...unit.db.query<TaskRow>(TASKS_WAITING).all(job.seq, most - rows.length));
  return rows.map((row) => loadTask(unit, row));
}

const stepAll = (unit: Unit, tasks: readonly TaskRecord[], event: TaskEvent): number =>
  tasks.filter((task) => step(unit, task, event)).length;
