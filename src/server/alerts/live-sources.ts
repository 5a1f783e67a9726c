import { statfs } from 'node:fs/promises';
import type { PipelineStats } from '../../contract/logs.ts';
import { watchRefusedSenders } from './refused-senders.ts';
import { targetStates, watchLost, type TargetInfos } from './target-states.ts';
import { createRunCounts, KEPT_MS, SLOT_MS } from './run-counts.ts';
import type { AlertSources, RunCount } from './sources.ts';
import type { Approvals } from '../approvals/port.ts';
import type { Access } from '../access/port.ts';
import type { Jobs } from '../jobs/port.ts';
import type { Logs } from '../logs/port.ts';
import type { MetricsRoom } from '../metrics/port.ts';
import type { Schedules } from '../schedules/port.ts';
import type { Webhooks } from '../webhooks/port.ts';
import type { Workers } from '../workers/port.ts';

/** A point as the jobs room hands it over. */
interface RunPoint {
  readonly shape: {
    readonly measurement: string;
    readonly tags: readonly string[];
    readonly fields: readonly string[];
  };
  readonly time: number;
  readonly tags: readonly string[];
  readonly values: readonly number[];
}

/** Counts the attempts of the last minutes as they end. What ended before this master began is read from the metrics, once. */
export function countRuns(
  metrics: Pick<MetricsRoom, 'series' | 'stats' | 'remote'>,
  startedAt: number,
): { take(point: RunPoint): void; runs(from: number): Promise<readonly RunCount[] | null> } {
  const counts = createRunCounts();
  let places: { shape: RunPoint['shape']; workflow: number; environment: number; errors: number } | null = null;
  // Where nothing was ever measured, no thread need start to read it.
  let before: Promise<void> | null =
    metrics.remote() === null && metrics.stats().points === 0 ? Promise.resolve() : null;

  async function readBefore(): Promise<void> {
    const ask = (aggregate: 'sum' | 'count') =>
      metrics.series({
        measurement: 'task_metrics',
        field: 'counter_error_count',
        aggregate,
        groupBy: ['workflow_id', 'environment'],
        filters: {},
        from: startedAt - KEPT_MS,
        to: startedAt,
        intervalMs: SLOT_MS,
        limit: 1000,
      });
    const [errors, runs] = await Promise.all([ask('sum'), ask('count')]);
    for (const { tags, times, values } of runs.series)
      for (const [i, at] of times.entries())
        counts.add(at, tags['workflow_id'] ?? '', tags['environment'] ?? '', values[i] ?? 0, 0);
    for (const { tags, times, values } of errors.series)
      for (const [i, at] of times.entries())
        counts.add(at, tags['workflow_id'] ?? '', tags['environment'] ?? '', 0, values[i] ?? 0);
  }

  return {
    take({ shape, time, tags, values }) {
      if (shape !== places?.shape) {
        if (shape.measurement !== 'task_metrics') return;
        places = {
          shape,
          workflow: shape.tags.indexOf('workflow_id'),
          environment: shape.tags.indexOf('environment'),
          errors: shape.fields.indexOf('counter_error_count'),
        };
      }
      counts.add(time, tags[places.workflow] ?? '', tags[places.environment] ?? '', 1, values[places.errors] ?? 0);
    },
    async runs(from) {
      if (from < startedAt - KEPT_MS) return null;
      if (from < startedAt) {
        before ??= readBefore().catch((error: unknown) => {
          before = null;
          throw error;
        });
        await before;
      }
      return counts.since(from);
    },
  };
}

/** What alert rules look at, from the rooms that know it. */
export function alertSources({
  access,
  approvals,
  metrics,
  logs,
  pipelines,
  workers,
  jobs,
  data,
  runs,
  damage,
  cluster,
  targets,
  workflows,
  schedules,
  webhooks,
  shown,
}: {
  /** Takes the values of secrets out of a text. */
  shown(text: string): string;
  schedules: Pick<Schedules, 'trouble'>;
  webhooks: { readonly counts: Pick<Webhooks['counts'], 'trouble'> };
  workflows: { idsIn(projects: readonly string[]): readonly string[] };
  access: { readonly attempts: Pick<Access['attempts'], 'stats'> };
  approvals: Pick<Approvals, 'watched' | 'waiting'>;
  metrics: Pick<MetricsRoom, 'series'>;
  logs: Pick<Logs, 'hits' | 'run'>;
  pipelines: { stats(): PipelineStats };
  workers: Pick<Workers, 'overview' | 'lost'>;
  jobs: Pick<Jobs, 'queueDepth' | 'overview'>;
  data: string;
  runs: AlertSources['engine']['runs'];
  damage: { counts(): Readonly<Record<string, number>> };
  cluster: AlertSources['engine']['cluster'];
  targets(): TargetInfos;
}): AlertSources {
  const states = () => targetStates(targets(), Date.now());
  return {
    series: (query) => metrics.series(query),
    logs,
    workflowsOf: (project) => workflows.idsIn([project]),
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
      wrongCredentials: () => access.attempts.stats().recent,
      sendersRefused: watchRefusedSenders(() => pipelines.stats(), Date.now),
      approvalsWatched: (from) => approvals.watched(from),
      // Messages about them leave the master.
      approvalsWaiting: (most) =>
        approvals.waiting(most).map((one) => ({ ...one, wait: { ...one.wait, title: shown(one.wait.title) } })),
      damagedData: () => Object.values(damage.counts()).reduce((sum, count) => sum + count, 0),
      targets: states,
      targetsLost: watchLost(states, Date.now),
      runs,
      cluster,
      schedules: (from) => schedules.trouble(from),
      webhooks: (from) => webhooks.counts.trouble(from),
    },
  };
}
