import type { Secrets } from '../../secrets/port.ts';
import type { Engine, Memory } from '../engine/port.ts';
import { createRetryUntilStored } from '../engine/retry-until-stored.ts';
import type { WorkerPool, WorkerPoolEvents } from '../queue/port.ts';
import { takeReports } from './complete-task.ts';
import {
  LOST_PER_TURN,
  loseGone,
  loseReturned,
  loseWorker,
  reclaimLeases,
  reconcile,
  type LostLease,
} from './reclaim-leases.ts';
import { redactReports } from './redact-reports.ts';
import { splitReports } from './report-chunks.ts';

/** What workers tell the engine. Nobody tells it again, so it is tried until the store takes it. */
export function createWorkerEvents({
  engine,
  memory,
  workerPool,
  secrets,
}: {
  engine: Engine;
  memory: Memory;
  workerPool: WorkerPool;
  secrets: Pick<Secrets, 'redactor'> | undefined;
}): { events: WorkerPoolEvents; close(): void } {
  const untilStored = createRetryUntilStored({ enqueue: engine.enqueue });

  /** Slice by slice; should the worker come back meanwhile, `joined` decides about the rest. */
  async function loseAll(workerId: string): Promise<void> {
    let more: boolean;
    do {
      // Only a turn that was taken says that there is more: one that failed, or comes after the end, would come again for ever.
      more = false;
      await untilStored.run(LOST_PER_TURN, (tx) => (more = loseWorker(tx, workerId)));
    } while (more && workerPool.worker(workerId)?.state === 'Down');
  }

  const events: WorkerPoolEvents = {
    report(workerId, all) {
      for (const { weight, reports } of splitReports(memory, redactReports(all, secrets)))
        void untilStored.run(
          weight,
          (tx) => takeReports(tx, workerId, reports),
          reports.length > 1 ? reports.map((report) => (tx) => takeReports(tx, workerId, [report])) : [],
        );
    },
    async joined(workerId, running) {
      // All of these before any report that comes after the hello: turns take what they are given in its order.
      for (let from = 0; from < running.length; from += LOST_PER_TURN)
        void untilStored.run(LOST_PER_TURN, (tx) =>
          reclaimLeases(tx, workerId, running.slice(from, from + LOST_PER_TURN)),
        );
      let gone: readonly LostLease[] = [];
      await untilStored.run(1, (tx) => (gone = reconcile(tx, workerId, running)));
      for (let from = 0; from < gone.length; from += LOST_PER_TURN)
        await untilStored.run(LOST_PER_TURN, (tx) =>
          loseReturned(tx, workerId, gone.slice(from, from + LOST_PER_TURN)),
        );
    },
    gone(workerId, leases) {
      for (let from = 0; from < leases.length; from += LOST_PER_TURN)
        void untilStored.run(LOST_PER_TURN, (tx) => loseGone(tx, workerId, leases.slice(from, from + LOST_PER_TURN)));
    },
    down: (workerId) => void loseAll(workerId),
    room: () => memory.totals.ready > 0 && engine.nudge(),
  };
  return { events, close: untilStored.close };
}
