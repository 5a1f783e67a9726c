import { join } from 'node:path';
import { LIMITS } from '../contract/limits.ts';
import type { MasterOptions, MasterPorts, RunningMaster } from '../contract/process.ts';
import { VERSION } from '../contract/version.ts';
import { iso, systemClock } from '../lib/clock.ts';
import { threadFile } from '../lib/thread-file.ts';
import { createAccess } from './access/access.ts';
import { createAlerts } from './alerts/alerts.ts';
import { createDashboards } from './dashboards/dashboards.ts';
import { alertSources, watchRuns } from './alert-sources.ts';
import { closing, type Closing } from './closing.ts';
import { openDoors } from './doors.ts';
import { createFeed } from './feed/feed.ts';
import { watchHealth } from './health.ts';
import { createHeavy } from './heavy/heavy.ts';
import { createApp } from './http/app.ts';
import { STORE_REFUSES } from './http/services.ts';
import { createJobs } from './jobs/jobs.ts';
import { localAccess } from './local-access.ts';
import { createKeeping } from './keeping/keeping.ts';
import { announce } from './local-files.ts';
import { lockDataFolder } from './lock.ts';
import { openLogDoor } from './log-door.ts';
import { createLogs } from './logs/logs.ts';
import { startPipelines } from './logs/pipeline/pipelines.ts';
import { settingsOf } from './logs/pipeline/settings.ts';
import { openMetricDoor } from './metric-door.ts';
import { createMetrics } from './metrics/metrics.ts';
import { isLoopback, readTls, refuseOpenMaster } from './policy.ts';
import { createSecrets } from './secrets/secrets.ts';
import { seedExamples } from './seed.ts';
import { createSettings } from './settings/settings.ts';
import { openSqlite } from './store/sqlite/open.ts';
import { createReports } from './reports.ts';
import { createShadow } from './shadow/shadow.ts';
import { checkPacked } from './http/heavy-ask.ts';
import { firstFault, inputRefusal } from './input-refusal.ts';
import { superviseWorkers } from './workers/supervisor.ts';
import { createWorkers } from './workers/workers.ts';
import { openWorkerDoor } from './worker-door.ts';
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
  const opened = closing((error) => options.say(`while closing: ${(error as Error).message}`));
  try {
    return await open(options, parts, opened);
  } catch (error) {
    await opened.now();
    throw error;
  }
}

async function open(options: MasterOptions, parts: Parts, opened: Closing): Promise<RunningMaster> {
  const { data, say } = options;
  const clock = systemClock;
  const startedAt = clock.now();
  const onError = createReports(say, () => clock.now());
  let stopping = false;

  // State
  const lock = lockDataFolder(data);
  opened.later(() => lock.release());
  const tls = readTls(options.tls);
  const store = openSqlite({ file: join(data, 'yardmaster.db'), durability: options.durability });
  opened.later(() => store.close());
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
  opened.later(() => access.close());
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
  opened.later(() => supervisor.close(5));
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
  const heavy = createHeavy({
    file: threadFile(import.meta.url, './heavy-thread.ts', 'heavy-thread.js'),
    limits,
    onError,
  });
  opened.later(() => heavy.close());
  const scrubs = createHeavy({
    file: threadFile(import.meta.url, './heavy-thread.ts', 'heavy-thread.js'),
    limits,
    onError,
  });
  opened.later(() => scrubs.close());
  secrets.watch(scrubs.redact);
  const durable = options.durability === 'full';
  // Side by side, as each waits for a thread to start; where one fails, the other is closed too.
  const measuring = createMetrics({ folder: join(data, 'metrics'), limits, clock, say });
  const logging = createLogs({ folder: join(data, 'logs'), limits, durable, clock, say });
  measuring.then(
    ({ room }) => opened.later(() => room.close()),
    () => {},
  );
  logging.then(
    (room) => opened.later(() => room.close()),
    () => {},
  );
  await Promise.allSettled([measuring, logging]);
  const { room: metrics, store: metricStore } = await measuring;
  const logs = await logging;
  secrets.watch(logs.redact);
  settings.watch(logs.configure);
  const logDoor = await openLogDoor({ options, tls, access, logs, limits, clock, onError });
  opened.later(() => logDoor.close());
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
  opened.later(() => pipelines.close());
  secrets.watch(pipelines.redact);
  const workflows = createWorkflows({ store, clock, feed, audit: access.audit, limits, heavy });
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
    heavy,
  });
  opened.later(() => workers.close());
  settings.watch(tellLimits);
  const runs = watchRuns(metrics, startedAt);
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
    checkApart: firstFault(heavy),
    checkInputs: (runnable, inputs) => checkPacked(heavy, inputs, runnable),
    secrets,
    retention: { other: settings.other, folder: join(data, 'archive') },
    measure,
    onError,
  });
  opened.later(() => jobs.close());
  attach(events);
  const keeping = createKeeping({
    store,
    clock,
    limits,
    audit: access.audit,
    folder: join(data, 'backups'),
    tidyJobs: tidy,
    onError,
  });
  opened.later(() => keeping.close());
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
  opened.later(() => alerts.close());
  const dashboards = createDashboards({ store, clock, limits, record: access.audit.record, alerts });
  const shadow = createShadow({
    store,
    limits,
    workflows,
    jobs,
    secrets,
    refusal: inputRefusal(heavy),
    record: access.audit.record,
    now: () => clock.now(),
    onError,
  });
  opened.later(() => shadow.close());

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
  opened.later(() => health.close());
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
    heavy,
    scrubs,
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
    keeping,
    notReady: () => [...(stopping ? ['the master is shutting down'] : []), ...(store.refusing ? [STORE_REFUSES] : [])],
    prometheus: () => health.prometheus(),
    consoleFolder: parts.consoleFolder,
    allowedHosts: options.allowedHosts,
    behindProxy: options.behindProxy,
    report: onError,
  });
  const doors = await openDoors(app, options);
  opened.later(() => doors.close());
  const door = await openWorkerDoor(app.server, data);
  opened.later(() => door.close());
  ports.master = doors.port;
  const metricDoor = await openMetricDoor({
    options,
    tls,
    access,
    metrics: { store: metricStore, room: metrics },
    store,
    limits,
    clock,
    onError,
  });
  opened.later(() => metricDoor.close());
  ports.metrics = metricDoor.port;
  doorUrl = doors.url;

  supervisor.tell({ master: doors.workerUrl, socket: door.socket }, ended);
  opened.later(
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
  opened.later(announce(data, file));
  return {
    ready: { event: 'ready', url: doors.url, token: local.secrets.adminToken, ports, pid: process.pid },
    signInUrl: () => `${doors.url}/#sign-in=${access.oneTimeCode('admin')}`,
    apiKey: local.secrets.apiKey,
    close: () => opened.now(),
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
