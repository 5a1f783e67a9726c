import { metric, upwards, dashboard, stat, chart } from './panels.ts';

const system = (field: string, aggregate: 'last' | 'max' | 'mean' = 'mean', legend?: string) =>
  metric('system_metrics', field, aggregate, legend === undefined ? {} : { legend });

/** Infrastructure and resources of the master. */
export const SYSTEM = dashboard(
  'System Health',
  'The master itself: latency, storage and backlogs.',
  [],
  [
    stat('loop', 'Event loop lag (p99)', 'ms', system('gauge_loop_delay_p99_ms', 'last'), {
      thresholds: upwards(10, 50),
    }),
    stat('queue', 'Queue', 'count', system('gauge_queue_depth', 'last'), { thresholds: upwards(1000, 10_000) }),
    stat('memory', 'Master memory', 'bytes', system('gauge_memory_bytes', 'last')),
    stat('pipeline', 'Log ingest backlog', 'count', system('gauge_pipeline_queue', 'last'), {
      thresholds: upwards(10_000, 100_000),
    }),
    chart('loop-time', 'Event loop lag', 'ms', system('gauge_loop_delay_p99_ms', 'max', 'p99'), {
      thresholds: upwards(10, 50),
      marks: ['publications', 'kills'],
    }),
    chart('memory-time', 'Master memory', 'bytes', system('gauge_memory_bytes', 'mean', 'RSS')),
    chart(
      'thread-memory',
      'Memory by thread',
      'bytes',
      metric('system_metrics', 'gauge_thread_memory_bytes', 'mean', { groupBy: ['thread'] }),
      { stacked: true },
    ),
    chart(
      'thread-cpu',
      'CPU by thread',
      'share',
      metric('system_metrics', 'gauge_thread_cpu_usage', 'mean', { groupBy: ['thread'] }),
      { stacked: true },
    ),
    chart('queue-time', 'Tasks waiting for a worker', 'count', system('gauge_queue_depth', 'max', 'READY')),
    chart(
      'stores',
      'Store size',
      'bytes',
      [
        system('gauge_store_bytes', 'last', 'jobs'),
        system('gauge_log_store_bytes', 'last', 'logs'),
        system('gauge_metric_store_bytes', 'last', 'metrics'),
      ],
      { stacked: true },
    ),
    chart('pipeline-time', 'Log ingest backlog', 'count', system('gauge_pipeline_queue', 'max', 'lines')),
    chart('levels', 'Log lines by level', 'count', { source: 'logs', query: '*', field: 'level' }, { stacked: true }),
  ],
);
