import { join } from 'node:path';
import { LIMITS } from '../contract/limits.ts';
import type { MasterOptions, MasterPorts, RunningMaster } from '../contract/process.ts';
import { VERSION } from '../contract/version.ts';
import { iso, systemClock } from '../lib/clock.ts';
import { threadFile } from '../lib/thread-file.ts';
import { createAccess } from './access/access.ts';
import { createAlerts } from './alerts/alerts.ts';
import { createDashboards } from './dashboards/dashboards.ts';
import { alertSources, countRuns } from './alerts/live-sources.ts';
import { createCloseStack, type CloseStack } from './startup/close-stack.ts';
import { openMasterListener } from './listeners/master-listener.ts';
import { createFeed } from './feed/feed.ts';
import { watchHealth } from './observability/health.ts';
import { createOffload } from './offload/offload.ts';
import { createApp } from './http/app.ts';
import { STORE_REFUSES } from './http/core/services.ts';
import { createJobs } from './jobs/jobs.ts';
import { localAccess } from './startup/local-access.ts';
import { createBackups } from './backup/backup.ts';
import { createRetention } from './retention/retention.ts';
import { announce } from './startup/local-files.ts';
import { lockDataFolder } from './startup/lock.ts';
import { openLogListener } from './listeners/log-listener.ts';
import { createLogs } from './logs/logs.ts';
import { startPipelines } from './logs/pipeline/pipelines.ts';
import { settingsOf } from './logs/pipeline/settings.ts';
import { openMetricListener } from './listeners/metric-listener.ts';
import { createMetrics } from './metrics/metrics.ts';
import { isLoopback, readTls, refuseOpenMaster } from './startup/policy.ts';
import { createSecrets } from './secrets/secrets.ts';
import { seedExamples } from './startup/seed-examples.ts';
import { createSettings } from './settings/settings.ts';
import { openSqlite } from './store/sqlite/open.ts';
import { createReports } from './observability/error-reports.ts';
import { createShadow } from './shadow/shadow.ts';
import { checkPacked } from './http/core/large-body.ts';
import { firstFault, inputRefusal } from './workflows/input-refusal.ts';
import { superviseWorkers } from './workers/supervisor.ts';
import { createWorkers } from './workers/workers.ts';
import { openWorkerListener } from './listeners/worker-listener.ts';
import { createWorkflows } from './workflows/workflows.ts';

/** Where the built parts lie that the master hands out or starts. */
export interface Parts {
  /** The entry that knows the `worker` command. */
  cli: string;
  /** The built console; null: only the API is served. */
  consoleFolder: string | null;
}

/**
 * The composition root of the master: opens, builds, starts the loops; `close` does the reverse. Throws a `Fault` that
 * says what to do; whatever was open by then is closed again.
 */
export async function buildMaster(options: MasterOptions, parts: Parts): Promise<RunningMaster> {
  const opened = createCloseStack((error) => options.say(`while closing: ${(error as Error).message}`));
  try {
    return await open(options, parts, opened);
  } catch (error) {
    await opened.closeAll();
    throw error;
  }
}

async function open(options: MasterOptions, parts: Parts, opened: CloseStack): Promise<RunningMaster> {
  const { data, say } = options;
  const clock = systemClock;
  const startedAt = clock.now();
  const onError = createReports(say, () => clock.now());
  let stopping = false;

  // State
  const lock = lockDataFolder(data);
  opened.add(() => lock.release());
  const tls = readTls(options.tls);
  const store = openSqlite({ file: join(data, 'yardmaster.db'), durability: options.durability });
  opened.add(() => store.close());
  const settings = createSettings({
    store,
    limits: { ...LIMITS, ...options.limits },
    httpAllow: options.httpAllow,
    record: (db, actor, entry) => access.audit.record(db, actor, entry),
    say,
  });
  const { limits } = settings;
  const feed = createFeed(startedAt, onError);
  const access = createAccess({ store, clock, limits });
  opened.add(() => access.close());
  const local = await localAccess(access, data, options);
  refuseOpenMaster(options, local.otherTokens);
  // Workers of this machine: their processes get ready while the rooms are opened.
  const supervisor = superviseWorkers({
    count: options.workers,
    capacity: options.capacity,
    cli: parts.cli,
    token: local.secrets.workerToken,
    caFile: null,
    say,
  });
  opened.add(() => supervisor.close(5));
  const secrets = await createSecrets({
    store,
    clock,
    limits,
    record: access.audit.record,
    keyFile: join(data, 'secrets.key'),
    givenKeys: options.secretsKey,
    say,
  });

  // Rooms
  const offload = createOffload({
    file: threadFile(import.meta.url, './http/offload/offload-thread.ts', 'offload-thread.js'),
    limits,
    onError,
  });
  opened.add(() => offload.close());
  const redactionThread = createOffload({
    file: threadFile(import.meta.url, './http/offload/offload-thread.ts', 'offload-thread.js'),
    limits,
    onError,
  });
  opened.add(() => redactionThread.close());
  secrets.watch(redactionThread.redact);
  const durable = options.durability === 'full';
  // Side by side, as each waits for a thread to start; where one fails, the other is closed too.
  const measuring = createMetrics({ folder: join(data, 'metrics'), limits, clock, say });
  const logging = createLogs({ folder: join(data, 'logs'), limits, durable, clock, say });
  measuring.then(
    ({ room }) => opened.add(() => room.close()),
    () => {},
  );
  logging.then(
    (room) => opened.add(() => room.close()),
    () => {},
  );
  await Promise.allSettled([measuring, logging]);
  const { room: metrics, store: metricStore } = await measuring;
  const logs = await logging;
  secrets.watch(logs.redact);
  settings.watch(logs.configure);
  const logDoor = await openLogListener({ options, tls, access, logs, limits, clock, onError });
  opened.add(() => logDoor.close());
  const pipelines = await startPipelines({
    ...settingsOf(limits),
    folder: join(data, 'pipeline'),
    host: options.host,
    port: options.logstashPort,
    replicas: limits.pipelineReplicas,
    target: { url: logDoor.innerUrl, token: logDoor.innerToken, gzip: false },
    tls: tls && { ...tls, required: false },
    durable,
    say,
  });
  opened.add(() => pipelines.close());
  secrets.watch(pipelines.redact);
  const workflows = createWorkflows({ store, clock, feed, audit: access.audit, limits, offload });
  await workflows.recheck();
  const http = () => ({ allowPrivate: isLoopback(options.host), allow: settings.other.httpAllow });
  const { workers, workerPool, attach, ended, tellLimits } = createWorkers({
    store,
    clock,
    limits,
    feed,
    record: metrics.record,
    pipeline: () => ({ host: options.host, port: pipelines.port }),
    http,
    onError,
    offload,
  });
  opened.add(() => workers.close());
  settings.watch(tellLimits);
  const runs = countRuns(metrics, startedAt);
  const measure: Parameters<typeof createJobs>[0]['measure'] = (point) => {
    metrics.put(point.shape, point.time, point.tags, point.values);
    runs.take(point);
  };
  const { jobs, events, tidy } = await createJobs({
    store,
    clock,
    limits,
    feed,
    workerPool,
    runnable: workflows.runnable,
    endpoint: workflows.endpoint,
    checkApart: firstFault(offload),
    checkInputs: (runnable, inputs) => checkPacked(offload, inputs, runnable),
    secrets,
    retention: { other: settings.other, folder: join(data, 'archive') },
    measure,
    onError,
  });
  opened.add(() => jobs.close());
  attach(events);
  const retention = createRetention({ store, clock, limits, tidyJobs: tidy, onError });
  opened.add(() => retention.close());
  const backups = createBackups({ store, clock, audit: access.audit, folder: join(data, 'backups') });
  opened.add(() => backups.close());
  access.watchLimits(
    ({ seq, name }, { concurrency }) =>
      void jobs.limit({ scope: 'key', id: seq, name, most: concurrency }).catch(onError),
  );
  workflows.watchLimits(
    (id, { concurrency }) => void jobs.limit({ scope: 'workflow', id, name: id, most: concurrency }).catch(onError),
  );

  const { alerts } = await createAlerts({
    store,
    clock,
    limits,
    feed,
    record: access.audit.record,
    box: secrets.box,
    sources: alertSources({ metrics, logs, pipelines, workers, jobs, data, runs: runs.runs }),
    url: () => doorUrl,
    say,
    onError,
  });
  opened.add(() => alerts.close());
  const dashboards = createDashboards({ store, clock, limits, record: access.audit.record, alerts });
  const shadow = createShadow({
    store,
    limits,
    workflows,
    jobs,
    secrets,
    refusal: inputRefusal(offload),
    record: access.audit.record,
    now: () => clock.now(),
    onError,
  });
  opened.add(() => shadow.close());

  // The port
  let doorUrl = `http://localhost:${options.port ?? 0}`;
  const ports: MasterPorts = { master: 0, logStore: logDoor.port, metrics: null, logstash: pipelines.port };
  const health = watchHealth({
    queueDepth: () => jobs.queueDepth,
    storeBytes: () => store.sizeBytes(),
    workers: () => workers.overview(),
    logs: () => logs.stats(),
    pipeline: () => pipelines.stats(),
    metrics: () => metrics.stats(),
    reads: () => jobs.readStats(),
    feed: () => feed.stats(),
    record: metrics.record,
    onError,
  });
  opened.add(() => health.close());
  const app = createApp({
    access,
    workflows,
    jobs,
    workers,
    feed,
    logs,
    pipelines,
    metrics,
    alerts,
    dashboards,
    shadow,
    offload,
    redactionThread,
    limits,
    clock,
    tls,
    settings: () => ({
      version: VERSION,
      node: process.version,
      dataFolder: data,
      store: options.store,
      durability: options.durability,
      startedAt: iso(startedAt),
      ports,
      limits,
      settings: settings.list(),
    }),
    overrides: settings,
    secrets,
    backups,
    notReady: () => [...(stopping ? ['the master is shutting down'] : []), ...(store.refusing ? [STORE_REFUSES] : [])],
    prometheus: () => health.prometheus(),
    consoleFolder: parts.consoleFolder,
    allowedHosts: options.allowedHosts,
    behindProxy: options.behindProxy,
    report: onError,
  });
  const doors = await openMasterListener(app, options);
  opened.add(() => doors.close());
  const door = await openWorkerListener(app.server, data);
  opened.add(() => door.close());
  ports.master = doors.port;
  const metricDoor = await openMetricListener({
    options,
    tls,
    access,
    metrics: { store: metricStore, room: metrics },
    store,
    limits,
    clock,
    onError,
  });
  opened.add(() => metricDoor.close());
  ports.metrics = metricDoor.port;
  doorUrl = doors.url;

  supervisor.tell({ master: doors.workerUrl, socket: door.socket }, ended);
  opened.add(
    async () => {
      stopping = true;
      await workers.drainAll(options.drainSeconds);
      await supervisor.close(5);
      workers.hangUp();
    },
    (options.drainSeconds + 20) * 1000,
  );
  await registered(workers, options.workers, say);
  if (options.examples) await seedExamples(workflows, options.examples, say);

  const file = {
    url: doors.url,
    token: local.secrets.adminToken,
    ports,
    pid: process.pid,
    startedAt: iso(startedAt),
    apiKey: local.secrets.apiKey,
  };
  opened.add(announce(data, file));
  return {
    ready: { event: 'ready', url: doors.url, token: local.secrets.adminToken, ports, pid: process.pid },
    signInUrl: () => `${doors.url}/#sign-in=${access.oneTimeCode('admin')}`,
    apiKey: local.secrets.apiKey,
    close: () => opened.closeAll(),
    closed: new Promise(() => {}),
  };
}

/** Seconds that the local workers have to register before the master serves without them and says so. */
const REGISTER_SECONDS = 20;

async function registered(
  workers: { overview(): { total: number; down: number } },
  count: number,
  say: (line: string) => void,
): Promise<void> {
  const deadline = Date.now() + REGISTER_SECONDS * 1000;
  const up = () => {
    const { total, down } = workers.overview();
    return total - down;
  };
  while (up() < count) {
    if (Date.now() > deadline)
      return say(`only ${up()} of ${count} local workers have registered after ${REGISTER_SECONDS} s`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
