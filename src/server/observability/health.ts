import type { PipelineStats } from '../../contract/logs.ts';
import { every } from '../../lib/clock.ts';
import { clusterFields, watchCluster } from './cluster-metrics.ts';
import { formatExposition } from './exposition.ts';
import { watchLoopDelay } from './loop-delay.ts';
import { cpuSeconds, SERIES, threadSamples, type Now } from './series.ts';
import type { Access, AuditExport } from '../access/port.ts';
import type { ClusterView } from '../cluster/port.ts';
import type { DamageRegistry, Sample } from './port.ts';
import type { Feed } from '../feed/port.ts';
import type { Jobs } from '../jobs/port.ts';
import type { Logs } from '../logs/port.ts';
import type { MetricsRoom, RemoteWriteStats } from '../metrics/port.ts';
import type { ThreadUsages } from '../offload/port.ts';
import type { Store } from '../store/port.ts';
import type { TelemetryStats } from '../telemetry/port.ts';
import type { Webhooks } from '../webhooks/port.ts';
import type { Workers } from '../workers/port.ts';

const SAMPLE_MS = 5000;

/** The rooms that are watched. */
export interface HealthDeps {
  readonly jobs: Pick<Jobs, 'queueDepth' | 'readStats'>;
  readonly store: Pick<Store, 'sizeBytes'>;
  readonly webhooks: { readonly counts: Pick<Webhooks['counts'], 'totals'> };
  readonly workers: Pick<Workers, 'overview'>;
  readonly logs: Pick<Logs, 'stats'>;
  readonly pipelines: { stats(): PipelineStats };
  readonly metrics: Pick<MetricsRoom, 'stats' | 'record' | 'remote'>;
  readonly remoteWrite?: { stats(): RemoteWriteStats } | null;
  readonly feed: Pick<Feed, 'stats'>;
  readonly cluster: Pick<ClusterView, 'get'>;
  readonly auditExport: Pick<AuditExport, 'stats'>;
  readonly access: { readonly attempts: Pick<Access['attempts'], 'stats'> };
  readonly damage: Pick<DamageRegistry, 'counts' | 'found'>;
  readonly telemetry: { stats(): TelemetryStats } | null;
  readonly threads: ThreadUsages;
  onError(error: unknown): void;
}

export interface Health {
  /** Prometheus text exposition, version 0.0.4. */
  prometheus(): string;
  /** The same values. */
  samples(): Sample[];
  close(): Promise<void>;
}

/** Watches the master itself: delay of its event loop, memory, queue and stores; makes `system_metrics` of them. */
export function watchHealth(deps: HealthDeps): Health {
  const { jobs, store, threads, onError } = deps;
  const watch = watchCluster(deps.cluster);
  const loop = watchLoopDelay(onError);
  const { delay, longest } = loop;

  const look = (): Now => ({
    auditExport: deps.auditExport.stats(),
    attempts: deps.access.attempts.stats(),
    delay,
    longest,
    cluster: watch.readings(),
    feed: deps.feed.stats(),
    damages: Object.values(deps.damage.counts()).reduce((sum, count) => sum + count, 0),
    damagesFound: deps.damage.found,
    logs: deps.logs.stats(),
    memory: process.memoryUsage(),
    metrics: deps.metrics.stats(),
    remoteMetrics: deps.metrics.remote(),
    remoteWrite: deps.remoteWrite?.stats() ?? null,
    pipeline: deps.pipelines.stats(),
    queueDepth: jobs.queueDepth,
    reads: jobs.readStats(),
    storeBytes: store.sizeBytes(),
    telemetry: deps.telemetry && Object.values(deps.telemetry.stats()),
    webhooks: deps.webhooks.counts.totals(),
    workers: deps.workers.overview(),
  });

  /** What counters said at the last sample: a counter's points are increases. */
  let before = {
    cpu: cpuSeconds(),
    at: performance.now(),
    dropped: 0,
    metricsDropped: 0,
    wrong: 0,
    refused: 0,
    failovers: null as number | null,
  };
  const stopSamples = every(
    SAMPLE_MS,
    () => {
      threads.look();
      const seen = look();
      const { attempts, cluster, feed, logs, memory, metrics, pipeline, reads, workers } = seen;
      const now = {
        cpu: cpuSeconds(),
        at: performance.now(),
        dropped: pipeline.dropped,
        wrong: attempts.wrong,
        refused: pipeline.crowded + pipeline.unauthorized + pipeline.foreign + pipeline.forged,
        metricsDropped: metrics.dropped + metrics.overCardinality,
        failovers: cluster?.failovers ?? before.failovers,
      };
      deps.metrics.record({
        time: Date.now(),
        measurement: 'system_metrics',
        tags: {},
        fields: {
          gauge_queue_depth: seen.queueDepth,
          gauge_loop_delay_p50_ms: delay(0.5) * 1000,
          gauge_loop_delay_p99_ms: delay(0.99) * 1000,
          gauge_loop_delay_max_ms: longest() * 1000,
          gauge_cpu_usage: Math.max(0, (now.cpu - before.cpu) / Math.max(0.001, (now.at - before.at) / 1000)),
          gauge_memory_bytes: memory.rss,
          gauge_heap_bytes: memory.heapUsed,
          gauge_external_bytes: memory.external,
          gauge_workers: workers.total,
          gauge_workers_down: workers.down,
          gauge_worker_slots: workers.maxTasks,
          gauge_worker_slots_used: workers.currentTasks,
          gauge_read_queue: reads.waiting,
          gauge_search_behind: reads.search?.behind ?? 0,
          gauge_feed_lag: feed.lag,
          gauge_open_streams: feed.subscribers,
          counter_wrong_credentials: now.wrong - before.wrong,
          counter_log_senders_refused: now.refused - before.refused,
          gauge_store_bytes: seen.storeBytes,
          ...(logs.remote ? {} : { gauge_log_store_bytes: logs.bytes, gauge_log_records: logs.records }),
          ...(seen.remoteMetrics === null
            ? {
                gauge_metric_store_bytes: metrics.bytes,
                gauge_metric_points: metrics.points,
                gauge_metric_series: metrics.series,
              }
            : { gauge_remote_metrics_queue_bytes: metrics.bytes }),
          gauge_metric_pending: metrics.pending,
          counter_metric_points_dropped: now.metricsDropped - before.metricsDropped,
          gauge_pipeline_queue: pipeline.queueLines,
          gauge_pipeline_queue_bytes: pipeline.queueBytes,
          gauge_pipeline_lag_ms: pipeline.lagMs,
          gauge_pipeline_connections: pipeline.connections,
          counter_pipeline_dropped: Math.max(0, now.dropped - before.dropped),
          ...clusterFields(cluster, before.failovers),
        },
      });
      for (const { thread, memoryBytes, cpuUsage } of threads.list())
        deps.metrics.record({
          time: Date.now(),
          measurement: 'system_metrics',
          tags: { thread },
          fields: {
            gauge_thread_memory_bytes: memoryBytes,
            ...(cpuUsage === null ? {} : { gauge_thread_cpu_usage: cpuUsage }),
          },
        });
      before = now;
    },
    onError,
  );

  function samples(): Sample[] {
    const now = look();
    const single = SERIES.flatMap(([name, help, of]): Sample[] => {
      const value = of(now);
      const type = name.endsWith('_total') ? 'counter' : 'gauge';
      return value === undefined ? [] : [{ name: `yardmaster_${name}`, type, help, value }];
    });
    return [...single, ...threadSamples(threads.list())];
  }

  return {
    prometheus: () => formatExposition(samples()),
    samples,
    async close() {
      await Promise.all([loop.close(), stopSamples(), watch.close()]);
    },
  };
}
