import { embeddedStore } from '../../lib/embedded-store.ts';
import { proofOf } from '../../lib/proof.ts';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Definition } from '../../contract/definition.ts';
import { LIMITS, type Limits } from '../../contract/limits.ts';
import { ENVIRONMENTS, type Environment, type Role } from '../../contract/vocabulary.ts';
import type { OidcOptions } from '../../contract/process.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { createAccess } from '../access/access.ts';
import { createApprovals } from '../approvals/approvals.ts';
import type { AlertSources } from '../alerts/sources.ts';
import { createAlerts } from '../alerts/alerts.ts';
import { createDashboards } from '../dashboards/dashboards.ts';
import { createExpressions } from '../expressions/expressions.ts';
import { createFeed } from '../feed/feed.ts';
import { openOffload } from '../http/offload/open-offload.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { createDamageRegistry } from '../observability/damage.ts';
import { createBackups } from '../backup/backup.ts';
import { singleCluster } from '../cluster/single.ts';
import { createSchedules } from '../schedules/schedules.ts';
import { createSecrets } from '../secrets/secrets.ts';
import { inputRefusal, schemaMismatch } from '../workflows/input-refusal.ts';
import { createWorkflowTests } from '../shadow/workflow-tests.ts';
import { createShadow } from '../shadow/shadow.ts';
import { createSettings } from '../settings/settings.ts';
import { createWebhooks } from '../webhooks/webhooks.ts';
import { expressionFault } from '../workflows/check-node.ts';
import type { Actor } from '../workflows/port.ts';
import { createWorkflows } from '../workflows/workflows.ts';
import { createApp } from '../http/app.ts';
import type { HeldDisk } from './held-disk.fixture.ts';
import { emptyDatabase } from './empty-database.fixture.ts';
import { fakePipelines } from './pipelines.fake.ts';
import { fakeJobs, fakeLogs, fakeWorkers } from './http.fake.ts';
import { fakeMetrics } from './metrics.fake.ts';
import type { Services } from '../http/core/services.ts';

/** The app for tests: real access, workflows, feed and database; jobs, workers, logs and metrics in memory. */
export interface Harness {
  readonly app: FastifyInstance;
  readonly services: Services;
  readonly jobs: ReturnType<typeof fakeJobs>;
  readonly workers: ReturnType<typeof fakeWorkers>;
  readonly logs: ReturnType<typeof fakeLogs>;
  /** What was answered with INTERNAL. */
  readonly unexpected: unknown[];
  readonly tokens: Readonly<Record<Role, string>>;
  /** An API key. */
  key(over?: {
    workflows?: string[];
    environments?: Environment[];
    expiresAt?: string;
  }): Promise<{ id: string; key: string }>;
  /** Makes a workflow, and publishes a definition of it to dev; gives the commit. */
  publish(id: string, over?: Partial<Definition>): Promise<string>;
  close(): Promise<void>;
}

export const tester: Actor = { name: 'tester', role: 'admin', address: null };

export const simple: Definition = {
  schemaVersion: 1,
  name: 'Upper',
  response: 'list',
  input: { type: 'object', required: ['content'], properties: { content: { type: 'string' } } },
  nodes: [
    { id: 'in', type: 'input' },
    { id: 'up', type: 'transform', config: { expression: '$uppercase(content)' } },
    { id: 'out', type: 'output' },
  ],
  edges: [
    { from: 'in', to: 'up' },
    { from: 'up', to: 'out' },
  ],
  output: 'out',
};

export async function startHarness(
  over: {
    limits?: Partial<Limits>;
    services?: Partial<Services>;
    disk?: HeldDisk;
    oidc?: OidcOptions;
    /** What alert rules over metrics see. */
    alertSeries?: AlertSources['series'];
    /** What access takes for the time. */
    clock?: Pick<Clock, 'now'>;
    /** Lines that access writes for whoever runs the master. */
    log?: (line: string) => void;
  } = {},
): Promise<Harness> {
  const file = await emptyDatabase('http-', 'master.db');
  const folder = dirname(file);
  const store = openSqlite(
    over.disk ? { file, durability: 'full', sync: over.disk.sync } : { file, durability: 'normal' },
  );
  const clock = systemClock;
  const limits = { ...LIMITS, ...over.limits };
  const unexpected: unknown[] = [];
  const feed = createFeed(clock.now(), (error) => void unexpected.push(error));
  const oidc = over.oidc ? { options: over.oidc, cipher: () => secrets.cipher } : null;
  const access = createAccess({ store, clock: { ...clock, ...over.clock }, limits, oidc, log: over.log ?? (() => {}) });
  const offload = openOffload({ limits, onError: (error) => void unexpected.push(error) });
  const redactionThread = openOffload({ limits, onError: (error) => void unexpected.push(error) });
  const settings = createSettings({ store, limits, httpAllow: [], record: access.audit.record, log: () => {} });
  const workflows = createWorkflows({
    ...{ store, clock, feed, audit: access.audit, limits, offload },
    isProtected: (environment) => settings.other.protectedEnvironments[environment] !== undefined,
  });
  const secrets = await createSecrets({
    store,
    clock,
    limits,
    record: access.audit.record,
    keyFile: join(folder, 'secrets.key'),
    givenKeys: null,
    log: () => {},
  });
  secrets.watch(redactionThread.redact);
  const backups = createBackups({ store, clock, audit: access.audit, folder: join(folder, 'backups') });
  const jobs = fakeJobs();
  const workers = fakeWorkers();
  const logs = fakeLogs();
  const cluster = singleCluster({
    masterId: 'master-1',
    url: () => 'http://localhost:8700',
    startedAt: clock.now(),
    clock,
  });
  const { alerts } = await createAlerts({
    store,
    clock,
    limits,
    feed,
    record: access.audit.record,
    cipher: secrets.cipher,
    url: () => 'http://localhost:8700',
    log: () => {},
    onError: (error) => void unexpected.push(error),
    sources: {
      series: over.alertSeries ?? (async ({ from, to }) => ({ from, to, intervalMs: null, series: [], total: 0 })),
      logs: over.services?.logs ?? logs,
      workflowsOf: (project) => workflows.idsIn([project]),
      engine: {
        workers: workers.overview,
        lost: workers.lost,
        queueDepth: () => 0,
        tasks: async () => ({ ready: 0, scheduled: 0, running: 0 }),
        diskUsed: async () => 0.5,
        pipelineQueue: () => 0,
        wrongCredentials: () => 0,
        targets: () => [],
        targetsLost: () => [],
        sendersRefused: () => [],
        approvalsWatched: () => [],
        approvalsWaiting: () => [],
        damagedData: () => 0,
        runs: async () => [],
        cluster: () => cluster.get(),
        schedules: () => [],
        webhooks: () => [],
      },
    },
  });
  const shadow = createShadow({
    store,
    limits,
    workflows,
    jobs,
    secrets,
    refusal: async () => null,
    record: access.audit.record,
    now: () => clock.now(),
    onError: (error) => void unexpected.push(error),
  });
  const expressions = createExpressions({ limits, projectOf: workflows.projectOf });
  const schedules = createSchedules({
    ...{ store, workflows, expressions, audit: access.audit, feed, limits },
    jobs: {
      ...jobs,
      async submitOnce(submission, { claim, made }) {
        const { jobId } = await jobs.submit({ ...submission, idempotency: null });
        return store.write((db) => {
          if (!claim(db)) return null;
          made(db, jobId);
          return { kind: 'created', jobId, status: 'RUNNING' };
        });
      },
    },
    isActive: async (id) => workflows.projectOf(id) !== null && (await workflows.get(id)).archivedAt === null,
    checkInputs: async () => {},
    now: () => clock.now(),
    onError: (error) => void unexpected.push(error),
  });
  const workflowTests = createWorkflowTests({
    ...{ store, limits, workflows, jobs, secrets, record: access.audit.record, now: () => clock.now() },
    refusal: inputRefusal(offload),
    mismatch: schemaMismatch(offload),
  });
  const approvals = createApprovals({
    store,
    clock: { ...clock, ...over.clock },
    limits,
    settings: settings.other,
    overrides: settings,
    access,
    feed,
    audit: access.audit,
    workflows,
    operations: jobs.operations,
    onError: (error) => void unexpected.push(error),
  });
  const webhooks = createWebhooks({
    store,
    clock,
    limits,
    cipher: secrets.cipher,
    redactor: () => secrets.redactor,
    record: access.audit.record,
    expressionFault,
  });
  const services: Services = {
    webhooks,
    expressions,
    access,
    workflows,
    approvals,
    jobs,
    workers,
    feed,
    logs,
    metrics: fakeMetrics(),
    alerts,
    dashboards: createDashboards({ store, clock, limits, record: access.audit.record, alerts }),
    shadow,
    schedules,
    workflowTests,
    offload,
    redactionThread,
    limits,
    clock,
    dataChecks: { list: () => [], start() {} },
    damage: createDamageRegistry({ file: null, now: () => clock.now(), log: () => {} }),
    settings: () => ({
      version: '0',
      node: 'v24',
      dataFolder: '/data',
      store: 'sqlite',
      logs: embeddedStore(null),
      metrics: embeddedStore(null),
      remoteWrite: null,
      otlp: [],
      durability: 'normal',
      startedAt: new Date().toISOString(),
      ports: { master: 1, logStore: null, metrics: null, logstash: 9000 },
      limits: settings.limits,
      settings: settings.list(),
    }),
    overrides: settings,
    pipelines: fakePipelines(),
    secrets,
    backups,
    cluster,
    durable: store.durable,
    notReady: () => [],
    prove: (nonce) => proofOf('key', nonce, 1),
    prometheus: () => '# TYPE up gauge\nup 1\n',
    consoleFolder: null,
    allowedHosts: [],
    proxies: null,
    report: (error) => void unexpected.push(error),
    // Short tests have no idle moments.
    warmUp: { add: () => {}, start: () => {}, stop: () => {}, left: 0 },
    ...over.services,
  };
  const app = createApp(services);
  await app.ready();
  const tokens = { viewer: '', operator: '', admin: '', worker: '' };
  for (const role of ['viewer', 'operator', 'admin', 'worker'] as const)
    tokens[role] = (await access.tokens.create({ name: role, role }, tester)).token;
  return {
    app,
    services,
    jobs,
    workers,
    logs,
    unexpected,
    tokens,
    key: ({ workflows: ids = ['*'], environments = [...ENVIRONMENTS], expiresAt } = {}) =>
      access.keys.create({ name: 'test', workflows: ids, environments, ...(expiresAt ? { expiresAt } : {}) }, tester),
    async publish(id, definition = {}) {
      await workflows.create({ id, name: id }, tester);
      const { hash } = await workflows.commit(
        id,
        { definition: { ...simple, ...definition }, message: 'First', parent: null },
        tester,
      );
      await workflows.publish(id, 'dev', { hash }, tester);
      return hash;
    },
    async close() {
      await app.close();
      await schedules.close();
      await expressions.close();
      await shadow.close();
      await approvals.close();
      await alerts.close();
      await backups.close();
      await offload.close();
      await redactionThread.close();
      await access.close();
      await store.close();
    },
  };
}
