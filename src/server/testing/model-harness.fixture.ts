import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { LIMITS, type Limits } from '../../contract/limits.ts';
import type { Lease, Report } from '../../contract/worker-protocol.ts';
import { createJobs } from '../jobs/jobs.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { emptyDatabase } from './empty-database.fixture.ts';
import { knownCommit, publishedTo, type handClock } from './engine.fixture.ts';
import type { WorkerPool, PoolWorker } from '../jobs/queue/port.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

/** A lease as a worker holds it. */
export type HeldLease = Pick<Lease, 'id' | 'attempt' | 'jobId' | 'node' | 'item' | 'input' | 'chain'> & {
  readonly workerId: string;
};

/** A worker that does nothing by itself. What it holds outlives the master. */
export interface ModelWorker {
  readonly id: string;
  readonly poolWorker: { -readonly [K in keyof PoolWorker]: PoolWorker[K] };
  /** What it believes to hold, by task. */
  readonly holds: Map<string, HeldLease>;
  joined: boolean;
  /** Frames on their way to it, where it takes them itself; else it heeds them at once. */
  readonly inbox?: MasterMessage[];
}

/** What a master tells a worker. */
export type MasterMessage =
  | { readonly t: 'run'; readonly held: HeldLease }
  | { readonly t: 'lost'; readonly id: string; readonly attempt: number }
  | { readonly t: 'kill'; readonly id: string }
  | { readonly t: 'check'; readonly id: string; readonly attempt: number };

const HOUR_S = 3600;
/** Turns after which nothing follows any more from what was done. */
const ROUNDS = 10;

/**
 * The engine over a real database with workers that are scripted without sockets, so that thousands of steps take
 * seconds. `settled` resolves once all that follows from a step is done.
 */
export async function openModelHarness({
  clock,
  file: given,
  workers,
  limits: over = {},
}: {
  clock: ReturnType<typeof handClock>;
  file?: string;
  workers: Map<string, ModelWorker>;
  limits?: Partial<Limits>;
}) {
  const file = given ?? (await emptyDatabase('ym-stage-'));
  const limits: Limits = { ...LIMITS, retryCheckSeconds: 24 * HOUR_S, retryJitter: 0, ...over };
  const store = openSqlite({ file, durability: 'normal' });
  const errors: unknown[] = [];
  /** All leases that were ever given, oldest first: late reports come under these. */
  const everGiven: HeldLease[] = [];
  for (const { poolWorker } of workers.values()) {
    poolWorker.load = 0;
    poolWorker.accepting = false;
  }

  function tell(workerId: string, told: MasterMessage) {
    const worker = workers.get(workerId);
    if (worker?.inbox) worker.inbox.push(told);
    else if (told.t === 'run') worker?.holds.set(told.held.id, told.held);
    else if (told.t === 'kill' || (told.t === 'lost' && worker?.holds.get(told.id)?.attempt === told.attempt))
      worker?.holds.delete(told.id);
  }

  const workerPool: WorkerPool = {
    workers: () => [...workers.values()].map(({ poolWorker }) => poolWorker),
    worker: (id) => workers.get(id)?.poolWorker,
    lease(workerId, leases) {
      for (const text of leases) {
        const { id, attempt, jobId, node, item, input, chain } = JSON.parse(text) as Lease;
        const held: HeldLease = { id, attempt, jobId, node, item, input, chain, workerId };
        everGiven.push(held);
        tell(workerId, { t: 'run', held });
      }
    },
    kill: (workerId, ids) => ids.forEach((id) => tell(workerId, { t: 'kill', id })),
    lost: (workerId, leases) => leases.forEach((lease) => tell(workerId, { t: 'lost', ...lease })),
    verify: (workerId, leases) => leases.forEach((lease) => tell(workerId, { t: 'check', ...lease })),
    attemptEnded: () => {},
    changed: () => {},
  };
  const { jobs, events, check } = await createJobs({
    store,
    clock,
    limits,
    workerPool,
    feed: { publish: () => {} },
    runnable: (_workflowId, commit) => knownCommit(commit),
    endpoint: publishedTo,
    measure: () => {},
    onError: (error) => void errors.push(error),
    random: () => 0.5,
  });

  async function settled() {
    for (let i = 0; i < ROUNDS; i++) {
      await store.write(() => {});
      await turn();
    }
  }

  return {
    jobs,
    events,
    store,
    errors,
    settled,
    file,
    leases: everGiven as readonly HeldLease[],
    /** The worker (re)joins with what it believes to hold, or a part of it. */
    async join(worker: ModelWorker, keeps: (held: HeldLease) => boolean = () => true) {
      for (const held of [...worker.holds.values()]) if (!keeps(held)) worker.holds.delete(held.id);
      await events.joined(
        worker.id,
        [...worker.holds.values()].map(({ id, attempt }) => ({ id, attempt })),
      );
      worker.joined = true;
      worker.poolWorker.accepting = true;
      events.room();
      await settled();
    },
    /** Nothing was heard of it for too long. It may well go on working. */
    async lose(worker: ModelWorker) {
      worker.joined = false;
      worker.poolWorker.accepting = false;
      events.down(worker.id);
      await settled();
    },
    async report(workerId: string, ...reports: Report[]) {
      events.report(workerId, reports);
      events.room();
      await settled();
    },
    async check() {
      await check();
      await settled();
    },
    /** SIGKILL: the database as it is at this moment, for another stage. */
    async crash(): Promise<string> {
      const copy = join(temporaryFolder('ym-stage'), 'yardmaster.db');
      for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
      await this.close();
      return copy;
    },
    async close() {
      await jobs.close();
      await store.close();
      rmSync(dirname(file), { recursive: true, force: true });
    },
  };
}
export type ModelHarness = Awaited<ReturnType<typeof openModelHarness>>;

export const createModelWorker = (id: string, capacity: number): ModelWorker => ({
  id,
  poolWorker: {
    id,
    capacity,
    accepting: false,
    state: 'Operational',
    drained: false,
    admitted: true,
    registeredAt: 0,
    handlers: [],
    handlersOnly: false,
    takesAhead: false,
    environments: null,
    load: 0,
    longLoad: 0,
    longComputing: 0,
  },
  holds: new Map(),
  joined: false,
});
