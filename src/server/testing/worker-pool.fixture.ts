import { LIMITS, type Limits } from '../../contract/limits.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import type { Lease, Report } from '../../contract/worker-protocol.ts';
import { createJobs } from '../jobs/jobs.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { emptyDatabase } from './empty-database.fixture.ts';
import { handClock, knownCommit, turnBudgetOf } from './engine.fixture.ts';
import type { WorkerPool, PoolWorker } from '../jobs/queue/port.ts';

export interface PoolLease extends Pick<
  Lease,
  'id' | 'attempt' | 'jobId' | 'environment' | 'chain' | 'node' | 'replica' | 'item' | 'workflowId' | 'input'
> {
  readonly workerId: string;
}

const NEVER_S = 86_400;

/** The jobs room over a real database with workers that are only counted: what is handed out to whom, in which order. */
export async function openPoolRig(
  options: {
    /** Errors that the room reports are expected. */ mayReport?: boolean;
    file?: string;
    limits?: Partial<Limits>;
    clock?: ReturnType<typeof handClock>;
    slice?: number | null;
  } = {},
) {
  const file = options.file ?? (await emptyDatabase('ym-crew-'));
  const clock = options.clock ?? handClock();
  const store = openSqlite({ file, durability: 'normal' });
  const poolWorkers = new Map<string, { -readonly [K in keyof PoolWorker]: PoolWorker[K] }>();
  /** All leases, oldest first; those not reported yet by id. */
  const leases: PoolLease[] = [];
  const open = new Map<string, PoolLease>();
  const errors: unknown[] = [];
  let frames = 0;
  const workerPool: WorkerPool = {
    workers: () => poolWorkers.values(),
    worker: (id) => poolWorkers.get(id),
    lease(workerId, texts) {
      frames++;
      for (const text of texts) {
        const held: PoolLease = { ...(JSON.parse(text) as Lease), workerId };
        leases.push(held);
        open.set(held.id, held);
      }
    },
    kill: (_workerId, ids) => ids.forEach((id) => open.delete(id)),
    lost: () => undefined,
    verify: () => undefined,
    attemptEnded: () => undefined,
    changed: () => undefined,
  };
  const limits = { ...LIMITS, retryCheckSeconds: NEVER_S, retryJitter: 0, ...options.limits };
  const { jobs, events, runners, check } = await createJobs({
    store,
    clock,
    limits,
    feed: { publish: () => undefined },
    workerPool,
    runnable: (_workflowId, commit) => knownCommit(commit),
    measure: () => undefined,
    onError: (error) => void errors.push(error),
    random: () => 0.5,
    ...turnBudgetOf(options.slice),
  });
  return {
    file,
    clock,
    store,
    jobs,
    events,
    runners,
    check,
    leases,
    open,
    errors,
    frames: () => frames,
    async addWorker(
      id: string,
      capacity: number,
      handlers: readonly string[] = [],
      environments: readonly Environment[] | null = null,
      takesAhead = false,
    ) {
      const known = poolWorkers.get(id);
      const worker = {
        id,
        capacity,
        handlers,
        handlersOnly: false,
        takesAhead,
        environments: environments && new Set(environments),
        accepting: false,
        state: 'Operational' as const,
        drained: false,
        admitted: true,
        registeredAt: 0,
        load: known?.load ?? 0,
        longLoad: known?.longLoad ?? 0,
        longComputing: known?.longComputing ?? 0,
      };
      poolWorkers.set(id, worker);
      await events.joined(
        id,
        [...open.values()].filter(({ workerId }) => workerId === id),
      );
      // As in the product: what it is given before that, it would be thought not to hold.
      worker.accepting = true;
      events.room();
      await this.settled();
    },
    poolWorkers,
    /** Reports these as done, and lets the engine take it in. */
    async finish(held: readonly PoolLease[], output: unknown = 1) {
      for (const { id, attempt, workerId } of held) {
        open.delete(id);
        const report: Report = { e: 'done', id, attempt, startedAt: clock.now(), at: clock.now(), output };
        events.report(workerId, [report]);
      }
      await this.settled();
    },
    async fail(held: PoolLease) {
      open.delete(held.id);
      events.report(held.workerId, [
        {
          e: 'fail',
          id: held.id,
          attempt: held.attempt,
          startedAt: clock.now(),
          at: clock.now(),
          error: { code: 'TASK_ERROR', message: 'it broke', retryable: true },
        },
      ]);
      await this.settled();
    },
    /** Until the turns under way, and those that they ask for, are over. */
    async settled() {
      for (let quiet = 0, before = -1; quiet < 2;) {
        await jobs.limit({ scope: 'workflow', id: '', name: '', most: null });
        quiet = leases.length === before ? quiet + 1 : 0;
        before = leases.length;
      }
    },
    async close() {
      await jobs.close();
      await store.close();
      if (errors.length > 0 && !options.mayReport) throw errors[0];
    },
    /** As SIGKILL would. */
    async abandon() {
      await jobs.close();
      await store.close();
    },
  };
}
export type PoolRig = Awaited<ReturnType<typeof openPoolRig>>;
