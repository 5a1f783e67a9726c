import { join } from 'node:path';
import { LIMITS } from '../contract/limits.ts';
import type { Durability, MasterOptions, MasterPorts } from '../contract/process.ts';
import { VERSION } from '../contract/version.ts';
import { iso, systemClock } from '../lib/clock.ts';
import { errorMessage } from '../lib/errors.ts';
import { withPlainNumbers } from '../lib/json.ts';
import { isLoopback } from '../lib/loopback.ts';
import { jsonTextOf, packTexts } from '../lib/packed-inputs.ts';
import { makeProofKey, proofOf } from '../lib/proof.ts';
import { createProxies } from '../lib/proxies.ts';
import { auditDestinations } from './access/audit-destinations.ts';
import { exportAudit } from './access/audit-export.ts';
import { createAccess } from './access/access.ts';
import { createApprovals } from './approvals/approvals.ts';
import { createAlerts } from './alerts/alerts.ts';
import { alertSources, countRuns } from './alerts/live-sources.ts';
import { beginSingle, checkFolder, type Begun } from './begin.ts';
import { createBackups } from './backup/backup.ts';
import { readIdentity } from './cluster/identity.ts';
import type { OwnerSide, OwningMaster } from './cluster/port.ts';
import { singleCluster } from './cluster/single.ts';
import { createDashboards } from './dashboards/dashboards.ts';
import { createExpressions } from './expressions/expressions.ts';
import { createFeed } from './feed/feed.ts';
import { createApp } from './http/app.ts';
import { checkPacked } from './http/core/large-body.ts';
import { checkBatch } from './http/events/event-admission.ts';
import { STORE_REFUSES_WRITES } from './http/core/services.ts';
import { openOffload } from './http/offload/open-offload.ts';
import { createJobs } from './jobs/jobs.ts';
import type { LocalStores } from './local-stores.ts';
import { openLogListener } from './listeners/log-listener.ts';
import { openMasterListener } from './listeners/master-listener.ts';
import { openMetricListener } from './listeners/metric-listener.ts';
import { openWorkerListener } from './listeners/worker-listener.ts';
import { createLogs } from './logs/logs.ts';
import { logsInfo, pipelineTarget, remoteLineBytes, remoteTargets } from './logs/remote-targets.ts';
import { createPipelines } from './logs/pipeline/pipelines.ts';
import { senderTokens, type Runs } from './logs/pipeline/sender-tokens.ts';
import { masterTarget, settingsOf } from './logs/pipeline/settings.ts';
import { besideRemoteWrite, openMetrics } from './metrics/open-metrics.ts';
import { createDamageRegistry } from './observability/damage.ts';
import { createDataChecks } from './observability/data-checks.ts';
import { createErrorReports } from './observability/error-reports.ts';
import { watchHealth } from './observability/health.ts';
import { createRetention } from './retention/retention.ts';
import type { Cipher } from './secrets/port.ts';
import { createSchedules } from './schedules/schedules.ts';
import { createSecrets } from './secrets/secrets.ts';
import { createSettings } from './settings/settings.ts';
import { createShadow } from './shadow/shadow.ts';
import { createWorkflowTests } from './shadow/workflow-tests.ts';
import { createCloseStack, type CloseStack } from './startup/close-stack.ts';
import { ensureLocalAccess } from './startup/local-access.ts';
import { writeLocalFile } from './startup/local-files.ts';
import { chooseDurability } from './startup/choose-durability.ts';
import { recordDataParts } from './startup/data-parts.ts';
import { announcedHost, listensAt } from './startup/listens-at.ts';
import { readTls, refuseOpenMaster, refuseWeakPresets } from './startup/policy.ts';
import { seedExamples } from './startup/seed-examples.ts';
import { openSqlite } from './store/sqlite/open.ts';
import { damageFound } from './store/whole.ts';
import { createWebhooks } from './webhooks/webhooks.ts';
import { waitForLocalWorkers, type Supervisor } from './workers/supervisor.ts';
import { createWorkers } from './workers/workers.ts';
import { expressionFault } from './workflows/check-node.ts';
import { findInputFault, inputRefusal, schemaMismatch } from './workflows/input-refusal.ts';
import { createWorkflows } from './workflows/workflows.ts';

/** By then the workers of the owner before have found the new one. */
const WORKERS_RETURN_MS = 10_000;

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

  // The data folder: its lock, the database, settings, who may come in, secrets
  if (localWorkers) opened.add(() => localWorkers.close(5));
  else checkFolder(options);
  const damage = warm?.damage ?? createDamageRegistry({ file: join(data, 'damage.json'), now: () => clock.now(), log });
  const chosen = warm?.durability ?? chooseDurability(options.durability, data);
  const durable = chosen.level === 'full';
  const durability: Durability = side ? { level: 'full', syncMs: null } : chosen;
  const tls = readTls(options.tls);
  const remote = remoteTargets(options.logs ?? null, log);
  const store = opened.keep(
    side?.openStore(damage) ??
      openSqlite({ file: join(data, 'yardmaster.db'), durability: durability.level, report: damage.report }),
  );
  const settings = createSettings({
    store,
    limits: { ...LIMITS, ...options.limits },
    httpAllow: options.httpAllow,
    ...(warm ? { into: warm.limits } : {}),
    record: (db, actor, entry) => access.audit.record(db, actor, entry),
    log,
  });
  const { limits } = settings;
  const feed = createFeed(startedAt, onError);
  let cipher: Cipher | null = null;
  const oidc = options.oidc ? { options: options.oidc, cipher: () => cipher } : null;
  const access = opened.keep(createAccess({ store, clock, limits, oidc, log }));
  const auditExport = opened.keep(exportAudit({ store, destinations: auditDestinations(options.auditExport), log }));
  const { audit } = access;
  const base = { store, clock, limits, feed, audit, record: audit.record, log, onError };
  refuseWeakPresets(options);
  const local = await ensureLocalAccess(access, data, options, side?.tokens);
  refuseOpenMaster(options, local.otherTokens, log);
  const secrets = await createSecrets({ ...base, keyFile: join(data, 'secrets.key'), givenKeys: options.secretsKey });
  cipher = secrets.cipher;

  // Threads, stores of logs and metrics, the way of the logs
  const offload = opened.keep(openOffload(base));
  const redactionThread = opened.keep(openOffload(base));
  secrets.watch(redactionThread.redact);
  const fitting = warm?.fit(limits) ? warm : null;
  if (!fitting) await warm?.close();
  const [{ room: metricRoom, store: metricStore }, logs] = fitting
    ? [fitting.metrics, fitting.logs]
    : await opened.keepBoth(
        openMetrics(options.metrics ?? null, { ...base, data, damage }),
        createLogs({ ...base, folder: join(data, 'logs'), durable, damage, remote }),
      );
  const { metrics, remoteWrite } = await besideRemoteWrite(options.remoteWrite ?? null, metricRoom, { ...base, data });
  if (remoteWrite) opened.keep(remoteWrite);
  logs.configure();
  secrets.watch(logs.redact);
  settings.watch(logs.configure);
  const logListener = opened.keep(await openLogListener({ ...base, options, tls, access, logs }));
  const runs = Promise.withResolvers<Runs>();
  // They start beside what follows.
  const pipelines = opened.keep(
    createPipelines({
      ...settingsOf(limits),
      ...(remote === null ? {} : { lineBytes: remoteLineBytes(limits) }),
      folder: join(data, 'pipeline'),
      host: options.host,
      port: options.logstashPort,
      replicas: limits.pipelineReplicas,
      target: remote === null ? masterTarget(logListener.innerUrl, logListener.innerToken) : pipelineTarget(remote),
      tls: tls && { ...tls, required: false },
      tokenRequired: !isLoopback(options.host) || options.proxies !== null || options.protectLoopback,
      tokens: senderTokens(access, runs.promise),
      durable,
      log,
      report: damage.report,
    }),
  );
  secrets.watch(pipelines.redact);

  // Workflows, workers, jobs
  const workflows = createWorkflows({
    ...{ ...base, offload },
    isProtected: (environment) => settings.other.protectedEnvironments[environment] !== undefined,
  });
  await workflows.recheck();
  const { workers, workerPool, attach, ended, tellLimits, tellMasters, tokenOf } = createWorkers({
    ...base,
    record: metrics.record,
    pipeline: () => ({
      ...announcedHost(options.host, side?.url ?? null),
      ...{ port: ports.logstash, tls: tls !== null, auth: true },
    }),
    ...(side ? { expectMs: WORKERS_RETURN_MS, masters: side.masters } : {}),
    http: () => ({
      allowPrivate: isLoopback(options.host),
      allow: settings.other.httpAllow,
      master: listensAt(options.host, [...Object.values(ports), Number(new URL(logListener.innerUrl).port)]),
    }),
    offload,
  });
  opened.keep(workers);
  settings.watch(tellLimits);
  const counted = countRuns(metrics, startedAt);
  const exported = options.otlp
    ? { ...base, options: options.otlp, startedAt, instance: side?.view.id ?? readIdentity(data).masterId }
    : null;
  const logPort = { host: options.host, port: logListener.port };
  const telemetry =
    exported && opened.keep(await (await import('./telemetry/telemetry.ts')).openTelemetry({ ...exported, logPort }));
  const targets = () => ({
    ...{ logs: logsInfo(logs.info(), pipelines.stats()), metrics: metrics.info() },
    ...{ remoteWrite: remoteWrite?.info() ?? null, otlp: telemetry?.info() ?? [] },
  });
  const { jobs, events, tidy, runners } = await createJobs({
    ...base,
    workerPool,
    runnable: workflows.runnable,
    endpoint: workflows.endpoint,
    neverApproved: workflows.neverApproved,
    checkInThread: findInputFault(offload),
    checkInputs: (runnable, inputs) => checkPacked(offload, inputs, runnable),
    secrets,
    retention: { other: settings.other, folder: join(data, 'archive') },
    tracing: telemetry?.tracing ?? null,
    measure(point) {
      metrics.put(point.shape, point.time, point.tags, point.values);
      counted.take(point);
    },
  });
  opened.keep(jobs);
  attach(events, runners);
  runs.resolve({ ...runners, tokenOf });
  const limitJobs = (limit: Parameters<typeof jobs.limit>[0]) => void jobs.limit(limit).catch(onError);
  access.watchLimits(({ seq, name }, { concurrency }) => limitJobs({ scope: 'key', id: seq, name, most: concurrency }));
  workflows.watchLimits((id, { concurrency }) => limitJobs({ scope: 'workflow', id, name: id, most: concurrency }));

  const approvals = createApprovals({
    ...base,
    settings: settings.other,
    overrides: settings,
    access,
    workflows,
    operations: jobs.operations,
  });
  opened.keep(approvals);

  const expressions = opened.keep(createExpressions({ limits, projectOf: workflows.projectOf }));
  const schedules = opened.keep(
    createSchedules({
      ...{ store, jobs, workflows, expressions, audit, feed, limits, onError },
      isActive: async (id) => workflows.projectOf(id) !== null && (await workflows.get(id)).archivedAt === null,
      checkInputs: async (runnable, inputs) =>
        runnable.largeSchema
          ? checkPacked(offload, packTexts(inputs.map(jsonTextOf)), runnable)
          : checkBatch(inputs.map(withPlainNumbers), runnable, limits),
      now: () => clock.now(),
    }),
  );

  // What looks after them, and after the master
  const cluster =
    side?.view ?? singleCluster({ masterId: readIdentity(data).masterId, url: () => url, startedAt, clock });
  opened.keep(createRetention({ ...base, tidyJobs: tidy }));
  const backups = opened.keep(createBackups({ ...base, folder: join(data, 'backups') }));
  const webhooks = createWebhooks({
    ...{ ...base, expressionFault, cipher: secrets.cipher },
    redactor: () => secrets.redactor,
  });
  const { alerts, begin: beginAlerts } = await createAlerts({
    ...base,
    cipher: secrets.cipher,
    sources: alertSources({
      ...{ access, approvals, metrics, logs, pipelines, workers, jobs, data, damage },
      runs: counted.runs,
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
      access,
      auditExport,
      jobs,
      store,
      webhooks,
      workers,
      logs,
      pipelines,
      metrics,
      feed,
      cluster,
      damage,
      remoteWrite,
      telemetry,
      onError,
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
  const ports: MasterPorts = { master: 0, logStore: logListener.port, metrics: null, logstash: 0 };
  const app = createApp({
    ...{ access, workflows, approvals, jobs, workers, feed, logs, pipelines, metrics, alerts, dashboards, shadow },
    ...{ webhooks, expressions, schedules, workflowTests },
    ...{ offload, redactionThread, limits, clock, tls, secrets, backups, damage, dataChecks, cluster },
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
      await openMetricListener({ ...base, options, tls, access, metrics: { store: metricStore, room: metrics } }),
    );
  ports.master = listener.port;
  ports.metrics = metricListener?.port ?? null;
  url = listener.url;

  // A worker that was here before all of them were open knows them now.
  tellLimits();
  recordDataParts(data);

  // Work begins
  localWorkers?.announce({ master: listener.workerUrl, socket }, ended);
  side?.watchLocalWorkers(ended);
  side?.watchMasters(tellMasters);
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

  const { adminToken: token, apiKey } = local.secrets;
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
