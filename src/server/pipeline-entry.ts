import { LIMITS } from '../contract/limits.ts';
import type { PipelineProcessOptions, RunningPipeline } from '../contract/process.ts';
import { keepFilesPrivate, tightenFolder } from './startup/private-folder.ts';
import { lockDataFolder } from './startup/lock.ts';
import { fixedTokens } from './logs/pipeline/fixed-tokens.ts';
import { settingsOf } from './logs/pipeline/settings.ts';
import { startPipelines } from './logs/pipeline/pipelines.ts';
import { readTls, refuseOpenPipeline } from './startup/policy.ts';

/** Starts log pipelines in this process, which send to a log store elsewhere. Throws a `Fault` with the remedy. */
export async function startPipeline(options: PipelineProcessOptions): Promise<RunningPipeline> {
  const { data, host, port, replicas, log, token, gzip } = options;
  keepFilesPrivate();
  refuseOpenPipeline(options);
  const lock = lockDataFolder(data, 'pipeline');
  tightenFolder(data, log);
  try {
    const tls = readTls(options.tls);
    const pipelines = await startPipelines({
      ...settingsOf({ ...LIMITS, ...options.limits }),
      folder: data,
      host,
      port,
      replicas,
      target: { url: options.logStore, token, gzip },
      tls: tls && { ...tls, required: options.tls?.only ?? false },
      tokenRequired: options.tokens !== null,
      tokens: options.tokens && fixedTokens(options.tokens),
      durable: options.durability === 'full',
      log,
    });
    return {
      port: pipelines.port,
      stats: pipelines.stats,
      async close() {
        await pipelines.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
