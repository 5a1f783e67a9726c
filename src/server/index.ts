import { join } from 'node:path';
import type { Durability, MasterOptions, MasterPorts } from '../contract/process.ts';
import { VERSION } from '../contract/version.ts';
import { iso, systemClock } from '../lib/clock.ts';
import { errorMessage } from '../lib/errors.ts';
import { makeProofKey, proofOf } from '../lib/proof.ts';
import { createProxies } from '../lib/proxies.ts';
import { createAlerts } from './alerts/alerts.ts';
import { alertSources } from './alerts/live-sources.ts';
import { beginSingle, checkFolder, type Begun } from './begin.ts';
import { createBackups } from './backup/backup.ts';
import { readIdentity } from './cluster/identity.ts';
import type { OwnerSide, OwningMaster } from './cluster/port.ts';
import { singleCluster } from './cluster/single.ts';
import { createDashboards } from './dashboards/dashboards.ts';
import { createApp } from './http/app.ts';
import { STORE_REFUSES_WRITES } from './http/core/services.ts';
import type { LocalStores } from './local-stores.ts';
import { openMasterListener } from './listeners/master-listener.ts';
import { openMetricListener } from './listeners/metric-listener.ts';
import { openWorkerListener } from './listeners/worker-listener.ts';
import { logsInfo, remoteTargets } from './logs/remote-targets.ts';
import { createDamageRegistry } from './observability/damage.ts';
import { createDataChecks } from './observability/data-checks.ts';
import { createErrorReports } from './observability/error-reports.ts';
import { watchHealth } from './observability/health.ts';
import { watchThreadUsage } from './offload/thread-usage.ts';
import { openJobs } from './open-jobs.ts';
import { openLogsAndMetrics } from './open-logs-and-metrics.ts';
import { openState, type MasterStart } from './open-state.ts';
import { createRetention } from './retention/retention.ts';
import { createShadow } from './shadow/shadow.ts';
import { createWorkflowTests } from './shadow/workflow-tests.ts';
import { createCloseStack, type CloseStack } from './startup/close-stack.ts';
import { writeLocalFile } from './startup/local-files.ts';
import { chooseDurability } from './startup/choose-durability.ts';
import { recordDataParts } from './startup/data-parts.ts';
import { readTls } from './startup/policy.ts';
import { seedExamples } from './startup/seed-examples.ts';
import { damageFound } from './store/whole.ts';
import { createWebhooks } from './webhooks/webhooks.ts';
import { waitForLocalWorkers, type Supervisor } from './workers/supervisor.ts';
import { expressionFault } from './workflows/check-node.ts';
import { inputRefusal, schemaMismatch } from './workflows/input-refusal.ts';

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
 *
 * @param side what a master of a cluster has already: its lock, its port, the store with the journal; null: a single master
 * @param warm logs and metrics that are open already; they are closed with the master
 * @param begun what a single master began with; null: one of a cluster
 */
export async function buildMaster(
  options: MasterOptions,
  parts: BuiltFiles,
  side: OwnerSide | null = null,
  warm: LocalStores | null = null,
  begun: Begun | null = side ? null : beginSingle(options, parts.cli),
): Promise<OwningMaster> {
  const opened = createCloseStack((error) => options.log(`while closing: ${errorMessage(error)}`));
  try {
    if (begun) opened.add(() => begun.release());
    if (warm) opened.keep(warm);
    return await open(options, parts, opened, side, warm, begun?.localWorkers ?? null);
  } catch (error) {
    await opened.closeAll();
    throw error;
  }
}

async function open(
  options: MasterOptions,
  parts: BuiltFiles,
  opened: CloseStack,
  side: OwnerSide | null,
  warm: LocalStores | null,
  localWorkers: Supervisor | null,
): Promise<OwningMaster> {
  const { data, log } = options;
  const clock = systemClock;
  const startedAt = clock.now();
  const unexpected = createErrorReports(log, () => clock.now());
  // What is refused because it is damaged is listed, wherever it was met.
  const onError = (error: unknown) => {
    const found = damageFound(error);
    if (found) damage.report(found);
    else unexpected(error);
  };
  let stopping = false;
  let leaving = false;
  let url = side?.url ?? `http://localhost:${options.port ?? 0}`;

  // The data folder
  if (localWorkers) opened.add(() => localWorkers.close(5));
  else checkFolder(options);
  const damage = warm?.damage ?? createDamageRegistry({ file: join(data, 'damage.json'), now: () => clock.now(), log });
  const localDurability = warm?.durability ?? chooseDurability(options.durability, data);
  const durability: Durability = side ? { level: 'full', syncMs: null } : localDurability;
  const ports: MasterPorts = { master: 0, logStore: 0, metrics: null, logstash: 0 };
  const start: MasterStart = {
    ...{ options, opened, side, warm, startedAt, localDurability, durability, damage, ports, onError },
    tls: readTls(options.tls),
    remote: remoteTargets(options.logs ?? null, log),
  };

  // What the master is made of
  const state = await openState(start);
  const stores = await openLogsAndMetrics(start, state);
  const { workflows, workers, jobs, approvals, expressions, schedules, telemetry, ...work } = await openJobs(
    start,
    state,
    stores,
  );
  const { base, settings, access, secrets } = state;
  const { store, limits, feed, audit } = base;
  const { offload, logs, pipelines, metrics, metricStore, remoteWrite } = stores;

  // What looks after them, and after the master
  const cluster =
    side?.view ?? singleCluster({ masterId: readIdentity(data).masterId, url: () => url, startedAt, clock });
  opened.keep(createRetention({ ...base, tidyJobs: work.tidyJobs }));
  const backups = opened.keep(createBackups({ ...base, folder: join(data, 'backups') }));
  const webhooks = createWebhooks({
    ...{ ...base, expressionFault, cipher: secrets.cipher },
    redactor: () => secrets.redactor,
  });
  const targets = () => ({
    ...{ logs: logsInfo(logs.info(), pipelines.stats()), metrics: metrics.info() },
    ...{ remoteWrite: remoteWrite?.info() ?? null, otlp: telemetry?.info() ?? [] },
  });
  const { alerts, begin: beginAlerts } = await createAlerts({
    ...base,
    cipher: secrets.cipher,
    sources: alertSources({
      ...{ access, approvals, metrics, logs, pipelines, workers, jobs, data, damage },
      runs: work.countedRuns,
      cluster: () => cluster.get(),
      ...{ targets, workflows, schedules, webhooks },
      shown: (text) => secrets.redactor.text(text),
    }),
    url: () => url,
  });
  opened.keep(alerts);
  const dashboards = createDashboards({ ...base, alerts, influxdb: options.metrics ?? null });
  const shadow = opened.keep(
    createShadow({ ...base, workflows, jobs, secrets, refusal: inputRefusal(offload), now: () => clock.now() }),
  );
  const workflowTests = createWorkflowTests({
    ...{ ...base, workflows, jobs, secrets, refusal: inputRefusal(offload), now: () => clock.now() },
    mismatch: schemaMismatch(offload),
  });
  const health = opened.keep(
    watchHealth({
      ...{ access, auditExport: state.auditExport, jobs, store, webhooks, workers, logs, pipelines, metrics },
      ...{ feed, cluster, damage, remoteWrite, telemetry, threads: watchThreadUsage(), onError },
    }),
  );
  remoteWrite?.begin(health.samples);
  telemetry?.start({ logs, samples: health.samples });

  damage.watch(({ part, file, what }) => {
    const entry = { action: 'data.damaged', target: `data:${part}`, before: null, after: { file, what } };
    audit.note({ name: 'master', role: null, address: null }, entry).catch(onError);
  });
  const dataChecks = opened.keep(
    createDataChecks({
      ...{ limits, log, onError },
      parts: { database: store.verify, logs: logs.verify, metrics: metrics.verify, pipeline: pipelines.verify },
      file: join(data, 'checks.json'),
      now: () => clock.now(),
    }),
  );

  // The ports
  const proofKey = side?.proofKey ?? makeProofKey();
  const app = createApp({
    ...{ access, workflows, approvals, jobs, workers, feed, logs, pipelines, metrics, alerts, dashboards, shadow },
    ...{ webhooks, expressions, schedules, workflowTests },
    ...{ limits, clock, tls: start.tls, secrets, backups, damage, dataChecks, cluster },
    ...{ offload, redactionThread: stores.redactionThread },
    overrides: settings,
    settings: () => ({
      version: VERSION,
      node: process.version,
      dataFolder: data,
      store: options.store,
      ...targets(),
      durability: durability.level,
      startedAt: iso(startedAt),
      ports,
      limits,
      settings: settings.list(),
    }),
    durable: store.durable,
    leaving: () => leaving,
    prove: (nonce) => proofOf(proofKey, nonce, ports.master),
    notReady: () => [
      ...(stopping ? ['the master is shutting down'] : []),
      ...(store.refusing ? [STORE_REFUSES_WRITES] : []),
    ],
    prometheus: () => health.prometheus(),
    consoleFolder: parts.consoleFolder,
    allowedHosts: options.allowedHosts,
    publicUrl: options.publicUrl ?? null,
    proxies: options.proxies && createProxies(options.proxies),
    report: onError,
  });
  ports.logstash = await pipelines.opened;
  const listener = opened.keep(await (side?.attach(app) ?? openMasterListener(app, options)));
  const { socket } = opened.keep(await openWorkerListener(app.server, data));
  const metricListener =
    metricStore &&
    opened.keep(
      await openMetricListener({
        ...base,
        options,
        tls: start.tls,
        access,
        metrics: { store: metricStore, room: metrics },
      }),
    );
  ports.master = listener.port;
  ports.metrics = metricListener?.port ?? null;
  url = listener.url;

  // A worker that was here before all of them were open knows them now.
  work.tellLimits();
  recordDataParts(data);

  // Work begins
  localWorkers?.announce({ master: listener.workerUrl, socket }, work.localWorkerEnded);
  side?.watchLocalWorkers(work.localWorkerEnded);
  side?.watchMasters(work.tellMasters);
  opened.add(
    async () => {
      stopping = true;
      const seconds = side?.drainSeconds() ?? options.drainSeconds;
      // Another master goes on with what runs.
      if (seconds > 0 || !side) await workers.drainAll(seconds);
      await localWorkers?.close(5);
      workers.disconnectAll();
    },
    (options.drainSeconds + 20) * 1000,
  );
  await waitForLocalWorkers(workers, options.workers, log);
  if (options.examples) await seedExamples(workflows, options.examples, log);
  beginAlerts();

  const { adminToken: token, apiKey } = state.local.secrets;
  opened.add(
    writeLocalFile(data, { url, token, ports, pid: process.pid, startedAt: iso(startedAt), apiKey, proofKey }),
  );
  return {
    ready: { event: 'ready', url, token, ports, pid: process.pid },
    signInUrl: () => `${url}/#sign-in=${access.oneTimeCode('admin')}`,
    apiKey,
    durability,
    endWaits() {
      leaving = true;
      jobs.endWaits();
    },
    close: () => opened.closeAll(),
    closed: new Promise(() => {}),
  };
}
