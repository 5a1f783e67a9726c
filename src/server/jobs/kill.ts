import type { JobStatus } from '../../contract/vocabulary.ts';
import { jobStatus } from '../machine/job.ts';
import type { TaskEvent } from '../machine/task.ts';
import type { Engine } from './engine.ts';
import type { JobRecord, TaskRecord } from './records.ts';
import { retryTask } from './settle.ts';
import { flushTasks, loadJob, loadTask, step, touchJob, type Unit } from './unit.ts';
import type { TaskRow } from './rows.ts';
import { TASKS_IN_STATE, TASKS_WAITING } from './sql.ts';

/** Tasks that one turn ends or reopens; a job with more takes several, so that the loop is never held for long. */
const SLICE = 200;

/** READY, SCHEDULED, RUNNING and retry-waiting tasks become FAILED, KILLED. Says how many, and the status then. */
export async function killJob(engine: Engine, seq: number, actor: string): Promise<{ killedTasks: number; status: JobStatus }> {
  const message = `killed by ${actor}`;
  const { changed, status } = await inSlices(engine, (unit) => {
    const job = loadJob(unit, seq);
    const tasks = openTasks(unit, job);
    if (tasks.length > 0 && job.killedAt === null) {
      touchJob(unit, job);
      job.killedAt = unit.now;
    }
    return { changed: stepAll(unit, tasks, { on: 'kill', at: unit.now, message }), status: () => jobStatus(job.facts) };
  });
  return { killedTasks: changed, status };
}

/** FAILED and timed-out tasks become READY with a fresh allowance. */
export async function retryJob(engine: Engine, seq: number): Promise<{ retriedTasks: number; status: JobStatus }> {
  const { changed, status } = await inSlices(engine, (unit) => {
    const job = loadJob(unit, seq);
    const tasks = rowsIn(unit, job, ['FAILED', 'SCHEDULE_TIMEOUT', 'RUN_TIMEOUT']);
    if (tasks.length > 0) reopen(unit, job);
    return { changed: tasks.filter((task) => retryTask(unit, task, 'hand')).length, status: () => jobStatus(job.facts) };
  });
  return { retriedTasks: changed, status };
}

/** The time of a job's replicas is over: RUNNING tasks become RUN_TIMEOUT, other open ones FAILED, REPLICA_TIMEOUT. */
export async function endReplicas(engine: Engine, seq: number): Promise<void> {
  await inSlices(engine, (unit) => {
    const job = loadJob(unit, seq);
    const message = `the replica ran longer than the ${job.replicaTimeoutSeconds} s that the job allows`;
    const tasks = openTasks(unit, job);
    if (tasks.length < SLICE && job.replicaDeadline !== null) {
      touchJob(unit, job);
      job.replicaDeadline = null;
    }
    return { changed: stepAll(unit, tasks, { on: 'replica-timeout', at: unit.now, message }), status: () => jobStatus(job.facts) };
  });
}

async function inSlices(engine: Engine, slice: (unit: Unit) => { changed: number; status: () => JobStatus }): Promise<{ changed: number; status: JobStatus }> {
  let changed = 0;
  for (;;) {
    const done = await engine.enqueue(SLICE, slice);
    changed += done.changed;
    if (done.changed < SLICE) return { changed, status: done.status() };
  }
}

/** What a retry by hand takes back: the end, the kill and the failure; a time limit of replicas starts anew. */
function reopen(unit: Unit, job: JobRecord): void {
  touchJob(unit, job);
  job.killedAt = null;
  job.failure = null;
  job.failureAt = null;
  job.replicaDeadline = job.replicaTimeoutSeconds === null ? null : unit.now + job.replicaTimeoutSeconds * 1000;
}

function openTasks(unit: Unit, job: JobRecord): TaskRecord[] {
  const tasks = rowsIn(unit, job, ['READY', 'SCHEDULED', 'RUNNING']);
  if (tasks.length >= SLICE) return tasks;
  return [...tasks, ...unit.db.query<TaskRow>(TASKS_WAITING).all(job.seq, SLICE - tasks.length).map((row) => loadTask(unit, row))];
}

function rowsIn(unit: Unit, job: JobRecord, states: readonly string[]): TaskRecord[] {
  flushTasks(unit);
  const rows: TaskRow[] = [];
  for (const state of states) {
    if (rows.length < SLICE) rows.push(...unit.db.query<TaskRow>(TASKS_IN_STATE).all(state, job.seq, SLICE - rows.length));
  }
  return rows.map((row) => loadTask(unit, row));
}

const stepAll = (unit: Unit, tasks: readonly TaskRecord[], event: TaskEvent): number => tasks.filter((task) => step(unit, task, event)).length;
