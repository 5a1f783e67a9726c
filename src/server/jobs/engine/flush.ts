import { settleJob } from '../../machine/job.ts';
import { flushFans, keepFans, undoFans } from '../foreach/records.ts';
import { noteFailures } from '../failures/note.ts';
import { countKey } from './memory.ts';
import { bringLate, forgetLate, leaveLate, undoLate } from './deferred-writes.ts';
import { forgetProgress } from './replica-progress.ts';
import type { JobRecord } from './records.ts';
import type { Unit } from './transaction.ts';
import { writeCounts, writeJob, writeTask } from './write-rows.ts';

/** Writes the tasks changed so far, also in turns before, so that queries see them; with `job`, at least those of that job. */
export function flushTasks(unit: Unit, job: JobRecord | null = null): void {
  bringLate(unit, job);
  for (const task of unit.dirty) {
    if (task.job.unwritten !== null) continue;
    writeTask(unit, task);
    unit.dirty.delete(task);
  }
}

/** Writes all that changed, but for what is written late. The last thing that a turn does. */
export function flush(unit: Unit): void {
  const later = leaveLate(unit);
  const { unborn } = unit.memory;
  for (const task of unit.dirty) writeTask(unit, task);
  unit.dirty.clear();
  flushFans(unit);
  for (const job of unit.jobs.keys()) {
    if (later.has(job)) continue;
    if (!unborn.has(job.seq)) job.facts = settleJob(job.facts);
    if (job.facts.finishedAt !== null) job.replicaDeadline = null;
    writeJob(unit, job);
  }
  writeCounts(unit);
  if (unit.effects.failures.length > 0) noteFailures(unit.db, unit.effects.failures, unit.limits);
}

export function undoUnit(unit: Unit): void {
  for (const back of unit.undo.reverse()) back();
  undoFans(unit);
  for (const [task, before] of unit.tasks) Object.assign(task, before);
  for (const [job, before] of unit.jobs) {
    forgetProgress(unit.memory.progress, job);
    Object.assign(job, before, { progress: null });
  }
  undoLate(unit);
  // What the turn read of the queue in the database was read beside its own changes.
  if (unit.tasks.size > 0 || unit.undo.length > 1)
    unit.memory.queue.doubt([...unit.jobs.keys()].map(({ priority }) => priority));
  forgetIdle(unit);
}

/** After the commit: memory takes the counts over and lets jobs go that nothing holds. */
export function keepUnit(unit: Unit): void {
  for (const { workflowId, environment, status, jobs } of unit.counts.values()) {
    const key = countKey(workflowId, environment, status);
    const known = unit.memory.counts.get(key);
    if (known) known.jobs += jobs;
    else unit.memory.counts.set(key, { workflowId, environment, status, jobs });
  }
  forgetLate(unit);
  keepFans(unit);
  forgetIdle(unit);
}

function forgetIdle({ jobs, memory }: Unit): void {
  for (const [job] of jobs) {
    if (job.held > 0) continue;
    if (job.progress !== null) forgetProgress(memory.progress, job);
    memory.jobs.delete(job.seq);
    memory.jobsById.delete(job.id);
  }
}
