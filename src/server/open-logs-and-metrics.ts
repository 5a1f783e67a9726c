import { join } from 'node:path';
import { isLoopback } from '../lib/loopback.ts';
import { openOffload } from './http/offload/open-offload.ts';
import { openLogListener } from './listeners/log-listener.ts';
import { createLogs } from './logs/logs.ts';
import { createPipelines } from './logs/pipeline/pipelines.ts';
import { senderTokens, type Runs } from './logs/pipeline/sender-tokens.ts';
import { masterTarget, settingsOf } from './logs/pipeline/settings.ts';
import { pipelineTarget, remoteLineBytes } from './logs/remote-targets.ts';
import { besideRemoteWrite, openMetrics } from './metrics/open-metrics.ts';
import type { MasterStart, MasterState } from './open-state.ts';

export type LogsAndMetrics = Awaited<ReturnType<typeof openLogsAndMetrics>>;

/** The threads that take long work off the event loop, the stores of logs and metrics, and the way of the logs to theirs. */
export async function openLogsAndMetrics(
  { options, opened, warm, localDurability, damage, tls, remote, ports }: MasterStart,
  { base, settings, access, secrets }: MasterState,
) {
  const { data, log } = options;
  const { limits } = base;
  const durable = localDurability.level === 'full';
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
  ports.logStore = logListener.port;
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
  return {
    ...{ offload, redactionThread, logs, logListener, pipelines, metrics, metricStore, remoteWrite },
    /** Tells whose lines are let in, once jobs and workers are known. */
    knowRuns: runs.resolve,
  };
}
