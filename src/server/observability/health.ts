import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { PipelineStats } from '../../contract/logs.ts';
import { every } from '../../lib/clock.ts';
import { clusterFields, watchCluster, type ClusterReadings } from './cluster-metrics.ts';
import { formatExposition } from './exposition.ts';
import type { AuditExport } from '../access/port.ts';
import type { Access } from '../access/port.ts';
import type { ClusterView } from '../cluster/port.ts';
import type { DamageRegistry, Sample } from './port.ts';
import type { Feed } from '../feed/port.ts';
import type { Jobs } from '../jobs/port.ts';
import type { Logs } from '../logs/port.ts';
import type { DeliveryStats, MetricsRoom, RemoteWriteStats } from '../metrics/port.ts';
import type { Store } from '../store/port.ts';
import type { SignalStats, TelemetryStats } from '../telemetry/port.ts';
import type { Webhooks } from '../webhooks/port.ts';
import type { Workers } from '../workers/port.ts';

/** How often the loop is sampled. The histogram records whole intervals, so this is taken off again. */
const RESOLUTION_MS = 10;
const WINDOW_MS = 10_000;
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
  const { jobs, store, onError } = deps;
  const watch = watchCluster(deps.cluster);
  let current = watchLoop();
  let previous: Loop | null = null;
  const stopWindow = every(
    WINDOW_MS,
    () => {
      previous?.disable();
      previous = current;
      current = watchLoop();
    },
    onError,
  );
  /** Of this window and the one before, whichever is worse, in seconds. */
  const worse = (of: (loop: Loop) => number) =>
    Math.max(
      ...[current, previous].map((loop) => (loop && loop.count > 0 ? of(loop) / 1e9 - RESOLUTION_MS / 1000 : 0)),
      0,
    );
  const delay = (quantile: number) => worse((loop) => loop.percentile(quantile * 100));
  const longest = () => worse((loop) => loop.max);

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
      before = now;
    },
    onError,
  );

  function samples(): Sample[] {
    const now = look();
    return SERIES.flatMap(([name, help, of]) => {
      const value = of(now);
      const type = name.endsWith('_total') ? 'counter' : 'gauge';
      return value === undefined ? [] : [{ name: `yardmaster_${name}`, type, help, value }];
    });
  }

  return {
    prometheus: () => formatExposition(samples()),
    samples,
    async close() {
      await Promise.all([stopWindow(), stopSamples(), watch.close()]);
      current.disable();
      previous?.disable();
    },
  };
}

type SeriesOf = (now: Now) => number | undefined;

/** Of the embedded metric store alone. */
function embedded(of: SeriesOf): SeriesOf {
  return (now) => (now.remoteMetrics === null ? of(now) : undefined);
}

/** The exposition's series of the delivery to a store elsewhere. */
function deliverySeries(
  prefix: string,
  what: string,
  items: 'points' | 'samples',
  of: (now: Now) => DeliveryStats | null,
): (readonly [name: string, help: string, of: SeriesOf])[] {
  const named = items === 'points' ? 'Points' : 'Samples';
  const series = (name: string, help: string, value: (stats: DeliveryStats) => number) =>
    [
      `${prefix}_${name}`,
      help,
      (now: Now) => {
        const stats = of(now);
        return stats === null ? undefined : value(stats);
      },
    ] as const;
  return [
    series('up', `1 while ${what} accepts ${items}`, ({ state }) => (state === 'ok' ? 1 : 0)),
    series(`queue_${items}`, `${named} on disk, not yet delivered to ${what}`, ({ items }) => items),
    series('queue_bytes', `Bytes on disk, not yet delivered to ${what}`, ({ bytes }) => bytes),
    series('lag_seconds', `Age of the oldest batch not yet delivered to ${what}`, ({ oldestAt }) =>
      oldestAt === null ? 0 : Math.max(0, (Date.now() - oldestAt) / 1000),
    ),
    series('delivered_total', `${named} delivered to ${what}`, ({ delivered }) => delivered),
    series('retries_total', `Retried deliveries to ${what}`, ({ retried }) => retried),
    series('lost_total', `${named} rejected by ${what}, or dropped because the queue was full`, ({ lost }) => lost),
  ];
}

/** What the exposition shows; counters end in `_total`. What has no value yet is left out. */
const SERIES: readonly (readonly [name: string, help: string, of: (now: Now) => number | undefined])[] = [
  ['live_streams', 'Clients of the live stream', ({ feed }) => feed.subscribers],
  ['feed_lag', 'Changes not yet sent to the slowest client', ({ feed }) => feed.lag],
  [
    'audit_export_behind',
    'Entries of the audit log that the slowest destination lacks',
    ({ auditExport }) => (auditExport.length === 0 ? undefined : Math.max(...auditExport.map(({ behind }) => behind))),
  ],
  [
    'audit_export_failing',
    'Destinations of the audit log that cannot be reached',
    ({ auditExport }) =>
      auditExport.length === 0 ? undefined : auditExport.filter(({ failing }) => failing !== null).length,
  ],
  [
    'otlp_exported_total',
    'Spans, log lines and values exported by OTLP',
    ({ telemetry }) => sumOf(telemetry, 'exported'),
  ],
  [
    'otlp_dropped_total',
    'The same that were lost: the queue was full, or the receiver refused them',
    ({ telemetry }) => sumOf(telemetry, 'dropped'),
  ],
  ['otlp_queued', 'The same that wait to be exported', ({ telemetry }) => sumOf(telemetry, 'queued')],
  [
    'otlp_failing',
    'Signals that cannot be exported',
    ({ telemetry }) => telemetry?.filter(({ failing }) => failing !== null).length,
  ],
  ['wrong_credentials_total', 'Wrong tokens, keys and sign-in codes', ({ attempts }) => attempts.wrong],
  [
    'blocked_credentials_total',
    'Wrong tokens, keys and sign-in codes that were refused because too many had come',
    ({ attempts }) => attempts.blocked,
  ],
  ['event_loop_delay_p50_seconds', 'Event loop lag, p50, maximum of two 10 s windows', ({ delay }) => delay(0.5)],
  ['event_loop_delay_p99_seconds', 'Event loop lag, p99, maximum of two 10 s windows', ({ delay }) => delay(0.99)],
  ['event_loop_delay_max_seconds', 'Event loop lag, maximum of two 10 s windows', ({ longest }) => longest()],
  ['heap_bytes', 'Heap memory of the master', ({ memory }) => memory.heapUsed],
  ['memory_bytes', 'Resident memory of the master', ({ memory }) => memory.rss],
  ['cpu_seconds_total', 'CPU time of the master', () => cpuSeconds()],
  ['uptime_seconds', 'Time since the master started', () => process.uptime()],
  ['data_damaged', 'Parts of the data that are known to be damaged', ({ damages }) => damages],
  ['data_damaged_total', 'Damaged parts of the data found since the start', ({ damagesFound }) => damagesFound],
  ['queue_depth', 'READY tasks waiting for a worker', ({ queueDepth }) => queueDepth],
  ['webhook_accepted_total', 'Deliveries to webhooks that started a job', ({ webhooks }) => webhooks.ACCEPTED],
  [
    'webhook_filtered_total',
    'Deliveries that the filter of their webhook dropped',
    ({ webhooks }) => webhooks.FILTERED,
  ],
  ['webhook_replayed_total', 'Repeated deliveries to webhooks', ({ webhooks }) => webhooks.REPLAYED],
  [
    'webhook_refused_total',
    'Deliveries to webhooks that could not be verified',
    ({ webhooks }) => webhooks.SIGNATURE_INVALID,
  ],
  ['webhook_failed_total', 'Verified deliveries to webhooks that started no job', ({ webhooks }) => webhooks.FAILED],
  ['workers', 'Registered workers', ({ workers }) => workers.total],
  ['workers_down', 'Workers that are Down', ({ workers }) => workers.down],
  ['worker_slots', 'Task slots of workers that are not Down', ({ workers }) => workers.maxTasks],
  ['worker_slots_used', 'In-flight tasks', ({ workers }) => workers.currentTasks],
  ['store_bytes', 'Size of the job store', ({ storeBytes }) => storeBytes],
  ['read_queue', 'Lists and searches that are running or waiting for their thread', ({ reads }) => reads.waiting],
  ['search_behind_jobs', 'Jobs not yet in the search index', ({ reads }) => reads.search?.behind],
  ['search_bytes', 'Size of the search index', ({ reads }) => reads.search?.bytes],
  ['log_store_up', '1 while VictoriaLogs answers', ({ logs }) => (logs.remote ? Number(logs.remote.up) : undefined)],
  ['log_store_requests_total', 'Requests that VictoriaLogs answered', ({ logs }) => logs.remote?.answered],
  ['log_store_failures_total', 'Requests that failed because of VictoriaLogs', ({ logs }) => logs.remote?.failed],
  [
    'log_store_duplicates_total',
    'Log lines that VictoriaLogs had twice and that were shown once',
    ({ logs }) => logs.remote?.duplicates,
  ],
  ['log_records', 'Records in the log store', ({ logs }) => (logs.remote ? undefined : logs.records)],
  ['log_store_bytes', 'Size of the log store', ({ logs }) => (logs.remote ? undefined : logs.bytes)],
  ['log_blocks', 'Blocks in the log store', ({ logs }) => (logs.remote ? undefined : logs.blocks)],
  ['log_refusing', '1 while the log store cannot write', ({ logs }) => (logs.refusing === null ? 0 : 1)],
  ['log_insert_seconds', 'Time to store the last batch of log lines', ({ logs }) => logs.lagMs / 1000],
  ['log_waiting_bytes', 'Bytes of batches waiting for the log store', ({ logs }) => logs.queuedBytes],
  ['log_stored_total', 'Log lines stored', ({ logs }) => logs.stored],
  ['log_skipped_total', 'Log lines that could not be parsed', ({ logs }) => logs.skipped],
  ['log_duplicates_total', 'Duplicate batches that were not stored again', ({ logs }) => logs.duplicates],
  ['log_refused_total', 'Rejected batches', ({ logs }) => logs.refused],
  ['log_damaged_total', 'Damaged log blocks and files', ({ logs }) => logs.damaged],
  ['pipeline_queue', 'Log lines accepted but not yet stored', ({ pipeline }) => pipeline.queueLines],
  ['pipeline_queue_bytes', 'Bytes of queued log lines on disk', ({ pipeline }) => pipeline.queueBytes],
  ['pipeline_lag_seconds', 'Age of the oldest queued log line', ({ pipeline }) => pipeline.lagMs / 1000],
  ['pipeline_connections', 'Connected senders', ({ pipeline }) => pipeline.connections],
  ['pipeline_paused', '1 while senders are paused', ({ pipeline }) => (pipeline.paused ? 1 : 0)],
  ['pipeline_pauses_total', 'Number of times senders were paused', ({ pipeline }) => pipeline.pauses],
  ['pipeline_accepted_total', 'Log lines accepted', ({ pipeline }) => pipeline.accepted],
  ['pipeline_delivered_total', 'Log lines acknowledged by the log store', ({ pipeline }) => pipeline.delivered],
  ['pipeline_retried_total', 'Retried deliveries', ({ pipeline }) => pipeline.retried],
  ['pipeline_dead_total', 'Log lines permanently rejected by the log store', ({ pipeline }) => pipeline.dead],
  ['pipeline_skipped_total', 'Log lines skipped by the log store', ({ pipeline }) => pipeline.skipped],
  ['pipeline_dropped_total', 'Log lines dropped because the queue was full', ({ pipeline }) => pipeline.dropped],
  ['pipeline_truncated_total', 'Log lines truncated because they were too long', ({ pipeline }) => pipeline.truncated],
  ['pipeline_unparsed_total', 'Log lines that were not JSON', ({ pipeline }) => pipeline.unparsed],
  [
    'pipeline_forged_total',
    'Log lines of workers that named a task, job, worker or source that is not theirs',
    ({ pipeline }) => pipeline.forged,
  ],
  [
    'pipeline_foreign_total',
    'Connections to the log pipeline closed because they began with HTTP, or with TLS on a plain port',
    ({ pipeline }) => pipeline.foreign,
  ],
  [
    'pipeline_unauthorized_total',
    'Connections to the log pipeline closed for want of a valid token',
    ({ pipeline }) => pipeline.unauthorized,
  ],
  [
    'pipeline_crowded_total',
    'Connections to the log pipeline closed because they were silent or too many',
    ({ pipeline }) => pipeline.crowded,
  ],
  ['metric_points', 'Points in the metric store', embedded(({ metrics }) => metrics.points)],
  ['metric_store_bytes', 'Size of the metric store', embedded(({ metrics }) => metrics.bytes)],
  ['metric_series', 'Series in the metric store', embedded(({ metrics }) => metrics.series)],
  ['metric_pending', 'Points recorded but not yet stored', ({ metrics }) => metrics.pending],
  ['metric_queries', 'Running metric queries', ({ metrics }) => metrics.queries],
  [
    'metric_store_refusing',
    '1 while the metric store rejects writes',
    ({ metrics }) => (metrics.refusing === null ? 0 : 1),
  ],
  [
    'metric_points_dropped_total',
    'Points of the master dropped because the queue was full or the writer failed',
    ({ metrics }) => metrics.dropped,
  ],
  [
    'metric_points_over_cardinality_total',
    'Points dropped because the series limit was reached',
    ({ metrics }) => metrics.overCardinality,
  ],
  ...deliverySeries('remote_metrics', 'the remote metric store', 'points', ({ remoteMetrics }) => remoteMetrics),
  ...deliverySeries('remote_write', 'remote write', 'samples', ({ remoteWrite }) => remoteWrite),
  ['remote_write_series', 'Series sent by remote write', ({ remoteWrite }) => remoteWrite?.series],
  [
    'remote_write_left_out_total',
    'Points left out of remote write because the series limit was reached',
    ({ remoteWrite }) => remoteWrite?.leftOut,
  ],
  ['cluster_epoch', 'Epoch of the owner of the state', ({ cluster }) => cluster?.epoch],
  ['cluster_masters', 'Masters of the cluster', ({ cluster }) => cluster?.masters],
  ['cluster_standbys', 'Standbys that could take over', ({ cluster }) => cluster?.standbys],
  [
    'cluster_standby_lag_seconds',
    'Lag of the standby that is furthest behind',
    ({ cluster }) => seconds(cluster?.standbyLagMs),
  ],
  ['cluster_journal_bytes', 'Size of the journal', ({ cluster }) => cluster?.journalBytes ?? undefined],
  ['cluster_append_seconds', 'Mean time of the last appends', ({ cluster }) => seconds(cluster?.appendMs)],
  [
    'cluster_projection_lag_seconds',
    'How far the tables for SQL are behind',
    ({ cluster }) => seconds(cluster?.projectionLagMs),
  ],
  [
    'cluster_failovers_total',
    'Times the state got another owner, or the same one again',
    ({ cluster }) => cluster?.failovers,
  ],
];

/** Over all signals; nothing where none is exported. */
const sumOf = (signals: Now['telemetry'], of: 'exported' | 'dropped' | 'queued'): number | undefined =>
  signals?.reduce((sum, one) => sum + one[of], 0);
const seconds = (ms: number | null | undefined): number | undefined => (typeof ms === 'number' ? ms / 1000 : undefined);

interface Now {
  readonly auditExport: ReturnType<AuditExport['stats']>;
  readonly attempts: ReturnType<Access['attempts']['stats']>;
  delay(quantile: number): number;
  longest(): number;
  readonly cluster: ClusterReadings | null;
  readonly feed: ReturnType<Feed['stats']>;
  readonly damages: number;
  readonly damagesFound: number;
  readonly logs: ReturnType<Logs['stats']>;
  readonly memory: NodeJS.MemoryUsage;
  readonly metrics: ReturnType<MetricsRoom['stats']>;
  readonly remoteMetrics: ReturnType<MetricsRoom['remote']>;
  readonly remoteWrite: RemoteWriteStats | null;
  readonly pipeline: PipelineStats;
  readonly queueDepth: number;
  readonly reads: ReturnType<Jobs['readStats']>;
  readonly storeBytes: number;
  readonly telemetry: SignalStats[] | null;
  readonly webhooks: ReturnType<Webhooks['counts']['totals']>;
  readonly workers: ReturnType<Workers['overview']>;
}

type Loop = ReturnType<typeof monitorEventLoopDelay>;

function watchLoop(): Loop {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return histogram;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
