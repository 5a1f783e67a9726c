import type { DashboardDefinition } from '../../../contract/dashboards.ts';
import { metric, panel, upwards } from './panels.ts';

const system = (field: string, aggregate: 'last' | 'max' | 'mean' = 'mean', legend?: string) =>
  metric('system_metrics', field, aggregate, legend === undefined ? {} : { legend });

/** Infrastructure and resources of the master. */
export const SYSTEM: DashboardDefinition = {
  formatVersion: 1,
  title: 'System Health',
  description: 'The master itself: latency, storage and backlogs.',
  time: { last: '1h', refreshSeconds: 5 },
  variables: [],
  panels: [
    panel('loop', 'Event loop lag (p99)', 'stat', [0, 0, 6, 3], 'ms', [system('gauge_loop_delay_p99_ms', 'last')], {
      thresholds: upwards(10, 50),
    }),
    panel('queue', 'Queue', 'stat', [6, 0, 6, 3], 'count', [system('gauge_queue_depth', 'last')], {
      thresholds: upwards(1000, 10_000),
    }),
    panel('memory', 'Master memory', 'stat', [12, 0, 6, 3], 'bytes', [system('gauge_memory_bytes', 'last')]),
    panel('pipeline', 'Log ingest backlog', 'stat', [18, 0, 6, 3], 'count', [system('gauge_pipeline_queue', 'last')], {
      thresholds: upwards(10_000, 100_000),
    }),
    panel(
      'loop-time',
      'Event loop lag',
      'timeseries',
      [0, 3, 12, 8],
      'ms',
      [system('gauge_loop_delay_p99_ms', 'max', 'p99')],
      { min: 0, thresholds: upwards(10, 50), marks: ['publications', 'kills'] },
    ),
    panel(
      'memory-time',
      'Master memory',
      'timeseries',
      [12, 3, 12, 8],
      'bytes',
      [system('gauge_memory_bytes', 'mean', 'RSS')],
      { min: 0 },
    ),
    panel(
      'queue-time',
      'Tasks waiting for a worker',
      'timeseries',
      [0, 11, 12, 8],
      'count',
      [system('gauge_queue_depth', 'max', 'READY')],
      { min: 0 },
    ),
    panel(
      'stores',
      'Store size',
      'timeseries',
      [12, 11, 12, 8],
      'bytes',
      [
        system('gauge_store_bytes', 'last', 'jobs'),
        system('gauge_log_store_bytes', 'last', 'logs'),
        system('gauge_metric_store_bytes', 'last', 'metrics'),
      ],
      { min: 0, stacked: true },
    ),
    panel(
      'pipeline-time',
      'Log ingest backlog',
      'timeseries',
      [0, 19, 12, 8],
      'count',
      [system('gauge_pipeline_queue', 'max', 'lines')],
      { min: 0 },
    ),
    panel(
      'levels',
      'Log lines by level',
      'timeseries',
      [12, 19, 12, 8],
      'count',
      [{ source: 'logs', query: '*', field: 'level' }],
      { min: 0, stacked: true },
    ),
  ],
};
