import type { WriteHandle } from '../../store/port.ts';
import { steady } from '../../store/steady.ts';
import type { JobRecord, TaskRecord } from './records.ts';
import { TASK_CHANGING, WITHHELD } from './sql.ts';
import { touchJob, touchTask, type Unit } from './transaction.ts';

/**
 * What is written late: with the next change, or by a turn soon after (between one and two times `LATE_MS`). Whoever
 * reads rows for others asks for a turn first.
 *
 * - Leases. Handing a queued task to a worker changes two rows that its end, most often milliseconds away, changes
 *   again. Until then the rows say READY: after a crash of the master the task is handed out again, which a lease that
 *   was never reported allows.
 * - Whole jobs whose caller waits and was told nothing (`Submission.awaited`), while all their tasks are with workers or
 *   done, and none of their nodes has effects outside. They are written once, with their end, instead of with each
 *   step. After a crash nothing is left of such a job; its caller sees the connection break and knows that it was not
 *   done. What was answered, accepted, or runs longer is in the database.
 */
export const LATE_MS = 50;

/** Takes out of this turn what is written late; returns the jobs of which nothing is written now. */
export function leaveLate(unit: Unit): ReadonlySet<JobRecord> {
  const { dirty, memory, jobs } = unit;
  const whole = new Set<JobRecord>();
  for (const job of jobs.keys()) {
    if (job.unwritten === null) continue;
    if (mayWait(job)) whole.add(job);
    else bring(unit, job);
  }
  const later = new Set<JobRecord>();
  for (const task of dirty) {
    if (task.job.unwritten !== null) dirty.delete(task);
    else if (isLate(task)) {
      dirty.delete(task);
      memory.late.add(task);
      later.add(task.job);
    }
  }
  if (later.size > 0) {
    for (const task of unit.tasks.keys()) if (!isLate(task)) later.delete(task.job);
    for (const job of later) if (isChangedBeyond(job, jobs.get(job))) later.delete(job);
  }
  for (const job of later) whole.add(job);
  return whole;
}

/** Has a job that is not in the database written with this turn, and its tasks with it. */
export function bring(unit: Unit, job: JobRecord): void {
  touchJob(unit, job);
  for (const task of job.unwritten ?? []) touchTask(unit, task);
  job.unwritten = null;
}

/** Marks what earlier turns left as changed, all of it or that of one job, so that it is written with this turn. */
export function bringLate(unit: Unit, only: JobRecord | null): void {
  const { late, lateJobs } = unit.memory;
  if (only === null) for (const job of [...lateJobs, ...unit.jobs.keys()]) bring(unit, job);
  else if (only.unwritten !== null) bring(unit, only);
  for (const task of late) {
    if (only !== null && task.job !== only) continue;
    touchTask(unit, task);
    touchJob(unit, task.job);
  }
}

/** After the commit: what is written is late no more. */
export function forgetLate({ tasks, jobs, memory: { late, lateJobs } }: Unit): void {
  if (late.size > 0) for (const task of tasks.keys()) if (!isLate(task)) late.delete(task);
  for (const job of jobs.keys()) {
    if (job.unwritten !== null) lateJobs.add(job);
    else if (lateJobs.size > 0) lateJobs.delete(job);
  }
}

/** After a roll-back: what was put off in this turn is not as it was then, and may never have been. */
export function undoLate({ tasks, memory: { late } }: Unit): void {
  for (const task of tasks.keys()) if (late.has(task) && !isLate(task)) late.delete(task);
}

/** True while every task of the job is with a worker or done, and one is still with a worker. */
function mayWait({ facts: { counters } }: JobRecord): boolean {
  const { readyTasks, scheduledTasks, runningTasks, failedTasks, scheduleTimeout, runTimeoutTasks } = counters;
  return readyTasks + failedTasks + scheduleTimeout + runTimeoutTasks === 0 && scheduledTasks + runningTasks > 0;
}

/** Numbers of jobs, before the last one, among which one that was never written may have been at the end of a master. */
const LATEST = 100_000;
const DROP_UNWRITTEN = steady(
  'DELETE FROM payload WHERE job > (SELECT coalesce(max(seq), 0) FROM job) - ? AND NOT EXISTS (SELECT 1 FROM job WHERE seq = payload.job)',
);

/** At the start: the long texts of jobs that were to be written with their end, and have none. Their numbers are given again. */
export function dropUnwritten(db: WriteHandle): void {
  db.statement(DROP_UNWRITTEN).run(LATEST);
}

const READY_DEADLINE = TASK_CHANGING.indexOf('ready_deadline');

/**
 * True where the row is one or two steps behind, and those are steps that are written late. A row that says that the task
 * is withheld is not: whoever counts what may be handed out counts this one.
 */
function isLate({ stored, facts }: TaskRecord): boolean {
  if (
    stored === null ||
    stored.attempt !== facts.attempt ||
    stored.state === facts.state ||
    stored.values[READY_DEADLINE] === WITHHELD
  )
    return false;
  return (
    facts.workerId !== null &&
    (stored.state === 'READY' || stored.state === 'SCHEDULED') &&
    (facts.state === 'SCHEDULED' || facts.state === 'RUNNING')
  );
}

function isChangedBeyond(job: JobRecord, before: JobRecord | undefined): boolean {
  return (
    job.stored === null ||
    before === undefined ||
    job.killedAt !== before.killedAt ||
    job.retriedAt !== before.retriedAt ||
    job.failure !== before.failure ||
    job.replicaDeadline !== before.replicaDeadline
  );
}
