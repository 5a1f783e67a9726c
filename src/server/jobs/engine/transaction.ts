import { settleJob } from '../../state-machines/job.ts';
import type { WriteHandle } from '../../store/port.ts';
import { planOnce } from '../../store/plan-once.ts';
import { flushForeachRecords, commitForeachRecords, undoForeachRecords } from '../foreach/records.ts';
import { recordFailures } from '../failures/record-failures.ts';
import type { JobRecord, ReplicaProgress, TaskRecord } from './records.ts';
import { TASK_CHANGING, WITHHELD } from './sql.ts';
import { writeCounts, writeJob, writeTask, countKey } from './write-rows.ts';
import type { Totals, Transaction, TransactionDeps } from './port.ts';

export function beginTransaction(db: WriteHandle, deps: TransactionDeps, now: number): Transaction {
  const totals: Totals = { ...deps.memory.totals };
  return {
    ...deps,
    db,
    now,
    effects: {
      leases: [],
      secretUses: [],
      kills: [],
      lostLeases: [],
      endedAttempts: [],
      endedCalls: [],
      approvals: [],
      damaged: [],
      orphanedTasks: [],
      freedWorkers: [],
      failures: [],
      childChecks: [],
      outputs: new Map(),
    },
    tasks: new Map(),
    jobs: new Map(),
    dirty: new Set(),
    counts: new Map(),
    foreachRecords: new Map(),
    childStarts: [],
    undo: [() => Object.assign(deps.memory.totals, totals)],
    assigner: null,
    needsAnotherTurn: false,
  };
}

/** Call before a task's record is changed. */
export function touchTask(tx: Transaction, task: TaskRecord): void {
  if (!tx.tasks.has(task)) tx.tasks.set(task, { ...task });
  tx.dirty.add(task);
}

/** Call before a job's record is changed. */
export function touchJob(tx: Transaction, job: JobRecord): void {
  if (!tx.jobs.has(job)) tx.jobs.set(job, { ...job });
}

/** Writes the tasks changed so far, also in turns before, so that queries see them; with `job`, at least those of that job. */
export function flushTasks(tx: Transaction, job: JobRecord | null = null): void {
  includeDeferred(tx, job);
  for (const task of tx.dirty) {
    if (task.job.unwritten !== null) continue;
    writeTask(tx, task);
    tx.dirty.delete(task);
  }
}

/** Writes all that changed, but for what is written late. The last thing that a turn does. */
export function flush(tx: Transaction): void {
  const later = deferWrites(tx);
  const { pendingInputs } = tx.memory;
  for (const task of tx.dirty) writeTask(tx, task);
  tx.dirty.clear();
  flushForeachRecords(tx);
  for (const job of tx.jobs.keys()) {
    if (later.has(job)) continue;
    if (!pendingInputs.has(job.seq)) job.facts = settleJob(job.facts);
    if (job.facts.finishedAt !== null) job.replicaDeadline = null;
    writeJob(tx, job);
  }
  writeCounts(tx);
  if (tx.effects.failures.length > 0) recordFailures(tx.db, tx.effects.failures, tx.limits);
}

export function undoTransaction(tx: Transaction): void {
  for (const back of tx.undo.reverse()) back();
  undoForeachRecords(tx);
  for (const [task, before] of tx.tasks) Object.assign(task, before);
  for (const [job, before] of tx.jobs) {
    forgetProgress(tx.memory.progress, job);
    Object.assign(job, before, { progress: null });
  }
  undoDeferred(tx);
  // What the turn read of the queue in the database was read beside its own changes.
  if (tx.tasks.size > 0 || tx.undo.length > 1)
    tx.memory.queue.invalidate([...tx.jobs.keys()].map(({ priority }) => priority));
  forgetIdleJobs(tx);
}

/** After the commit: memory takes the counts over and lets jobs go that nothing holds. */
export function commitToMemory(tx: Transaction): void {
  for (const { workflowId, environment, status, jobs } of tx.counts.values()) {
    const key = countKey(workflowId, environment, status);
    const known = tx.memory.counts.get(key);
    if (known) known.jobs += jobs;
    else tx.memory.counts.set(key, { workflowId, environment, status, jobs });
  }
  forgetWritten(tx);
  commitForeachRecords(tx);
  forgetIdleJobs(tx);
}

function forgetIdleJobs({ jobs, memory }: Transaction): void {
  for (const [job] of jobs) {
    if (job.held > 0) continue;
    if (job.progress !== null) forgetProgress(memory.progress, job);
    memory.jobs.delete(job.seq);
    memory.jobsById.delete(job.id);
  }
}

/** All that is kept of a job: it leaves memory, or what was kept is not so. */
function forgetProgress(kept: Set<ReplicaProgress>, job: JobRecord): void {
  for (const one of job.progress?.values() ?? []) kept.delete(one);
  job.progress = null;
}

/** What was put off is written by a turn between one and two times this later, if no change of it came before. */
export const DEFER_MS = 50;

/**
 * Takes out of this turn what is written late: with the next change, or by a turn soon after (`DEFER_MS`). Returns the jobs of
 * which nothing is written now. Whoever reads rows for others asks for a turn first. Written late are:
 *
 * - Leases. Handing a queued task to a worker changes two rows that its end, most often milliseconds away, changes
 *   again. Until then the rows say READY: after a crash of the master the task is handed out again, which a lease that
 *   was never reported allows.
 * - Whole jobs whose caller waits and was told nothing (`Submission.awaited`), while all their tasks are with workers or
 *   done, and none of their nodes has effects outside. They are written once, with their end, instead of with each
 *   step. After a crash nothing is left of such a job; its caller sees the connection break and knows that it was not
 *   done. What was answered, accepted, or runs longer is in the database.
 */
function deferWrites(tx: Transaction): ReadonlySet<JobRecord> {
  const { dirty, memory, jobs } = tx;
  const whole = new Set<JobRecord>();
  for (const job of jobs.keys()) {
    if (job.unwritten === null) continue;
    if (mayDefer(job)) whole.add(job);
    else writeNow(tx, job);
  }
  const later = new Set<JobRecord>();
  for (const task of dirty) {
    if (task.job.unwritten !== null) dirty.delete(task);
    else if (isDeferrable(task)) {
      dirty.delete(task);
      memory.deferredTasks.add(task);
      later.add(task.job);
    }
  }
  if (later.size > 0) {
    for (const task of tx.tasks.keys()) if (!isDeferrable(task)) later.delete(task.job);
    for (const job of later) if (isChangedBeyond(job, jobs.get(job))) later.delete(job);
  }
  for (const job of later) whole.add(job);
  return whole;
}

/** Has a job that is not in the database written with this turn, and its tasks with it. */
function writeNow(tx: Transaction, job: JobRecord): void {
  touchJob(tx, job);
  for (const task of job.unwritten ?? []) touchTask(tx, task);
  job.unwritten = null;
}

/** Marks what earlier turns left as changed, all of it or that of one job, so that it is written with this turn. */
function includeDeferred(tx: Transaction, only: JobRecord | null): void {
  const { deferredTasks, deferredJobs } = tx.memory;
  if (only === null) for (const job of [...deferredJobs, ...tx.jobs.keys()]) writeNow(tx, job);
  else if (only.unwritten !== null) writeNow(tx, only);
  for (const task of deferredTasks) {
    if (only !== null && task.job !== only) continue;
    touchTask(tx, task);
    touchJob(tx, task.job);
  }
}

/** After the commit: what is written is late no more. */
function forgetWritten({ tasks, jobs, memory: { deferredTasks, deferredJobs } }: Transaction): void {
  if (deferredTasks.size > 0) for (const task of tasks.keys()) if (!isDeferrable(task)) deferredTasks.delete(task);
  for (const job of jobs.keys()) {
    if (job.unwritten !== null) deferredJobs.add(job);
    else if (deferredJobs.size > 0) deferredJobs.delete(job);
  }
}

/** After a roll-back: what was put off in this turn is not as it was then, and may never have been. */
function undoDeferred({ tasks, memory: { deferredTasks } }: Transaction): void {
  for (const task of tasks.keys()) if (deferredTasks.has(task) && !isDeferrable(task)) deferredTasks.delete(task);
}

/** True while every task of the job is with a worker or done, and one is still with a worker. */
function mayDefer({ facts: { counters } }: JobRecord): boolean {
  const { readyTasks, scheduledTasks, runningTasks, failedTasks, scheduleTimeout, runTimeoutTasks } = counters;
  return readyTasks + failedTasks + scheduleTimeout + runTimeoutTasks === 0 && scheduledTasks + runningTasks > 0;
}

/** Numbers of jobs, before the last one, among which one that was never written may have been at the end of a master. */
const RECENT_JOBS = 100_000;
const DROP_UNWRITTEN = planOnce(
  'DELETE FROM payload WHERE job > (SELECT coalesce(max(seq), 0) FROM job) - ? AND NOT EXISTS (SELECT 1 FROM job WHERE seq = payload.job)',
);

/** At the start: the long texts of jobs that were to be written with their end, and have none. Their numbers are given again. */
export function dropUnwritten(db: WriteHandle): void {
  db.statement(DROP_UNWRITTEN).run(RECENT_JOBS);
}

const READY_DEADLINE = TASK_CHANGING.indexOf('ready_deadline');

/**
 * True where the row is one or two steps behind, and those are steps that are written late. A row that says that the task
 * is withheld is not: whoever counts what may be handed out counts this one. Nor is the lease of a task that acts on
 * other systems: after a power cut it must not look as if nobody had begun it.
 */
function isDeferrable({ stored, facts, node }: TaskRecord): boolean {
  if (
    stored === null ||
    (node.hasEffects && stored.state === 'READY') ||
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
