import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { MetricPoint } from '../contract/worker-protocol.ts';
import { every } from '../lib/clock.ts';
import type { PipelineStats } from './logs/pipeline/port.ts';
import type { LogStats } from './logs/port.ts';

/** How often the loop is sampled. The histogram records whole intervals, so this is taken off again. */
const RESOLUTION_MS = 10;
const WINDOW_MS = 10_000;
const SAMPLE_MS = 5000;

export interface HealthSources {
  queueDepth(): number;
  storeBytes(): number;
  workers(): { total: number; down: number; currentTasks: number; maxTasks: number };
  logs(): LogStats;
  pipeline(): PipelineStats;
  metrics(): { points: number; bytes: number; pending: number };
  reads(): { waiting: number; search: { behind: number; bytes: number } | null };
  record(point: MetricPoint): void;
  onError(error: unknown): void;
}

export interface Health {
  /** Prometheus text exposition, version 0.0.4. */
  prometheus(): string;
  close(): Promise<void>;
}

/** Watches the master itself: delay of its event loop, memory, queue and stores; makes `system_metrics` of them. */
export function watchHealth(sources: HealthSources): Health {
  let current = watchLoop();
  let previous: Loop | null = null;
  const stopWindow = every(WINDOW_MS, () => {
    previous?.disable();
    previous = current;
    current = watchLoop();
  }, sources.onError);
  /** Of this window and the one before, whichever is worse, in seconds. */
  const delay = (quantile: number) => Math.max(...[current, previous].map((loop) => (loop && loop.count > 0 ? loop.percentile(quantile * 100) / 1e9 - RESOLUTION_MS / 1000 : 0)), 0);

  const stopSamples = every(SAMPLE_MS, () => {
    const logs = sources.logs();
    const metrics = sources.metrics();
    sources.record({
      time: Date.now(),
      measurement: 'system_metrics',
      tags: {},
      fields: {
        gauge_queue_depth: sources.queueDepth(),
        gauge_loop_delay_p99_ms: delay(0.99) * 1000,
        gauge_memory_bytes: process.memoryUsage.rss(),
        gauge_store_bytes: sources.storeBytes(),
        gauge_log_store_bytes: logs.bytes,
        gauge_metric_store_bytes: metrics.bytes,
        gauge_pipeline_queue: sources.pipeline().queueLines,
      },
    });
  }, sources.onError);

  return {
    prometheus() {
      const workers = sources.workers();
      const logs = sources.logs();
      const metrics = sources.metrics();
      const reads = sources.reads();
      return exposition([
        ['yardmaster_event_loop_delay_p50_seconds', 'gauge', 'Delay of the event loop, median, worse of two windows of 10 s', delay(0.5)],
        ['yardmaster_event_loop_delay_p99_seconds', 'gauge', 'Delay of the event loop, 99th percentile, worse of two windows of 10 s', delay(0.99)],
        ['yardmaster_memory_bytes', 'gauge', 'Resident memory of the master', process.memoryUsage.rss()],
        ['yardmaster_cpu_seconds_total', 'counter', 'Processor time of the master', cpuSeconds()],
        ['yardmaster_uptime_seconds', 'gauge', 'Time since the master started', process.uptime()],
        ['yardmaster_queue_depth', 'gauge', 'READY tasks that wait for a worker', sources.queueDepth()],
        ['yardmaster_workers', 'gauge', 'Registered workers', workers.total],
        ['yardmaster_workers_down', 'gauge', 'Workers that are Down', workers.down],
        ['yardmaster_worker_slots', 'gauge', 'Capacity of the workers that are not Down', workers.maxTasks],
        ['yardmaster_worker_slots_used', 'gauge', 'Tasks that workers hold', workers.currentTasks],
        ['yardmaster_store_bytes', 'gauge', 'Size of the job store', sources.storeBytes()],
        ['yardmaster_read_queue', 'gauge', 'Lists and searches under way or waiting for their thread', reads.waiting],
        // Absent until the index was opened.
        ...(reads.search ? searchRows(reads.search) : []),
        ['yardmaster_log_records', 'gauge', 'Records in the log store', logs.records],
        ['yardmaster_log_store_bytes', 'gauge', 'Size of the log store', logs.bytes],
        ...logRows(logs),
        ...pipelineRows(sources.pipeline()),
        ['yardmaster_metric_points', 'gauge', 'Points in the metric store', metrics.points],
        ['yardmaster_metric_store_bytes', 'gauge', 'Size of the metric store', metrics.bytes],
      ]);
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
    ['yardmaster_log_insert_seconds', 'gauge', 'How long the last batch of log lines took to be kept', stats.lagMs / 1000],
    ['yardmaster_log_waiting_bytes', 'gauge', 'Bytes of batches that wait for the log store', stats.queuedBytes],
    ['yardmaster_log_stored_total', 'counter', 'Log lines kept', stats.stored],
    ['yardmaster_log_skipped_total', 'counter', 'Log lines that could not be read', stats.skipped],
    ['yardmaster_log_duplicates_total', 'counter', 'Batches that were sent again and not stored again', stats.duplicates],
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

function exposition(rows: readonly Row[]): string {
  return rows.map(([name, type, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`).join('');
}
