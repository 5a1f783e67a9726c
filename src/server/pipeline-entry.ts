import { LIMITS } from '../contract/limits.ts';
import type { PipelineProcessOptions, RunningPipeline } from '../contract/process.ts';
import { remoteTarget, withTenant } from '../lib/remote-http.ts';
import { keepFilesPrivate, tightenFolder } from './startup/private-folder.ts';
import { lockDataFolder } from './startup/lock.ts';
import { fixedTokens } from './logs/pipeline/fixed-tokens.ts';
import { settingsOf } from './logs/pipeline/settings.ts';
import { readRedactedValues, watchRedactedValues } from './logs/pipeline/redact-option.ts';
import { createPipelines } from './logs/pipeline/pipelines.ts';
import { readTls, refuseOpenPipeline } from './startup/policy.ts';

/** Starts log pipelines in this process, which send to a log store elsewhere. Throws a `Fault` with the remedy. */
export async function startPipeline(options: PipelineProcessOptions): Promise<RunningPipeline> {
  const { data, host, port, replicas, log, gzip } = options;
  const target = withTenant(remoteTarget(options.logStore, '--log-store-ca'), options.tenant);
  // What cannot be read keeps it from taking a line.
  if (options.redact !== null) readRedactedValues(options.redact);
  keepFilesPrivate();
  refuseOpenPipeline(options);
  const lock = lockDataFolder(data, 'pipeline');
  tightenFolder(data, log);
  try {
    const tls = readTls(options.tls);
    const { opened, ...pipelines } = createPipelines({
      ...settingsOf({ ...LIMITS, ...options.limits }),
      folder: data,
      host,
      port,
      replicas,
      target: { ...target, gzip, lineIds: 'ask', select: null },
      tls: tls && { ...tls, required: options.tls?.only ?? false },
      tokenRequired: options.tokens !== null,
      tokens: options.tokens && fixedTokens(options.tokens),
      durable: options.durability === 'full',
      log,
    });
    const forget = options.redact === null ? () => {} : watchRedactedValues(options.redact, pipelines.redact, log);
    return {
      port: await opened,
      stats: pipelines.stats,
      async close() {
        forget();
        await pipelines.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
