import { isoOrNull } from '../../lib/clock.ts';
import { jsonTextOf, packTexts } from '../../lib/packed-inputs.ts';
import type { Job, JobFilter } from '../../contract/jobs.ts';
import type { LogRecord, LogSearch } from '../../contract/logs.ts';
import type { Overview } from '../../contract/master.ts';
import type { Task } from '../../contract/tasks.ts';
import type { Worker } from '../../contract/workers.ts';
import { embeddedStore } from '../../lib/embedded-store.ts';
import { Fault } from '../../lib/fault.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { EarlierCall, Jobs, JobResult, Submission } from '../jobs/port.ts';
import type { Deliver, LogFilter, Logs } from '../logs/port.ts';
import type { Workers } from '../workers/port.ts';
import { fakeWaits } from './waits.fake.ts';

/** Rooms in memory for tests of the routes. They keep to the ports and fail as the ports say. */

interface Held {
  submission: Submission;
  outcome: JobResult;
  waiters: Set<() => void>;
}

export interface FakeJobs extends Jobs {
  readonly submitted: Submission[];
  /** New jobs end at once with their inputs as output, unless told to stay open. */
  hold: boolean;
  queueDepth: number;
  finish(jobId: string, end: Partial<JobResult>): void;
  /** Jobs that calls wait for. */
  open(): string[];
  /** As new. */
  clear(): void;
}

const TIME = '2026-01-01T00:00:00.000Z';
const open = (jobId: string): JobResult => ({
  jobId,
  status: 'RUNNING',
  finishedAt: null,
  outputText: null,
  failure: null,
});

const unknownOperation = (id: string): never => {
  throw new Fault('OPERATION_NOT_FOUND', `operation ${id} not found`);
};
const noOperation = async (id: string) => unknownOperation(id);
const notInMemory = async (): Promise<never> => {
  throw new Fault('OVERLOADED', 'not in memory');
};

export function fakeJobs(): FakeJobs {
  const jobs = new Map<string, Held>();
  const keys = new Map<string, EarlierCall>();
  const submitted: Submission[] = [];
  const scopeOf = (s: { keyId: string; workflowId: string; environment: string | null; key: string }) =>
    JSON.stringify([s.keyId, s.workflowId, s.environment, s.key]);
  const held = (jobId: string): Held => {
    const found = jobs.get(jobId);
    if (!found) throw new Fault('JOB_NOT_FOUND', `job ${jobId} not found`);
    return found;
  };
  const job = ({ submission, outcome }: Held): Job => ({
    id: outcome.jobId,
    externalId: submission.externalId,
    status: outcome.status,
    workflowId: submission.runnable.workflowId,
    environment: submission.environment,
    commit: submission.runnable.commit,
    kind: submission.kind,
    trigger: { kind: submission.kind === 'event' ? 'event' : 'api' },
    priority: submission.priority ?? 0,
    taskCounters: {
      readyTasks: 0,
      scheduledTasks: 0,
      runningTasks: 0,
      completedTasks: 1,
      failedTasks: 0,
      scheduleTimeout: 0,
      runTimeoutTasks: 0,
    },
    replicaRunTimeoutSeconds: null,
    labels: submission.labels ?? {},
    inputCount: submission.inputs.length,
    createdAt: TIME,
    updatedAt: TIME,
    finishedAt: isoOrNull(outcome.finishedAt),
    killedAt: null,
    durationMs: null,
    retriedAt: null,
    rerunOf: null,
    parentTaskId: null,
  });
  const page = <T>(items: T[], query: { page: number; size: number }) => ({
    items: items.slice(query.page * query.size, (query.page + 1) * query.size),
    page: query.page,
    size: query.size,
    totalItems: items.length,
    totalPages: Math.ceil(items.length / query.size),
  });
  /** Of the filters this one alone, which is set by the routes. */
  const within = ({ within: ids }: Pick<JobFilter, 'within'>): Job[] =>
    [...jobs.values()].filter(({ submission }) => ids?.includes(submission.runnable.workflowId) ?? true).map(job);
  const fake: FakeJobs = {
    submitted,
    hold: false,
    queueDepth: 0,
    clear() {
      jobs.clear();
      keys.clear();
      submitted.length = 0;
      fake.hold = false;
      fake.queueDepth = 0;
    },
    submitOnce: notInMemory,
    async call(submission, seconds, leaving) {
      const { jobId } = await fake.submit({ ...submission, idempotency: null, awaited: true });
      return fake.wait(jobId, seconds, leaving);
    },
    async submit(submission) {
      const { idempotency } = submission;
      await Promise.resolve();
      if (idempotency) {
        const scope = scopeOf({
          ...idempotency,
          workflowId: submission.runnable.workflowId,
          environment: submission.environment,
        });
        const known = keys.get(scope);
        if (known) return { kind: 'repeated', ...known };
      }
      submitted.push(submission);
      const jobId = uuidv7();
      if (idempotency)
        keys.set(
          scopeOf({ ...idempotency, workflowId: submission.runnable.workflowId, environment: submission.environment }),
          { jobId, bodyHash: idempotency.bodyHash, accepted: submission.awaited ? null : 'RUNNING' },
        );
      const held: Held = { submission, outcome: open(jobId), waiters: new Set() };
      jobs.set(jobId, held);
      if (!fake.hold)
        setImmediate(
          () =>
            jobs.has(jobId) &&
            fake.finish(jobId, { status: 'COMPLETED', outputText: JSON.stringify(submission.inputs) }),
        );
      return { kind: 'created', jobId, status: submission.inputs.length === 0 ? 'EMPTY' : 'RUNNING' };
    },
    graph: async (jobId) => ({ replicas: held(jobId).submission.inputs.length, nodes: [], taken: [] }),
    workerTasks: async (_workerId, query) => page([], query),
    findIdempotent: (scope) => keys.get(scopeOf(scope)) ?? null,
    async acceptIdempotent(scope, jobId, accepted) {
      const known = keys.get(scopeOf(scope));
      if (known?.jobId === jobId) keys.set(scopeOf(scope), { ...known, accepted });
    },
    endWaits: () => {},
    wait(jobId, seconds, leaving) {
      const found = held(jobId);
      if (found.outcome.outputText !== null || found.outcome.failure !== null) return Promise.resolve(found.outcome);
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          found.waiters.delete(done);
          resolve(found.outcome);
        };
        const timer = setTimeout(done, seconds * 1000);
        leaving?.(done);
        found.waiters.add(done);
      });
    },
    open: () => [...jobs].filter(([, { waiters }]) => waiters.size > 0).map(([id]) => id),
    finish(jobId, end) {
      const found = held(jobId);
      found.outcome = { ...found.outcome, finishedAt: Date.parse(TIME), ...end };
      for (const waiter of found.waiters) waiter();
    },
    inputs: async (jobId) => packTexts((held(jobId).submission.inputs as readonly unknown[]).map(jsonTextOf)),
    inputText: async (jobId, { replica }) => {
      const texts = (held(jobId).submission.inputs as readonly unknown[]).map(jsonTextOf);
      return replica === null ? `[${texts.join(',')}]` : (texts[replica] ?? 'null');
    },
    rerun: (submission) => fake.submit(submission),
    retryTask: (taskId) => fake.task(taskId),
    result: async (jobId) => jobs.get(jobId)?.outcome ?? null,
    list: async (query) => page(within(query), query),
    forCopy: { list: async () => null, tasks: async () => null, payload: async () => null },
    listText: async (query) => JSON.stringify(page(within(query), query)),
    get: async (jobId) => job(held(jobId)),
    outputText: async (jobId) => `{"output":${held(jobId).outcome.outputText ?? 'null'},"error":null}`,
    outputJson: async (jobId) => Buffer.from(held(jobId).outcome.outputText ?? 'null'),
    async eventStatusJson(jobId, workflowId, environment) {
      const { submission, outcome } = held(jobId);
      if (submission.runnable.workflowId !== workflowId || submission.environment !== environment)
        throw new Fault('JOB_NOT_FOUND', 'there is no such job there');
      return JSON.stringify({
        jobId,
        status: outcome.status,
        finishedAt: isoOrNull(outcome.finishedAt),
        output: null,
        error: null,
      });
    },
    tasks: async (jobId, query) => (held(jobId), page<Task>([], query)),
    tasksText: async (jobId, query) => (held(jobId), JSON.stringify(page<Task>([], query))),
    task: async (taskId) => {
      throw new Fault('TASK_NOT_FOUND', `task ${taskId} not found`);
    },
    why: async (taskId) => {
      throw new Fault('TASK_NOT_FOUND', `task ${taskId} not found`);
    },
    payload: async (of) => {
      if ('task' in of) throw new Fault('TASK_NOT_FOUND', `task ${of.task} not found`);
      return of.of === 'output' ? fake.outputText(of.job) : fake.inputText(of.job, of);
    },
    kill: async (jobId) => ({ jobId: held(jobId).outcome.jobId, killedTasks: 0, status: 'FAILED' }),
    retry: async (jobId) => ({ jobId: held(jobId).outcome.jobId, retriedTasks: 0, status: 'RUNNING' }),
    recorded: { inputs: async () => [], text: async () => '{}' },
    activity: async () => [],
    impacts: async (_workflowId: string, { page, size }: { page: number; size: number }) => ({
      items: [],
      page,
      size,
      totalItems: 0,
      totalPages: 0,
    }),
    incident: {
      tasks: async (jobId) => (held(jobId), { lines: '', count: 0, next: null, apart: [], workers: [] }),
      failureGroups: async (jobId) => (held(jobId), []),
    },
    compare: {
      tasks: async (here, there) => ({
        here: job(held(here)),
        there: job(held(there)),
        message: '',
        ended: null,
        first: null,
        nodes: [],
        tasks: { here: 0, there: 0, differing: 0, items: [] },
        workers: [],
        inputs: { differing: 0, replicas: [] },
        complete: true,
      }),
      values: async () => ({ bytes: { here: 0, there: 0 }, changes: [], complete: true }),
      logs: async () => ({ lines: { here: 0, there: 0 }, items: [], alike: 0 }),
    },
    failures: {
      list: async (query) => page([], query),
      get: async (id) => {
        throw new Fault('FAILURE_NOT_FOUND', `failure group ${id} not found`);
      },
      ofTask: async (id) => {
        throw new Fault('TASK_NOT_FOUND', `task ${id} not found`);
      },
      decide: async (id) => {
        throw new Fault('FAILURE_NOT_FOUND', `failure group ${id} not found`);
      },
    },
    readStats: () => ({ waiting: 0, search: null }),
    waits: fakeWaits((jobId) => void held(jobId)),
    operations: {
      beginBackfill: notInMemory,
      noteBackfill: () => false,
      endBackfill: () => {},
      dryRun: async ({ target }) => ({
        count: 'filter' in target ? within(target.filter).length : 0,
        eligible: 0,
        ineligible: [],
        snapshot: 'snapshot-1',
      }),
      submit: notInMemory,
      snapshotPlaces: () => null,
      places: unknownOperation,
      snapshotTotal: () => ({ total: 0, filter: null }),
      holdSnapshot: () => {},
      snapshotJobs: (_snapshot, query) => page([], query),
      list: async (query) => page([], query),
      get: noOperation,
      results: noOperation,
      abort: noOperation,
    },
    async *export() {
      yield new TextEncoder().encode('');
    },
    async overview(): Promise<Pick<Overview, 'jobs' | 'tasks' | 'failures'>> {
      return {
        jobs: { running: 0, failedLastHour: 0, createdLastHour: 0, throughputPerMinute: 0, p95Ms: null },
        tasks: { ready: 0, scheduled: 0, running: 0, retrying: 0 },
        failures: [],
      };
    },
    limit: async () => undefined,
    close: async () => undefined,
  };
  return fake;
}

export interface FakeWorkers extends Workers {
  anyAlive: boolean;
  upgrades: number;
}

export function fakeWorkers(): FakeWorkers {
  const worker: Worker = {
    id: uuidv7(),
    url: 'http://127.0.0.1:1',
    state: 'Operational',
    drained: false,
    currentTasks: 0,
    maxTasks: 8,
    lastHeartbeatAt: TIME,
    registeredAt: TIME,
    createdAt: TIME,
    version: '1',
    labels: { zone: 'a' },
    environments: null,
    handlers: [],
    cpuUsage: 0.5,
    memoryUsage: null,
  };
  const get = async (id: string) => {
    if (id !== worker.id) throw new Fault('WORKER_NOT_FOUND', `worker ${id} not found`);
    return worker;
  };
  const fake: FakeWorkers = {
    anyAlive: true,
    upgrades: 0,
    list: async ({ page, size }) => ({ items: [worker], page, size, totalItems: 1, totalPages: 1 }),
    ...{ get, drain: get, resume: get, forget: async () => undefined },
    upgrade(_request, socket) {
      fake.upgrades++;
      socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    },
    refused: () => undefined,
    ofToken: () => ({ workers: [worker], refused: [] }),
    progress: () => null,
    lost: () => [],
    overview: () => ({
      total: 1,
      operational: 1,
      maxed: 0,
      unstable: 0,
      down: 0,
      drained: 0,
      currentTasks: 0,
      maxTasks: 8,
    }),
    drainAll: async () => undefined,
    disconnectAll: () => undefined,
    close: async () => undefined,
  };
  return fake;
}

export function fakeLogs(): Logs & { deliver(record: { _time: string; _msg: string }): void } {
  const tails = new Set<Deliver>();
  const checked = (filter: LogFilter) => {
    if (filter.query?.includes('('))
      throw new Fault('QUERY_INVALID', 'the bracket is never closed', {
        extra: { position: filter.query.indexOf('(') },
      });
  };
  const found = (query: LogFilter): LogSearch => {
    checked(query);
    return {
      query: query.query ?? '*',
      from: query.from ?? null,
      to: query.to ?? null,
      records: [{ _time: TIME, _msg: 'hello', custom: 1 } as LogRecord],
      nextCursor: null,
    };
  };
  return {
    search: async (query) => found(query),
    searchJson: async (query) => Buffer.from(JSON.stringify(found(query))),
    recordsText: async (query) => JSON.stringify(found(query).records),
    redact() {},
    warnings: () => [],
    warningsIn: () => [],
    arrived: () => null,
    tailLosses: { missed: () => undefined, ended: () => undefined },
    verify: async () => ({ bytes: 0, damages: [] }),
    async hits(query) {
      checked(query);
      return { hits: [] };
    },
    async fields(query) {
      checked(query);
      return { values: [{ value: '_msg', count: 1 }], complete: true };
    },
    async values(query) {
      checked(query);
      return { values: [], complete: true };
    },
    tail(filter, deliver, signal) {
      checked(filter);
      tails.add(deliver);
      signal.addEventListener('abort', () => tails.delete(deliver));
    },
    deliver: (record) => tails.forEach((deliver) => deliver(JSON.stringify([record]), 1)),
    async *run() {},
    insert: async () => ({ stored: 0, skipped: 0, duplicate: false }),
    configure: () => undefined,
    info: () => embeddedStore(null),
    stats: () => ({
      records: 0,
      tailMissed: 0,
      tailsEnded: 0,
      rows: 0,
      bytes: 0,
      blocks: 0,
      oldest: null,
      newest: null,
      refusing: null,
      damaged: 0,
      stored: 0,
      skipped: 0,
      duplicates: 0,
      refused: 0,
      queuedBytes: 0,
      lagMs: 0,
      remote: null,
      queued: 0,
      dropped: 0,
    }),
    close: async () => undefined,
  };
}
