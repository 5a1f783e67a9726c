import { settleJob } from '../../state-machines/job.ts';
import { flushForeachRecords, commitForeachRecords, undoForeachRecords } from '../foreach/records.ts';
import { recordFailures } from '../failures/record-failures.ts';
import { includeDeferred, forgetWritten, deferWrites, undoDeferred } from './deferred-writes.ts';
import { forgetProgress } from './replica-progress.ts';
import type { JobRecord } from './records.ts';
import { writeCounts, writeJob, writeTask, countKey } from './write-rows.ts';
import type { Transaction } from './port.ts';

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
