import { join } from 'node:path';
import { LIMITS } from '../contract/limits.ts';
import type { MasterOptions, MasterPorts, RunningMaster } from '../contract/process.ts';
import { VERSION } from '../contract/version.ts';
import { iso, systemClock } from '../lib/clock.ts';
import { errorMessage } from '../lib/errors.ts';
import { createAccess } from './access/access.ts';
import { createAlerts } from './alerts/alerts.ts';
import { alertSources, countRuns } from './alerts/live-sources.ts';
import { createBackups } from './backup/backup.ts';
import { createDashboards } from './dashboards/dashboards.ts';
import { createFeed } from './feed/feed.ts';
import { createApp } from './http/app.ts';
import { checkPacked } from './http/core/large-body.ts';
import { STORE_REFUSES_WRITES } from './http/core/services.ts';
import { openOffload } from './http/offload/open-offload.ts';
import { createJobs } from './jobs/jobs.ts';
import { openLogListener } from './listeners/log-listener.ts';
import { openMasterListener } from './listeners/master-listener.ts';
import { openMetricListener } from './listeners/metric-listener.ts';
import { openWorkerListener } from './listeners/worker-listener.ts';
import { createLogs } from './logs/logs.ts';
import { startPipelines } from './logs/pipeline/pipelines.ts';
import { senderTokens } from './logs/pipeline/sender-tokens.ts';
import { settingsOf } from './logs/pipeline/settings.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createErrorReports } from './observability/error-reports.ts';
import { watchHealth } from './observability/health.ts';
import { createRetention } from './retention/retention.ts';
import { createSecrets } from './secrets/secrets.ts';
import { createSettings } from './settings/settings.ts';
import { createShadow } from './shadow/shadow.ts';
import { createCloseStack, type CloseStack } from './startup/close-stack.ts';
import { ensureLocalAccess } from './startup/local-access.ts';
import { writeLocalFile } from './startup/local-files.ts';
import { checkDataParts, recordDataParts } from './startup/data-parts.ts';
import { lockDataFolder } from './startup/lock.ts';
import { isLoopback, readTls, refuseOpenMaster } from './startup/policy.ts';
import { seedExamples } from './startup/seed-examples.ts';
import { openSqlite } from './store/sqlite/open.ts';
import { superviseWorkers, waitForLocalWorkers } from './workers/supervisor.ts';
import { createWorkers } from './workers/workers.ts';
import { findInputFault, inputRefusal } from './workflows/input-refusal.ts';
import { createWorkflows } from './workflows/workflows.ts';

/** Where the built parts lie that the master hands out or starts. */
export interface BuiltFiles {
  /** The entry that knows the `worker` command. */
  cli: string;
  /** The built console; null: only the API is served. */
  consoleFolder: string | null;
}

/**
 * The composition root of the master: opens, builds, starts the loops; `close` does the reverse. Throws a `Fault` that
 * says what to do; whatever was open by then is closed again.
 */
export async function buildMaster(options: MasterOptions, parts: BuiltFiles): Promise<RunningMaster> {
  const opened = createCloseStack((error) => options.log(`while closing: ${errorMessage(error)}`));
  try {
    return await open(options, parts, opened);
  } catch (error) {
    await opened.closeAll();
    throw error;
  }
}

async function open(options: MasterOptions, parts: BuiltFiles, opened: CloseStack): Promise<RunningMaster> {
  const { data, log } = options;
  const clock = systemClock;
  const startedAt = clock.now();
  const onError = createErrorReports(log, () => clock.now());
  const durable = options.durability === 'full';
  let stopping = false;
  let url = `http://localhost:${options.port ?? 0}`;

  // The data folder: its lock, the database, settings, who may come in, secrets
  const lock = lockDataFolder(data);
  opened.add(() => lock.release());
  checkDataParts(data, options.adopt, log);
  const tls = readTls(options.tls);
  const store = opened.keep(openSqlite({ file: join(data, 'yardmaster.db'), durability: options.durability }));
  const settings = createSettings({
    store,
    limits: { ...LIMITS, ...options.limits },
    httpAllow: options.httpAllow,
    record: (db, actor, entry) => access.audit.record(db, actor, entry),
    log,
  });
  const { limits } = settings;
  const feed = createFeed(startedAt, onError);
  const access = opened.keep(createAccess({ store, clock, limits }));
  const { audit } = access;
  const base = { store, clock, limits, feed, audit, record: audit.record, log, onError };
  const local = await ensureLocalAccess(access, data, options);
  refuseOpenMaster(options, local.otherTokens);
  // Their processes get ready while the rooms are opened.
  const localWorkers = superviseWorkers({
    ...options,
    count: options.workers,
    cli: parts.cli,
    token: local.secrets.workerToken,
    caFile: null,
  });
  opened.add(() => localWorkers.close(5));
  const secrets = await createSecrets({ ...base, keyFile: join(data, 'secrets.key'), givenKeys: options.secretsKey });

  // Threads, stores of logs and metrics, the way of the logs
  const offload = opened.keep(openOffload(base));
  const redactionThread = opened.keep(openOffload(base));
  secrets.watch(redactionThread.redact);
  const [{ room: metrics, store: metricStore }, logs] = await opened.keepBoth(
    createMetrics({ ...base, folder: join(data, 'metrics') }),
    createLogs({ ...base, folder: join(data, 'logs'), durable }),
  );
  secrets.watch(logs.redact);
  settings.watch(logs.configure);
  const logListener = opened.keep(await openLogListener({ ...base, options, tls, access, logs }));
  const pipelines = opened.keep(
    await startPipelines({
      ...settingsOf(limits),
      folder: join(data, 'pipeline'),
      host: options.host,
      port: options.logstashPort,
      replicas: limits.pipelineReplicas,
      target: { url: logListener.innerUrl, token: logListener.innerToken, gzip: false },
      tls: tls && { ...tls, required: false },
      tokenRequired: !isLoopback(options.host),
      tokens: senderTokens(access),
      durable,
      log,
    }),
  );
  secrets.watch(pipelines.redact);

  // Workflows, workers, jobs
  const workflows = createWorkflows({ ...base, offload });
  await workflows.recheck();
  const { workers, workerPool, attach, ended, tellLimits } = createWorkers({
    ...base,
    record: metrics.record,
    pipeline: () => ({ host: options.host, port: pipelines.port, tls: tls !== null, auth: true }),
    http: () => ({ allowPrivate: isLoopback(options.host), allow: settings.other.httpAllow }),
    offload,
  });
  opened.keep(workers);
  settings.watch(tellLimits);
  const runs = countRuns(metrics, startedAt);
  const { jobs, events, tidy } = await createJobs({
    ...base,
    workerPool,
    runnable: workflows.runnable,
    endpoint: workflows.endpoint,
    checkInThread: findInputFault(offload),
    checkInputs: (runnable, inputs) => checkPacked(offload, inputs, runnable),
    secrets,
    retention: { other: settings.other, folder: join(data, 'archive') },
    measure(point) {
      metrics.put(point.shape, point.time, point.tags, point.values);
      runs.take(point);
    },
  });
  opened.keep(jobs);
  attach(events);
  const limitJobs = (limit: Parameters<typeof jobs.limit>[0]) => void jobs.limit(limit).catch(onError);
  access.watchLimits(({ seq, name }, { concurrency }) => limitJobs({ scope: 'key', id: seq, name, most: concurrency }));
  workflows.watchLimits((id, { concurrency }) => limitJobs({ scope: 'workflow', id, name: id, most: concurrency }));

  // What looks after them, and after the master
  opened.keep(createRetention({ ...base, tidyJobs: tidy }));
  const backups = opened.keep(createBackups({ ...base, folder: join(data, 'backups') }));
  const { alerts } = await createAlerts({
    ...base,
    cipher: secrets.cipher,
    sources: alertSources({ metrics, logs, pipelines, workers, jobs, data, runs: runs.runs }),
    url: () => url,
  });
  opened.keep(alerts);
  const dashboards = createDashboards({ ...base, alerts });
  const shadow = opened.keep(
    createShadow({ ...base, workflows, jobs, secrets, refusal: inputRefusal(offload), now: () => clock.now() }),
  );
  const health = opened.keep(watchHealth({ jobs, store, workers, logs, pipelines, metrics, feed, onError }));

  // The ports
  const ports: MasterPorts = { master: 0, logStore: logListener.port, metrics: null, logstash: pipelines.port };
  const app = createApp({
    ...{ access, workflows, jobs, workers, feed, logs, pipelines, metrics, alerts, dashboards, shadow },
    ...{ offload, redactionThread, limits, clock, tls, secrets, backups },
    overrides: settings,
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
    notReady: () => [
      ...(stopping ? ['the master is shutting down'] : []),
      ...(store.refusing ? [STORE_REFUSES_WRITES] : []),
    ],
    prometheus: () => health.prometheus(),
    consoleFolder: parts.consoleFolder,
    allowedHosts: options.allowedHosts,
    behindProxy: options.behindProxy,
    report: onError,
  });
  const listener = opened.keep(await openMasterListener(app, options));
  const { socket } = opened.keep(await openWorkerListener(app.server, data));
  const metricListener = opened.keep(
    await openMetricListener({ ...base, options, tls, access, metrics: { store: metricStore, room: metrics } }),
  );
  ports.master = listener.port;
  ports.metrics = metricListener.port;
  url = listener.url;

  recordDataParts(data);

  // Work begins
  localWorkers.announce({ master: listener.workerUrl, socket }, ended);
  opened.add(
    async () => {
      stopping = true;
      await workers.drainAll(options.drainSeconds);
      await localWorkers.close(5);
      workers.disconnectAll();
    },
    (options.drainSeconds + 20) * 1000,
  );
  await waitForLocalWorkers(workers, options.workers, log);
  if (options.examples) await seedExamples(workflows, options.examples, log);

  const { adminToken: token, apiKey } = local.secrets;
  opened.add(writeLocalFile(data, { url, token, ports, pid: process.pid, startedAt: iso(startedAt), apiKey }));
  return {
    ready: { event: 'ready', url, token, ports, pid: process.pid },
    signInUrl: () => `${url}/#sign-in=${access.oneTimeCode('admin')}`,
    apiKey,
    close: () => opened.closeAll(),
    closed: new Promise(() => {}),
  };
}
