import type { JobRecord, TaskRecord } from './records.ts';
import type { Unit } from './unit.ts';

/**
 * Handing a queued task to a worker changes two rows that its end, most often milliseconds away, changes again. So these
 * steps are written late: with the next change of the task, or by a turn soon after. Until then the rows say READY;
 * whoever reads them for others asks for a turn first.
 * After a crash of the master such a task is handed out again, which a lease that was never reported allows.
 */
export const LATE_MS = 50;

/** Takes the tasks out of this turn that only were handed out or begun; returns the jobs of which nothing else changed. */
export function leaveLate(unit: Unit): ReadonlySet<JobRecord> {
  const { dirty, memory, jobs } = unit;
  const later = new Set<JobRecord>();
  for (const task of dirty) {
    if (!isLate(task)) continue;
    dirty.delete(task);
    memory.late.add(task);
    later.add(task.job);
  }
  if (later.size === 0) return later;
  for (const task of unit.tasks.keys()) if (!isLate(task)) later.delete(task.job);
  for (const job of later) if (isChangedBeyond(job, jobs.get(job))) later.delete(job);
  return later;
}

/** After the commit: what is written is late no more. */
export function forgetLate({ tasks, memory: { late } }: Unit): void {
  if (late.size > 0) for (const task of tasks.keys()) if (!isLate(task)) late.delete(task);
}

/** True where the row is one or two steps behind, and those are steps that are written late. */
function isLate({ stored, facts }: TaskRecord): boolean {
  if (stored === null || stored.attempt !== facts.attempt || stored.state === facts.state) return false;
  return (stored.state === 'READY' || stored.state === 'SCHEDULED') && (facts.state === 'SCHEDULED' || facts.state === 'RUNNING');
}

function isChangedBeyond(job: JobRecord, before: JobRecord | undefined): boolean {
  return job.stored === null || before === undefined || job.killedAt !== before.killedAt || job.failure !== before.failure || job.replicaDeadline !== before.replicaDeadline;
}
