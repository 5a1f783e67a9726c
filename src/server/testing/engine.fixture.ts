import { copyFileSync, existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Definition, WorkflowEdge, WorkflowNode } from '../../contract/definition.ts';
import { buildGraph } from '../../contract/graph.ts';
import { LIMITS, type Limits } from '../../contract/limits.ts';
import type { MetricPoint } from '../../contract/worker-protocol.ts';
import type { Change } from '../feed/port.ts';
import { createJobs, type JobsDeps } from '../jobs/jobs.ts';
import { fixedTurnBudget } from '../jobs/engine/turn-budget.ts';
import type { ShapedPoint } from '../jobs/engine/metric-points.ts';
import type { Submission } from '../jobs/port.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import type { Endpoint, Runnable } from '../workflows/port.ts';
import type { LinkCredential } from '../workers/port.ts';
import { createWorkers } from '../workers/workers.ts';
import { emptyDatabase } from './empty-database.fixture.ts';
import { connectWorker, type FakeWorker, type FakeWorkerOptions } from './worker.fake.ts';
import type { HeldDisk } from './held-disk.fixture.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

/** A clock that moves when the test says so. `advance`: time passes; `set`: somebody sets the clock, by so much. */
export function handClock(start = Date.now()) {
  let at = start;
  let passed = 0;
  return {
    now: () => at,
    elapsed: () => passed,
    advance: (ms: number) => {
      at += ms;
      passed += ms;
    },
    set: (byMs: number) => void (at += byMs),
  };
}

export interface RigOptions {
  /** Addresses of the masters of a cluster. */
  masters?: () => readonly string[];
  limits?: Partial<Limits>;
  file?: string;
  clock?: ReturnType<typeof handClock>;
  /** Errors that the rooms report are expected, and not thrown on close. */
  mayReport?: boolean;
  runnable?(commit: string): Runnable;
  retention?: 'delete' | 'archive';
  secrets?: JobsDeps['secrets'];
  checkInThread?: JobsDeps['checkInThread'];
  checkInputs?: JobsDeps['checkInputs'];
  /** Slices of long work have so many steps: the same on every processor; null: as many as this one has time for. */
  slice?: number | null;
  /** How often states of workers are looked at; else by hand. */
  lookMs?: number;
  /** With durability `full`, over this disk. */
  disk?: HeldDisk;
}

const DAY_S = 86_400;
const SLICE = 64;
const NORMAL = { durability: 'normal' } as const;

export const turnBudgetOf = (slice: number | null = SLICE) =>
  slice === null ? {} : { turnBudget: fixedTurnBudget(slice) };

/** Jobs and workers joined over a real database and a real socket; the periodic checks run by hand. */
export async function openRig(options: RigOptions = {}) {
  const file = options.file ?? (await emptyDatabase('ym-jobs-'));
  const clock = options.clock ?? handClock();
  const limits: Limits = { ...LIMITS, retryCheckSeconds: DAY_S, retryJitter: 0, ...options.limits };
  const durability = options.disk ? { durability: 'full' as const, sync: options.disk.sync } : NORMAL;
  const store = openSqlite({ file, ...durability, steadyMs: 100 });
  const changes: Pick<Change, 'kind' | 'id'>[] = [];
  const points: MetricPoint[] = [];
  const measured: ShapedPoint[] = [];
  const errors: unknown[] = [];
  const feed = { publish: (kind: Change['kind'], id: string) => void changes.push({ kind, id }) };
  const shared = {
    store,
    clock,
    limits,
    feed,
    record: (point: MetricPoint) => void points.push(point),
    onError: (error: unknown) => void errors.push(error),
  };
  const room = createWorkers({
    ...shared,
    pipeline: () => ({ host: '127.0.0.1', port: 9000 }),
    ...(options.masters ? { masters: options.masters } : {}),
    lookMs: options.lookMs ?? DAY_S * 1000,
  });
  const archive = join(dirname(file), 'archive');
  const { jobs, events, runners, check, tidy } = await createJobs({
    ...shared,
    retention: { other: { jobRetentionMode: options.retention ?? 'delete' }, folder: archive },
    measure: (point) => void measured.push(point),
    workerPool: room.workerPool,
    ...(options.secrets ? { secrets: options.secrets } : {}),
    ...(options.checkInThread ? { checkInThread: options.checkInThread } : {}),
    ...(options.checkInputs ? { checkInputs: options.checkInputs } : {}),
    ...turnBudgetOf(options.slice),
    runnable: (_workflowId, commit) => (options.runnable ?? knownCommit)(commit),
    endpoint: publishedTo,
    random: () => 0.5,
  });
  room.attach(events, runners);
  const server = await listen(room.workers);
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fakes: FakeWorker[] = [];

  return {
    file,
    clock,
    limits,
    store,
    jobs,
    workers: room.workers,
    workerPool: room.workerPool,
    changes,
    points,
    measured,
    errors,
    check,
    tidy,
    archive,
    url,
    look: room.look,
    timedLook: room.timedLook,
    ended: room.ended,
    tellLimits: room.tellLimits,
    tellMasters: room.tellMasters,
    async worker(how: Omit<FakeWorkerOptions, 'url'> = {}) {
      const fake = await connectWorker({ url, ...how });
      fakes.push(fake);
      return fake;
    },
    /** Submits to dev and gives the job's id. */
    async submit(
      runnable: Runnable,
      inputs: unknown[] = [{ content: 'a' }],
      more: Partial<Submission> = {},
    ): Promise<string> {
      return (await jobs.submit(submission(runnable, inputs, more))).jobId;
    },
    /** All tasks of a job in the order of their creation. */
    tasks: async (jobId: string) => (await jobs.tasks(jobId, { page: 0, size: 500 })).items,
    async close() {
      for (const fake of fakes) await fake.vanish();
      await room.workers.close();
      await jobs.close();
      await store.close();
      await new Promise((resolve) => server.close(resolve));
      if (errors.length > 0 && !options.mayReport) throw errors[0];
    },
    /** The database as a SIGKILL at this moment would leave it: a copy, for another rig. */
    crash(): string {
      const copy = join(temporaryFolder('ym-crash'), 'yardmaster.db');
      for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
      return copy;
    },
    /** As SIGKILL would: nothing is told to anybody, the file stays as it is. */
    async abandon() {
      for (const fake of fakes) await fake.vanish();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type Rig = Awaited<ReturnType<typeof openRig>>;

export const submission = (
  runnable: Runnable,
  inputs: Submission['inputs'],
  more: Partial<Submission> = {},
): Submission => ({
  runnable,
  environment: 'dev',
  kind: 'event',
  inputs,
  externalId: null,
  replicaRunTimeoutSeconds: null,
  idempotency: null,
  ...more,
});

const published = new Map<string, Runnable>();
/** Takes what was published last back. */
export const unpublish = (workflowId: string): void => void published.delete(workflowId);
/** What is called by this id: the workflow that was made last under it. `none` is known, but not published. */
export const publishedTo = (workflowId: string): Endpoint => {
  const runnable = published.get(workflowId);
  if (runnable) return { found: 'published', runnable };
  return { found: workflowId === 'none' ? 'not-published' : 'workflow-unknown' };
};

const runnables = new Map<string, Runnable>();
/** The commit that `workflow` made. */
export const knownCommit = (commit: string): Runnable => {
  const found = runnables.get(commit);
  if (!found) throw new Error(`no commit ${commit}`);
  return found;
};

/** A commit from a short form: nodes by id, and edges as `from>to` or `from>to:port`. `input` and `output` are there. */
export function workflow(
  nodes: Record<string, Partial<WorkflowNode>>,
  edges: string[],
  more: Partial<Definition> & { workflowId?: string } = {},
): Runnable {
  const { workflowId = 'flow', ...settings } = more;
  const definition: Definition = {
    schemaVersion: 1,
    name: 'Flow',
    response: 'list',
    nodes: [
      { id: 'input', type: 'input' },
      { id: 'output', type: 'output' },
      ...Object.entries(nodes).map(([id, node]) => ({ id, type: 'transform', config: { expression: '$' }, ...node })),
    ],
    edges: edges.map(edgeOf),
    output: 'output',
    ...settings,
  };
  const output = definition.nodes.find(({ id }) => id === 'output');
  if (output && nodes['output']) definition.nodes = definition.nodes.filter((node) => node !== output);
  const commit = (runnables.size + 1).toString(16).padStart(40, '0');
  const runnable: Runnable = { workflowId, commit, definition, graph: buildGraph(definition), checkInput: () => null };
  runnables.set(commit, runnable);
  published.set(workflowId, runnable);
  return runnable;
}

function edgeOf(text: string): WorkflowEdge {
  const [, from = '', to = '', port] = /^([^>]+)>([^:]+)(?::(.+))?$/.exec(text) ?? [];
  return port === undefined ? { from, to } : { from, to, port };
}

/** Of links that are opened without the rooms that know tokens. */
const ANY_TOKEN: LinkCredential = {
  tokenId: 'any',
  address: null,
  environments: null,
  labels: {},
  isValid: () => true,
  onEnded: () => () => undefined,
  isActive: () => true,
};

async function listen(workers: { upgrade: ReturnType<typeof createWorkers>['workers']['upgrade'] }): Promise<Server> {
  const server = createServer();
  server.on('upgrade', (request, socket, head) => workers.upgrade(request, socket, head, ANY_TOKEN));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
