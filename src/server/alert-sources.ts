import { statfs } from 'node:fs/promises';
import type { AlertSources } from './alerts/sources.ts';
import type { Jobs } from './jobs/port.ts';
import type { Pipelines } from './logs/pipeline/port.ts';
import type { Logs } from './logs/port.ts';
import type { MetricsRoom } from './metrics/port.ts';
import type { Workers } from './workers/port.ts';

/** What alert rules look at, from the rooms that know it. */
export function alertSources({ metrics, logs, pipelines, workers, jobs, data }: { metrics: Pick<MetricsRoom, 'series'>; logs: Pick<Logs, 'hits' | 'run'>; pipelines: Pick<Pipelines, 'stats'>; workers: Pick<Workers, 'overview' | 'lost'>; jobs: Pick<Jobs, 'queueDepth' | 'overview'>; data: string }): AlertSources {
  return {
    series: (query) => metrics.series(query),
    logs,
    engine: {
      workers: () => workers.overview(),
      lost: () => workers.lost(),
      queueDepth: () => jobs.queueDepth,
      tasks: async () => (await jobs.overview()).tasks,
      async diskUsed() {
        const { blocks, bavail, bfree } = await statfs(data);
        // As `df` counts: what only the superuser may use is neither used nor free.
        const usable = blocks - bfree + bavail;
        return usable === 0 ? 0 : (blocks - bfree) / usable;
      },
      pipelineQueue: () => pipelines.stats().queueLines,
    },
  };
}
