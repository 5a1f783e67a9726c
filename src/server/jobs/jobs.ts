import type { Limits } from '../../contract/limits.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import type { Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import type { NamedSecret } from '../../lib/redact.ts';
import type { Feed } from '../feed/port.ts';
import type { Secrets } from '../secrets/port.ts';
import type { Store } from '../store/port.ts';
import type { Tracing } from '../telemetry/port.ts';
import type { Endpoint, Runnable } from '../workflows/port.ts';
import { afterCommit } from './engine/after-commit.ts';
import { createOperations } from './bulk/operations.ts';
import { openScan } from './bulk/scan.ts';
import type { RerunDeps } from './bulk/rerun-prepare.ts';
import { createChildren } from './children/children.ts';
import { countPendingInputs, createTaskExpansion } from './lifecycle/task-expansion.ts';
import { createEngine } from './engine/engine.ts';
import { recoverForeachNodes } from './foreach/run-foreach.ts';
import { dropUnwritten } from './engine/transaction.ts';
import { killJob } from './lifecycle/kill.ts';
import {
  LEASES_REVOKED_PER_TURN,
  revokeOrphanedLeases,
  recountOpenTasks,
  recoverLeases,
  createLeaseVerifier,
} from './lifecycle/worker-leases.ts';
import { openMemory } from './engine/memory.ts';
import type { Jobs } from './port.ts';
import type { ShapedPoint } from './engine/metric-points.ts';
import { openOverviewCounts } from './queries/overview.ts';
import { createReads } from './queries/thread/reads.ts';
import { searchFilePath } from './search/search.ts';
import { createDraftRetention } from './retention/draft-retention.ts';
import { createJobRetention, type JobRetentionDeps } from './retention/job-retention.ts';
import { createReruns } from './rerun/reruns.ts';
import { scanTimeouts } from './lifecycle/timeout-scan.ts';
import { brokenPlan, createPlans } from './engine/plan.ts';
import type { WorkerPool, WorkerPoolEvents } from './queue/port.ts';
import type { CheckInThread } from './children/port.ts';
import type { TurnBudget } from './engine/port.ts';
import { retryJob, retryOneTask } from './lifecycle/retry-by-hand.ts';
import { startTicker } from './engine/ticker.ts';
import { createWorkerEvents } from './lifecycle/worker-events.ts';
import type { Runners } from './queries/port.ts';
import { createQueries } from './queries/queries.ts';
import { createRunners } from './queries/runners.ts';
import { setConcurrencyLimit } from './queue/concurrency-limits.ts';
import { decide } from './failures/groups.ts';
import { createWaits } from './waits/waits.ts';
import { createSubmissions, createWaiters } from './lifecycle/submit.ts';

export interface JobsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: Readonly<Limits>;
  readonly feed: Pick<Feed, 'publish'>;
  readonly workerPool: WorkerPool;
  /** The commit of a job that is taken up from the database; commits are never deleted. */
  runnable(workflowId: string, commit: string): Runnable;
  /** What a workflow node calls: what its environment points to at that moment. Default: there is no such workflow. */
  endpoint?(workflowId: string, environment: Environment): Endpoint;
  /** Which versions may be run again where. */
  readonly neverApproved?: RerunDeps['versions']['neverApproved'];
  /** Checks inputs of children by costly schemas; without it that is done in the turn. */
  readonly checkInThread?: CheckInThread;
  /** Checks the inputs of jobs that are run again; without it they are taken as they are. */
  readonly checkInputs?: RerunDeps['check'];
  measure(point: ShapedPoint): void;
  /** Where spans of traced jobs go; without it nowhere. */
  readonly tracing?: Tracing | null;
  /** What leases of nodes that name secrets are given. */
  readonly secrets?: Pick<Secrets, 'lease' | 'refusal' | 'recordUses' | 'redactor' | 'watch'>;
  /** How finished jobs are removed; without it they stay. */
  readonly retention?: Pick<JobRetentionDeps, 'other' | 'folder'>;
  onError(error: unknown): void;
  /** Between 0 and 1, for the jitter of back-offs. */
  random?(): number;
  /** How much of long work one turn takes; measured unless given. */
  readonly turnBudget?: TurnBudget;
}

/**
 * The jobs room. Takes up what the database holds: queued tasks are handed out, leases wait for their workers. Give
 * `events` to the workers room; until then no worker is heard.
 */
export async function createJobs(deps: JobsDeps): Promise<{
  jobs: Jobs;
  events: WorkerPoolEvents;
  /** One periodic check, for tests. */ check(): Promise<void>;
  runners: Runners;
  /** Removes jobs whose time is over, and says how many. */ tidy(stop?: AbortSignal): Promise<number>;
}> {
  const { store, clock, limits, feed, workerPool, secrets, measure, onError } = deps;
  const { read } = store;
  const now = () => clock.now();
  const endpoint = deps.endpoint ?? (() => ({ found: 'workflow-unknown' as const }));
  const planOf = createPlans(limits);
  const plan = (workflowId: string, commit: string) => {
    try {
      return planOf(deps.runnable(workflowId, commit));
    } catch (error) {
      onError(error);
      return brokenPlan(workflowId, commit, limits);
    }
  };

  // The engine, and what follows from its turns.
  await store.write(dropUnwritten);
  await store.write(recountOpenTasks);
  const memory = openMemory(read, deps.turnBudget);
  const waiters = createWaiters();
  const overview = openOverviewCounts(read, now());
  const notify = afterCommit({
    read,
    limits,
    workerPool,
    feed,
    waiters,
    overview,
    secrets: secrets ?? null,
    report: (workerId, report) => events.report(workerId, [report]),
    measure,
    tracing: deps.tracing ?? null,
    onError,
  });
  const engine = createEngine(store, {
    memory,
    workerPool,
    limits,
    random: deps.random ?? Math.random,
    plan,
    endpoint,
    secrets: secrets ?? null,
    tracing: deps.tracing ?? null,
    checksApart: deps.checkInThread !== undefined,
    now,
    committed: (tx) => {
      const notifyCallers = notify(tx);
      children.afterCommit(tx);
      return notifyCallers;
    },
    onError,
  });
  const children = createChildren({ engine, read, checkInThread: deps.checkInThread, onError });
  const expansion = createTaskExpansion({ memory, enqueue: engine.enqueue, onError });
  const resumeExpansion = expansion.resume;

  // What the master before this one left.
  await engine.enqueue(1, recoverLeases);
  while (await engine.enqueue(LEASES_REVOKED_PER_TURN, revokeOrphanedLeases));
  await engine.enqueue(1, recoverForeachNodes);
  await children.recover();
  resumeExpansion();

  // What is read, and what is done to many jobs.
  const searchFile = searchFilePath(store.file);
  const reads = createReads({
    file: store.file,
    searchFile,
    limits,
    anyJob: () => read.query('SELECT 1 FROM job LIMIT 1').get() !== undefined,
    log: (line) => onError(new Error(line)),
  });
  const { queries, written } = createQueries({
    store,
    engine,
    memory,
    workerPool,
    reads,
    limits,
    overview,
    plan,
    now,
  });
  let named: readonly NamedSecret[] = [];
  secrets?.watch((all) => (named = all));
  const scan = openScan({ file: store.file, searchFile, limits, secrets: () => named, prepare: reads.prepare });
  const bulk = createOperations({
    engine,
    store,
    scan,
    limits,
    reruns: {
      read,
      plan,
      versions: {
        ...{ runnable: deps.runnable, endpoint },
        ...(deps.neverApproved && { neverApproved: deps.neverApproved }),
      },
      check: deps.checkInputs ?? (async () => undefined),
    },
    resumeExpansion,
    feed,
    ready: () => memory.totals.ready,
    now,
    onError,
  });
  const retention = deps.retention
    ? createJobRetention({ engine, store, memory, limits, now, ...deps.retention })
    : null;

  const waiting = createWaits({ engine, store, memory, limits, clock, job: written });

  // What workers tell, and the periodic check.
  const { events, close: closeEvents } = createWorkerEvents({ engine, memory, workerPool, secrets });
  const verifyLeases = createLeaseVerifier({ memory, workerPool, limits });
  const removeDrafts = createDraftRetention({ engine, read, memory, limits });
  const ticker = startTicker({ clock, limits, leftAt: store.leftAt, onError }, async (time) => {
    resumeExpansion();
    await scanTimeouts({ engine, store, memory, workerPool, limits }, time);
    verifyLeases(now());
    await waiting.finishDue(time);
    await children.timeOut(time.deadline());
    if (memory.foreachWork.size > 0 || memory.totals.childrenDue > 0) engine.nudge();
    await removeDrafts(now());
    await overview.save(store, now());
  });

  const jobs: Jobs = {
    ...createSubmissions({ engine, store, memory, limits, waiters, plan: planOf, resumeExpansion, now }),
    ...createReruns({ engine, read, memory, plan, job: written, resumeExpansion }),
    ...queries,
    get queueDepth() {
      return memory.totals.ready + countPendingInputs(memory);
    },
    async kill(jobId, actor, audit) {
      const killed = await killJob(engine, (await written(jobId)).seq, actor, audit);
      await children.idle();
      return { jobId, ...killed };
    },
    retry: async (jobId, audit) => ({ jobId, ...(await retryJob(engine, (await written(jobId)).seq, audit)) }),
    async retryTask(taskId, audit) {
      await retryOneTask(engine, memory, taskId, audit);
      return queries.task(taskId);
    },
    failures: {
      list: (query, signal) => reads.call('failures', [query], signal),
      get: (id, signal) => reads.call('failure', [id], signal),
      ofTask: async (taskId, signal) => {
        await engine.written();
        return reads.call('taskFailure', [taskId], signal);
      },
      decide: (id, decision, actor, audit) => decide(store, id, decision, actor, now(), audit),
    },
    operations: bulk.operations,
    waits: waiting.waits,
    async *export(of, format) {
      if (scan.exports >= limits.jobExports)
        throw new Fault(
          'OVERLOADED',
          `${limits.jobExports} exports are already running: try again when one has finished`,
        );
      await engine.written();
      yield* scan.export('snapshot' in of ? { seq: bulk.snapshot(of.snapshot), within: of.within } : of, format);
    },
    limit: (change) => engine.enqueue(1, (tx) => setConcurrencyLimit(tx, change)),
    endWaits: () => waiters.close(),
    async close() {
      await ticker.stop();
      await retention?.close();
      await bulk.close();
      await scan.close();
      await reads.close();
      await expansion.close();
      closeEvents();
      await children.idle();
      await engine.idle();
      waiters.close();
      await overview.save(store, now());
    },
  };
  const runners = createRunners({ read, memory });
  return { jobs, events, runners, check: ticker.check, tidy: async (stop) => (await retention?.pass(stop)) ?? 0 };
}
