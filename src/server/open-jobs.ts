import { join } from 'node:path';
import { withPlainNumbers } from '../lib/json.ts';
import { isLoopback } from '../lib/loopback.ts';
import { jsonTextOf, packTexts } from '../lib/packed-inputs.ts';
import { countRuns } from './alerts/live-sources.ts';
import { createApprovals } from './approvals/approvals.ts';
import { readIdentity } from './cluster/identity.ts';
import { createExpressions } from './expressions/expressions.ts';
import { checkPacked } from './http/core/large-body.ts';
import { checkBatch } from './http/events/event-admission.ts';
import { createJobs } from './jobs/jobs.ts';
import type { LogsAndMetrics } from './open-logs-and-metrics.ts';
import type { MasterStart, MasterState } from './open-state.ts';
import { createSchedules } from './schedules/schedules.ts';
import { announcedHost, listensAt } from './startup/listens-at.ts';
import { createWorkers } from './workers/workers.ts';
import { findInputFault } from './workflows/input-refusal.ts';
import { createWorkflows } from './workflows/workflows.ts';

/** By then the workers of the owner before have found the new one. */
const WORKERS_RETURN_MS = 10_000;

/** Workflows, workers and jobs, what starts jobs and holds them up, and who is told of what they do. */
export async function openJobs(
  { options, opened, side, startedAt, tls, ports, onError }: MasterStart,
  { base, settings, access, secrets }: MasterState,
  { offload, logListener, metrics, knowRuns }: LogsAndMetrics,
) {
  const { data } = options;
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
  knowRuns({ ...runners, tokenOf });
  const limitJobs = (limit: Parameters<typeof jobs.limit>[0]) => void jobs.limit(limit).catch(onError);
  access.watchLimits(({ seq, name }, { concurrency }) => limitJobs({ scope: 'key', id: seq, name, most: concurrency }));
  workflows.watchLimits((id, { concurrency }) => limitJobs({ scope: 'workflow', id, name: id, most: concurrency }));

  const approvals = opened.keep(
    createApprovals({
      ...{ ...base, access, workflows },
      settings: settings.other,
      overrides: settings,
      operations: jobs.operations,
    }),
  );
  const expressions = opened.keep(createExpressions({ limits: base.limits, projectOf: workflows.projectOf }));
  const schedules = opened.keep(
    createSchedules({
      ...{ ...base, jobs, workflows, expressions },
      isActive: async (id) => workflows.projectOf(id) !== null && (await workflows.get(id)).archivedAt === null,
      checkInputs: async (runnable, inputs) =>
        runnable.largeSchema
          ? checkPacked(offload, packTexts(inputs.map(jsonTextOf)), runnable)
          : checkBatch(inputs.map(withPlainNumbers), runnable, base.limits),
      now: () => base.clock.now(),
    }),
  );
  return {
    ...{ workflows, workers, jobs, approvals, expressions, schedules, telemetry, tellLimits, tellMasters },
    localWorkerEnded: ended,
    /** Removes jobs whose time is over. */
    tidyJobs: tidy,
    countedRuns: counted.runs,
  };
}
