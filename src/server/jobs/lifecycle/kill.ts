import type { JobStatus } from '../../../contract/vocabulary.ts';
import type { AuditNote } from '../../access/port.ts';
import { jobStatus } from '../../state-machines/job.ts';
import type { TaskEvent } from '../../state-machines/task.ts';
import { expandJob } from './task-expansion.ts';
import type { JobRecord, TaskRecord } from '../engine/records.ts';
import { flushTasks, touchJob } from '../engine/transaction.ts';
import type { TaskRow } from '../engine/rows.ts';
import { TASKS_IN_STATE, TASKS_WAITING } from '../engine/sql.ts';
import { loadJob, loadTask } from '../engine/load-records.ts';
import { applyTaskEvent } from '../engine/apply-task-event.ts';
import type { Transaction, Engine } from '../engine/port.ts';
import { type SliceResult, runInSlices } from '../engine/run-in-slices.ts';

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

export function openTasks(tx: Transaction, job: JobRecord, most: number): TaskRecord[] {
  flushTasks(tx, job);
  const rows: TaskRow[] = [];
  for (const state of ['READY', 'SCHEDULED', 'RUNNING']) {
    if (rows.length < most)
      rows.push(...tx.db.query<TaskRow>(TASKS_IN_STATE).all(state, job.seq, 0, most - rows.length));
  }
  if (rows.length < most) rows.push(...tx.db.query<TaskRow>(TASKS_WAITING).all(job.seq, most - rows.length));
  return rows.map((row) => loadTask(tx, row));
}

export const applyToAll = (tx: Transaction, tasks: readonly TaskRecord[], event: TaskEvent): number =>
  tasks.filter((task) => applyTaskEvent(tx, task, event)).length;
