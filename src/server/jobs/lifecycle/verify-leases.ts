import type { Limits } from '../../../contract/limits.ts';
import type { TaskRecord } from '../engine/records.ts';
import type { WorkerPool } from '../queue/port.ts';
import type { Memory } from '../engine/port.ts';

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
