import type { Limits } from '../../contract/limits.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import { watchClockJumps } from '../../lib/clock-jump.ts';
import { every, type Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import type { NamedSecret } from '../../lib/redact.ts';
import type { Feed } from '../feed/port.ts';
import { SET_BACK_MS } from '../machine/task.ts';
import type { Secrets } from '../secrets/port.ts';
import type { Store } from '../store/port.ts';
import type { Endpoint, Runnable } from '../workflows/port.ts';
import { afterCommit } from './engine/after-commit.ts';
import { createLeaseVerifier } from './lifecycle/verify-leases.ts';
import { createOperations } from './bulk/operations.ts';
import { openScan } from './bulk/scan.ts';
import type { RerunDeps } from './bulk/rerun-prepare.ts';
import { createChildren } from './children/children.ts';
import { TASKS_PER_TURN, createTaskExpansion, needsExpansion, countPendingInputs } from './lifecycle/task-expansion.ts';
import { createEngine } from './engine/engine.ts';
import { decide } from './failures/decide.ts';
import { recentGroups } from './failures/groups.ts';
import { recoverForeachs } from './foreach/run-foreach.ts';
import { createDeadlineClock } from './lifecycle/clock-jump.ts';
import { createRetryUntilStored } from './engine/retry-until-stored.ts';
import { dropUnwritten } from './engine/deferred-writes.ts';
import { killJob } from './lifecycle/kill.ts';
import {
  LOST_PER_TURN,
  loseGone,
  loseOrphans,
  loseReturned,
  loseWorker,
  reconcile,
  recountOpenTasks,
  recoverLeases,
  type LostLease,
  reclaimLeases,
} from './lifecycle/reclaim-leases.ts';
import { isCheap, listJobs, openLists } from './queries/list-jobs.ts';
import { createJobGraphs } from './queries/job-graph.ts';
import { setConcurrencyLimit } from './queue/set-limit.ts';
import { findTask } from './queries/list-tasks.ts';
import { openMemory } from './engine/memory.ts';
import { createOffloadedReads } from './queries/offloaded-reads.ts';
import { eventStatusText, jobResultInSlices, jobResult, outputAndErrorText } from './lifecycle/job-result.ts';
import type { Jobs, JobResult } from './port.ts';
import { splitReports } from './lifecycle/report-chunks.ts';
import type { ShapedPoint } from './engine/metric-points.ts';
import { openOverviewCounts } from './queries/overview.ts';
import type { JobRow } from './engine/rows.ts';
import { createReads } from './queries/thread/reads.ts';
import { searchTermsOf } from './search/search-terms.ts';
import { searchFileOf } from './search/search.ts';
import { createDraftSweep } from './retention/drafts.ts';
import { createRetention, type RetentionDeps } from './retention/retention.ts';
import { createReruns } from './rerun/reruns.ts';
import { takeReports } from './lifecycle/complete-task.ts';
import { ACCEPT_IDEMPOTENT, FIND_IDEMPOTENT, JOB_BY_ID } from './engine/sql.ts';
import { earlierCall, submit, type IdempotentRow } from './lifecycle/submit.ts';
import { scanTimeouts } from './lifecycle/timeout-scan.ts';
import { jobView } from './queries/views.ts';
import { createWaiters } from './engine/waiters.ts';
import { redactReports } from './lifecycle/redact-reports.ts';
import { explainTask } from './queries/why/why.ts';
import { listWorkerTasks } from './queries/worker-tasks.ts';
import { brokenPlan, createPlans } from './engine/build-plan.ts';
import type { WorkerPool, WorkerPoolEvents } from './queue/port.ts';
import type { CheckInThread } from './children/port.ts';
import type { TurnBudget, Transaction } from './engine/port.ts';
import type { JobListQuery } from './queries/port.ts';
import { retryJob, retryOneTask } from './lifecycle/retry-by-hand.ts';

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
  /** Checks inputs of children by costly schemas; without it that is done in the turn. */
  readonly checkApart?: CheckInThread;
  /** Checks the inputs of jobs that are run again; without it they are taken as they are. */
  readonly checkInputs?: RerunDeps['check'];
  measure(point: ShapedPoint): void;
  /** What leases of nodes that name secrets are given. */
  readonly secrets?: Pick<Secrets, 'lease' | 'redactor' | 'watch'>;
  /** How finished jobs are removed; without it they stay. */
  readonly retention?: Pick<RetentionDeps, 'other' | 'folder'>;
  onError(error: unknown): void;
  /** Between 0 and 1, for the jitter of back-offs. */
  random?(): number;
  /** How much of long work one turn takes; measured unless given. */
  readonly pace?: TurnBudget;
}

const HOUR_MS = 3_600_000;

/**
 * The jobs room. Takes up what the database holds: queued tasks are handed out, leases wait for their workers. Give
 * `events` to the workers room; until then no worker is heard.
 */
export async function createJobs(deps: JobsDeps): Promise<{
  jobs: Jobs;
  events: WorkerPoolEvents;
  /** One periodic check, for tests. */ check(): Promise<void>;
  /** Removes jobs whose time is over, and says how many. */ tidy(stop?: AbortSignal): Promise<number>;
}> {
  const { store, clock, limits, feed, workerPool, onError } = deps;
  const { read } = store;
  const now = () => clock.now();
  await store.write(dropUnwritten);
  await store.write(recountOpenTasks);
  const memory = openMemory(read, deps.pace);
  const plans = createPlans(limits);
  const waiters = createWaiters();
  const overview = openOverviewCounts(read, now());
  const lists = openLists(read, () => [...memory.counts.values()]);
  const plan = (workflowId: string, commit: string) => {
    try {
      return plans(deps.runnable(workflowId, commit));
    } catch (error) {
      onError(error);
      return brokenPlan(workflowId, commit, limits);
    }
  };
  const tell = afterCommit({
    read,
    limits,
    workerPool,
    feed,
    waiters,
    overview,
    secrets: deps.secrets ?? null,
    measure: deps.measure,
  });
  const committed = (tx: Transaction) => {
    const callers = tell(tx);
    children.after(tx);
    return callers;
  };
  const endpoint = deps.endpoint ?? (() => ({ found: 'workflow-unknown' as const }));
  const engine = createEngine(store, {
    memory,
    workerPool,
    limits,
    random: deps.random ?? Math.random,
    plan,
    endpoint,
    checksApart: deps.checkApart !== undefined,
    now,
    committed,
    onError,
  });
  const children = createChildren({ engine, read, checkApart: deps.checkApart, onError });

  await engine.enqueue(1, recoverLeases);
  while (await engine.enqueue(LOST_PER_TURN, loseOrphans));
  await engine.enqueue(1, recoverForeachs);
  await children.recover();
  const births = createTaskExpansion({ memory, enqueue: engine.enqueue, onError });
  births.go();
  const searchFile = searchFileOf(store.file);
  const reads = createReads({
    file: store.file,
    searchFile,
    limits,
    anyJob: () => read.query('SELECT 1 FROM job LIMIT 1').get() !== undefined,
    say: (line) => onError(new Error(line)),
  });
  let named: readonly NamedSecret[] = [];
  deps.secrets?.watch((all) => (named = all));
  const scan = openScan({ file: store.file, searchFile, limits, secrets: () => named, prepare: reads.prepare });
  const reruns: RerunDeps = {
    read,
    plan,
    versions: { runnable: deps.runnable, endpoint },
    check: deps.checkInputs ?? (async () => undefined),
  };
  const bulk = createOperations({
    engine,
    store,
    scan,
    limits,
    reruns,
    bearOn: births.go,
    feed,
    ready: () => memory.totals.ready,
    now,
    onError,
  });
  const sweepDrafts = createDraftSweep({ engine, read, memory, limits });
  const ask = createLeaseVerifier({ memory, workerPool, limits });
  const grace = createDeadlineClock(now);
  if (store.leftAt !== null) grace.addAbsence(now() - store.leftAt);
  /** The latest time that was seen, by this run or the one before. */
  let latest = store.leftAt ?? 0;
  const setBack = () => (latest = Math.max(latest, now())) - now() > SET_BACK_MS;
  const check = async () => {
    births.go();
    await scanTimeouts({ engine, store, memory, workerPool, limits, now, limitsNow: grace.now, setBack });
    ask(now());
    await children.sweep(grace.now());
    if (memory.foreachWork.size > 0 || memory.totals.childrenDue > 0) engine.nudge();
    await sweepDrafts(now());
    const keep = overview.save(now());
    if (keep) await store.write(keep);
  };
  const retention = deps.retention ? createRetention({ engine, store, memory, limits, now, ...deps.retention }) : null;
  const tidy = async (stop?: AbortSignal) => (await retention?.pass(stop)) ?? 0;
  const checkMs = limits.retryCheckSeconds * 1000;
  const absence = watchClockJumps(clock, checkMs);
  const stopChecks = every(
    checkMs,
    () => {
      grace.addAbsence(absence.since());
      return check().finally(absence.ended);
    },
    onError,
  );
  const told = createRetryUntilStored({ enqueue: engine.enqueue });

  const find = (jobId: string): JobRow | undefined => read.query<JobRow>(JOB_BY_ID).get(jobId);
  const job = (jobId: string): JobRow => {
    const row = find(jobId);
    if (!row) throw new Fault('JOB_NOT_FOUND', `there is no job ${jobId}`);
    return row;
  };
  const outcome = (jobId: string): JobResult | null => {
    const row = find(jobId);
    return row ? jobResult(read, row, limits.jobOutputBytes) : null;
  };
  /** Has the rows say what memory does. While the store refuses writes, readers see what was written last. */
  const upToDate = (): Promise<void> =>
    engine.written().catch((error: unknown) => {
      if (!(error instanceof Fault) || error.code !== 'STORE_UNAVAILABLE') throw error;
    });
  const written = async (jobId: string): Promise<JobRow> => {
    await upToDate();
    return job(jobId);
  };
  const graphs = createJobGraphs({
    read,
    graph: (workflowId, commit) => plan(workflowId, commit).graph,
    now: () => performance.now(),
  });
  /** Whether a list is quick enough for the event loop, once the rows say what memory does. */
  const here = async (query: JobListQuery): Promise<boolean> => {
    searchTermsOf(query);
    await upToDate();
    return isCheap(lists.counts(), query);
  };
  const noTask = (taskId: string) => new Fault('TASK_NOT_FOUND', `there is no task ${taskId}`);

  const jobs: Jobs = {
    ...createOffloadedReads({ read, reads, limits, job, written, upToDate, plan }),
    ...createReruns({
      engine,
      read,
      memory,
      plan,
      job: written,
      bearOn: births.go,
    }),
    submit: (submission) => {
      const ready = plans(submission.runnable);
      const submitted = engine.enqueue(
        1 + Math.min(submission.inputs.length * ready.first.length, TASKS_PER_TURN),
        (tx) => submit(tx, submission, ready),
      );
      return needsExpansion(ready, submission.inputs) ? submitted.finally(births.go) : submitted;
    },
    findIdempotent({ keyId, workflowId, environment, key }) {
      const row = read
        .query<IdempotentRow>(FIND_IDEMPOTENT)
        .get(keyId, workflowId, environment, key, now() - limits.idempotencyHours * HOUR_MS);
      return row ? earlierCall(row) : null;
    },
    async acceptIdempotent({ keyId, workflowId, environment, key }, jobId, status) {
      await store.write((db) =>
        db.statement(ACCEPT_IDEMPOTENT).run(status, keyId, workflowId, environment, key, jobId),
      );
    },
    async wait(jobId, seconds, leaving) {
      const live = memory.jobsById.get(jobId);
      if (live && live.facts.finishedAt === null && !live.failure) {
        const ended = await waiters.wait(jobId, seconds, leaving);
        if (ended) return ended;
        await engine.written();
      }
      const known = outcome(jobId);
      // What was read may have been committed a moment ago; nobody is told of what a power cut could take back.
      await store.durable();
      if (!known) throw new Fault('JOB_NOT_FOUND', `there is no job ${jobId}`);
      if (known.finishedAt !== null || known.failure || live) return known;
      return (await waiters.wait(jobId, seconds, leaving)) ?? outcome(jobId) ?? known;
    },
    async result(jobId) {
      await engine.written();
      const known = outcome(jobId);
      await store.durable();
      return known;
    },
    list: async (query, signal) => ((await here(query)) ? listJobs(lists, query) : reads.call('list', [query], signal)),
    listText: async (query, signal) =>
      (await here(query)) ? JSON.stringify(listJobs(lists, query)) : reads.text('list', [query], signal),
    get: async (jobId) => jobView(await written(jobId)),
    graph: async (jobId) => graphs(await written(jobId)),
    outputText: async (jobId) =>
      outputAndErrorText(await jobResultInSlices(read, await written(jobId), limits.jobOutputBytes)),
    async eventStatusText(jobId, workflowId, environment) {
      const row = await written(jobId);
      if (row.workflow_id !== workflowId || row.environment !== environment)
        throw new Fault('JOB_NOT_FOUND', `there is no job ${jobId} of ${workflowId} in ${environment}`);
      return eventStatusText(await jobResultInSlices(read, row, limits.jobOutputBytes));
    },
    async workerTasks(workerId, query) {
      await upToDate();
      return listWorkerTasks(read, workerId, query, limits.payloadPreviewBytes);
    },
    async task(taskId) {
      await upToDate();
      const task = findTask(read, taskId, limits.payloadPreviewBytes);
      if (!task) throw noTask(taskId);
      return task;
    },
    async why(taskId) {
      await upToDate();
      const found = await explainTask(
        { read, memory, workerPool, plan, position: (seen) => reads.call('position', [seen]), now },
        taskId,
      );
      if (!found) throw noTask(taskId);
      return found;
    },
    async kill(jobId, actor, audit) {
      const killed = await killJob(engine, (await written(jobId)).seq, actor, audit);
      await children.idle();
      return { jobId, ...killed };
    },
    async retryTask(taskId, audit) {
      await retryOneTask(engine, memory, taskId, audit);
      return jobs.task(taskId);
    },
    retry: async (jobId, audit) => ({ jobId, ...(await retryJob(engine, (await written(jobId)).seq, audit)) }),
    failures: {
      list: (query, signal) => reads.call('failures', [query], signal),
      get: (id, signal) => reads.call('failure', [id], signal),
      ofTask: async (taskId, signal) => {
        await engine.written();
        return reads.call('taskFailure', [taskId], signal);
      },
      decide: (id, decision, actor, audit) => decide(store, id, decision, actor, now(), audit),
    },
    async impacts(workflowId, query, signal) {
      await engine.written();
      return reads.call('impacts', [workflowId, { ...query, now: now() }], signal);
    },
    recorded: {
      inputs: async (query, signal) => {
        await engine.written();
        return reads.call('recordedInputs', [query], signal);
      },
      text: (input, lists, most, signal) => reads.text('recording', [input, lists, most], signal),
    },
    operations: bulk.operations,
    async *export(filter, format) {
      if (scan.exports >= limits.jobExports)
        throw new Fault('OVERLOADED', `${limits.jobExports} exports run already: try again when one has ended`);
      await engine.written();
      yield* scan.export(filter, format);
    },
    limit: (change) => engine.enqueue(1, (tx) => setConcurrencyLimit(tx, change)),
    get queueDepth() {
      return memory.totals.ready + countPendingInputs(memory);
    },
    readStats: reads.stats,
    async overview() {
      const { ready, withheld, scheduled, running, retrying, open } = memory.totals;
      return {
        jobs: { running: open, ...overview.read(now()) },
        tasks: { ready: ready + withheld, scheduled, running, retrying },
        failures: recentGroups(read, now()),
      };
    },
    async close() {
      await stopChecks();
      await retention?.close();
      await bulk.close();
      await scan.close();
      await reads.close();
      await births.close();
      told.close();
      await children.idle();
      await engine.idle();
      waiters.close();
      const keep = overview.save(now());
      if (keep) await store.write(keep);
    },
  };

  /** Slice by slice; should the worker come back meanwhile, `joined` decides about the rest. */
  async function lost(workerId: string): Promise<void> {
    let more: boolean;
    do {
      // Only a turn that was taken says that there is more: one that failed, or comes after the end, would come again for ever.
      more = false;
      await told.run(LOST_PER_TURN, (tx) => (more = loseWorker(tx, workerId)));
    } while (more && workerPool.worker(workerId)?.state === 'Down');
  }

  const events: WorkerPoolEvents = {
    report(workerId, all) {
      for (const { weight, reports } of splitReports(memory, redactReports(all, deps.secrets)))
        void told.run(
          weight,
          (tx) => takeReports(tx, workerId, reports),
          reports.length > 1 ? reports.map((report) => (tx) => takeReports(tx, workerId, [report])) : [],
        );
    },
    async joined(workerId, running) {
      // All of these before any report that comes after the hello: turns take what they are given in its order.
      for (let from = 0; from < running.length; from += LOST_PER_TURN)
        void told.run(LOST_PER_TURN, (tx) => reclaimLeases(tx, workerId, running.slice(from, from + LOST_PER_TURN)));
      let gone: readonly LostLease[] = [];
      await told.run(1, (tx) => (gone = reconcile(tx, workerId, running)));
      for (let from = 0; from < gone.length; from += LOST_PER_TURN)
        await told.run(LOST_PER_TURN, (tx) => loseReturned(tx, workerId, gone.slice(from, from + LOST_PER_TURN)));
    },
    gone(workerId, leases) {
      for (let from = 0; from < leases.length; from += LOST_PER_TURN)
        void told.run(LOST_PER_TURN, (tx) => loseGone(tx, workerId, leases.slice(from, from + LOST_PER_TURN)));
    },
    down: (workerId) => void lost(workerId),
    room: () => memory.totals.ready > 0 && engine.nudge(),
  };
  return { jobs, events, check, tidy };
}
