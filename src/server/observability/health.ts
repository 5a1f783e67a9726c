import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { PipelineStats } from '../../contract/logs.ts';
import { every } from '../../lib/clock.ts';
import { formatExposition, type Sample } from './exposition.ts';
import type { Feed } from '../feed/port.ts';
import type { Jobs } from '../jobs/port.ts';
import type { Logs, LogStats } from '../logs/port.ts';
import type { MetricsRoom } from '../metrics/port.ts';
import type { Store } from '../store/port.ts';
import type { Workers } from '../workers/port.ts';

/** How often the loop is sampled. The histogram records whole intervals, so this is taken off again. */
const RESOLUTION_MS = 10;
const WINDOW_MS = 10_000;
const SAMPLE_MS = 5000;

/** The rooms that are watched. */
export interface HealthDeps {
  readonly jobs: Pick<Jobs, 'queueDepth' | 'readStats'>;
  readonly store: Pick<Store, 'sizeBytes'>;
  readonly workers: Pick<Workers, 'overview'>;
  readonly logs: Pick<Logs, 'stats'>;
  readonly pipelines: { stats(): PipelineStats };
  readonly metrics: Pick<MetricsRoom, 'stats' | 'record'>;
  readonly feed: Pick<Feed, 'stats'>;
  onError(error: unknown): void;
}

export interface Health {
  /** Prometheus text exposition, version 0.0.4. */
  prometheus(): string;
  close(): Promise<void>;
}

/** Watches the master itself: delay of its event loop, memory, queue and stores; makes `system_metrics` of them. */
export function watchHealth(deps: HealthDeps): Health {
  const { jobs, store, feed, onError } = deps;
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

  /** What counters said at the last sample: a counter's points are increases. */
  let before = { cpu: cpuSeconds(), at: performance.now(), dropped: 0, metricsDropped: 0 };
  const stopSamples = every(
    SAMPLE_MS,
    () => {
      const logs = deps.logs.stats();
      const metrics = deps.metrics.stats();
      const pipeline = deps.pipelines.stats();
      const workers = deps.workers.overview();
      const { lag, subscribers } = feed.stats();
      const reads = jobs.readStats();
      const memory = process.memoryUsage();
      const now = {
        cpu: cpuSeconds(),
        at: performance.now(),
        dropped: pipeline.dropped,
        metricsDropped: metrics.dropped + metrics.overCardinality,
      };
      deps.metrics.record({
        time: Date.now(),
        measurement: 'system_metrics',
        tags: {},
        fields: {
          gauge_queue_depth: jobs.queueDepth,
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
          gauge_feed_lag: lag,
          gauge_open_streams: subscribers,
          gauge_store_bytes: store.sizeBytes(),
          gauge_log_store_bytes: logs.bytes,
          gauge_log_records: logs.records,
          gauge_metric_store_bytes: metrics.bytes,
          gauge_metric_points: metrics.points,
          gauge_metric_series: metrics.series,
          gauge_metric_pending: metrics.pending,
          counter_metric_points_dropped: now.metricsDropped - before.metricsDropped,
          gauge_pipeline_queue: pipeline.queueLines,
          gauge_pipeline_queue_bytes: pipeline.queueBytes,
          gauge_pipeline_lag_ms: pipeline.lagMs,
          gauge_pipeline_connections: pipeline.connections,
          counter_pipeline_dropped: Math.max(0, now.dropped - before.dropped),
        },
      });
      before = now;
    },
    onError,
  );

  return {
    prometheus() {
      const workers = deps.workers.overview();
      const logs = deps.logs.stats();
      const metrics = deps.metrics.stats();
      const reads = jobs.readStats();
      return formatExposition(
        (
          [
            ['yardmaster_live_streams', 'gauge', 'Readers of live changes', feed.stats().subscribers],
            [
              'yardmaster_feed_lag',
              'gauge',
              'Changes that the reader furthest behind has not been given',
              feed.stats().lag,
            ],
            [
              'yardmaster_event_loop_delay_p50_seconds',
              'gauge',
              'Delay of the event loop, median, worse of two windows of 10 s',
              delay(0.5),
            ],
            [
              'yardmaster_event_loop_delay_p99_seconds',
              'gauge',
              'Delay of the event loop, 99th percentile, worse of two windows of 10 s',
              delay(0.99),
            ],
            [
              'yardmaster_event_loop_delay_max_seconds',
              'gauge',
              'Longest delay of the event loop in two windows of 10 s',
              longest(),
            ],
            ['yardmaster_heap_bytes', 'gauge', 'Objects of the master in memory', process.memoryUsage().heapUsed],
            ['yardmaster_memory_bytes', 'gauge', 'Resident memory of the master', process.memoryUsage.rss()],
            ['yardmaster_cpu_seconds_total', 'counter', 'Processor time of the master', cpuSeconds()],
            ['yardmaster_uptime_seconds', 'gauge', 'Time since the master started', process.uptime()],
            ['yardmaster_queue_depth', 'gauge', 'READY tasks that wait for a worker', jobs.queueDepth],
            ['yardmaster_workers', 'gauge', 'Registered workers', workers.total],
            ['yardmaster_workers_down', 'gauge', 'Workers that are Down', workers.down],
            ['yardmaster_worker_slots', 'gauge', 'Capacity of the workers that are not Down', workers.maxTasks],
            ['yardmaster_worker_slots_used', 'gauge', 'Tasks that workers hold', workers.currentTasks],
            ['yardmaster_store_bytes', 'gauge', 'Size of the job store', store.sizeBytes()],
            [
              'yardmaster_read_queue',
              'gauge',
              'Lists and searches under way or waiting for their thread',
              reads.waiting,
            ],
            // Absent until the index was opened.
            ...(reads.search ? searchRows(reads.search) : []),
            ['yardmaster_log_records', 'gauge', 'Records in the log store', logs.records],
            ['yardmaster_log_store_bytes', 'gauge', 'Size of the log store', logs.bytes],
            ...logRows(logs),
            ...pipelineRows(deps.pipelines.stats()),
            ['yardmaster_metric_points', 'gauge', 'Points in the metric store', metrics.points],
            ['yardmaster_metric_store_bytes', 'gauge', 'Size of the metric store', metrics.bytes],
            ['yardmaster_metric_series', 'gauge', 'Series in the metric store', metrics.series],
            ['yardmaster_metric_pending', 'gauge', 'Points recorded and not yet stored', metrics.pending],
            ['yardmaster_metric_queries', 'gauge', 'Queries of metrics under way', metrics.queries],
            [
              'yardmaster_metric_store_refusing',
              'gauge',
              '1 while the metric store refuses writes',
              metrics.refusing === null ? 0 : 1,
            ],
            [
              'yardmaster_metric_points_dropped_total',
              'counter',
              'Points of the master that were not stored: the queue was full, or the writer failed',
              metrics.dropped,
            ],
            [
              'yardmaster_metric_points_over_cardinality_total',
              'counter',
              'Points left out because their series was one too many',
              metrics.overCardinality,
            ],
          ] satisfies Row[]
        ).map(sampleOf),
      );
    },
    async close() {
      await Promise.all([stopWindow(), stopSamples()]);
      current.disable();
      previous?.disable();
    },
  };
}

function logRows(stats: LogStats): Row[] {
  return [
    ['yardmaster_log_blocks', 'gauge', 'Blocks in the log store', stats.blocks],
    ['yardmaster_log_refusing', 'gauge', '1 while the log store cannot write', stats.refusing === null ? 0 : 1],
    [
      'yardmaster_log_insert_seconds',
      'gauge',
      'How long the last batch of log lines took to be kept',
      stats.lagMs / 1000,
    ],
    ['yardmaster_log_waiting_bytes', 'gauge', 'Bytes of batches that wait for the log store', stats.queuedBytes],
    ['yardmaster_log_stored_total', 'counter', 'Log lines kept', stats.stored],
    ['yardmaster_log_skipped_total', 'counter', 'Log lines that could not be read', stats.skipped],
    [
      'yardmaster_log_duplicates_total',
      'counter',
      'Batches that were sent again and not stored again',
      stats.duplicates,
    ],
    ['yardmaster_log_refused_total', 'counter', 'Batches that were refused', stats.refused],
    ['yardmaster_log_damaged_total', 'counter', 'Blocks and files of logs that cannot be read', stats.damaged],
  ];
}

function pipelineRows(stats: PipelineStats): Row[] {
  return [
    ['yardmaster_pipeline_queue', 'gauge', 'Log lines accepted and not yet stored', stats.queueLines],
    ['yardmaster_pipeline_queue_bytes', 'gauge', 'Bytes of them on disk', stats.queueBytes],
    ['yardmaster_pipeline_lag_seconds', 'gauge', 'Age of the oldest of them', stats.lagMs / 1000],
    ['yardmaster_pipeline_connections', 'gauge', 'Senders that are connected', stats.connections],
    ['yardmaster_pipeline_paused', 'gauge', '1 while senders are made to wait', stats.paused ? 1 : 0],
    ['yardmaster_pipeline_pauses_total', 'counter', 'How often senders were made to wait', stats.pauses],
    ['yardmaster_pipeline_accepted_total', 'counter', 'Log lines accepted', stats.accepted],
    ['yardmaster_pipeline_delivered_total', 'counter', 'Log lines that the store has acknowledged', stats.delivered],
    ['yardmaster_pipeline_retried_total', 'counter', 'Deliveries that failed and were made again', stats.retried],
    ['yardmaster_pipeline_dead_total', 'counter', 'Log lines that the store refused for good', stats.dead],
    ['yardmaster_pipeline_skipped_total', 'counter', 'Log lines that the store skipped', stats.skipped],
    ['yardmaster_pipeline_dropped_total', 'counter', 'Log lines dropped because the queue was full', stats.dropped],
    ['yardmaster_pipeline_truncated_total', 'counter', 'Log lines cut because they were too long', stats.truncated],
    ['yardmaster_pipeline_unparsed_total', 'counter', 'Log lines that were no JSON', stats.unparsed],
  ];
}

type Row = [name: string, type: 'gauge' | 'counter', help: string, value: number];
const sampleOf = ([name, type, help, value]: Row): Sample => ({ name, type, help, value });

const searchRows = ({ behind, bytes }: { behind: number; bytes: number }): Row[] => [
  ['yardmaster_search_behind_jobs', 'gauge', 'Jobs that the index of the search does not know yet', behind],
  ['yardmaster_search_bytes', 'gauge', 'Size of the index of the search', bytes],
];

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
