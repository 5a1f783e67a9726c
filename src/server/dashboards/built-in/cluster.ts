import type { DashboardDefinition } from '../../../contract/dashboards.ts';
import { metric, panel, upwards, WORKER } from './panels.ts';

const filters = { worker_id: ['$worker'] };
const byWorker = { groupBy: ['worker_id'], filters, legend: '{{worker_id}}' };

/** Worker health, capacity, task distribution. */
export const CLUSTER: DashboardDefinition = {
  formatVersion: 1,
  title: 'Cluster Overview',
  description: 'The workers: whether they are well, how much room they have, and who does how much.',
  time: { last: '1h', refreshSeconds: 5 },
  variables: [WORKER],
  panels: [
    panel(
      'slots-used',
      'Tasks held',
      'stat',
      [0, 0, 6, 3],
      'count',
      [metric('worker_metrics', 'gauge_current_tasks', 'last', byWorker)],
      { reducer: 'sum', description: 'By all workers together, at their last beat' },
    ),
    panel(
      'slots',
      'Slots',
      'stat',
      [6, 0, 6, 3],
      'count',
      [metric('worker_metrics', 'gauge_max_tasks', 'last', byWorker)],
      { reducer: 'sum', description: 'Tasks that all workers together may hold' },
    ),
    panel('queue', 'Queue', 'stat', [12, 0, 6, 3], 'count', [metric('system_metrics', 'gauge_queue_depth', 'last')], {
      description: 'READY tasks that wait for a worker',
      thresholds: upwards(1000, 10_000),
    }),
    panel(
      'lost',
      'Attempts that failed',
      'stat',
      [18, 0, 6, 3],
      'count',
      [metric('task_metrics', 'counter_error_count', 'sum', { filters })],
      { reducer: 'sum', thresholds: upwards(1, 100) },
    ),
    panel(
      'cpu',
      'Processor of workers',
      'timeseries',
      [0, 3, 12, 8],
      'share',
      [metric('worker_metrics', 'gauge_cpu_usage', 'mean', byWorker)],
      { min: 0, max: 1, marks: ['publications', 'kills'] },
    ),
    panel(
      'memory',
      'Memory of workers',
      'timeseries',
      [12, 3, 12, 8],
      'bytes',
      [metric('worker_metrics', 'gauge_memory_usage', 'mean', byWorker)],
      { min: 0 },
    ),
    panel(
      'held',
      'Tasks held by each worker',
      'timeseries',
      [0, 11, 12, 8],
      'count',
      [metric('worker_metrics', 'gauge_current_tasks', 'mean', byWorker)],
      { min: 0, stacked: true },
    ),
    panel(
      'distribution',
      'Attempts ended by each worker',
      'bar',
      [12, 11, 12, 8],
      'count',
      [metric('task_metrics', 'timer_run_ms', 'count', byWorker)],
      { reducer: 'sum' },
    ),
    panel(
      'rate',
      'Events into tasks, a second',
      'timeseries',
      [0, 19, 12, 8],
      'perSecond',
      [metric('task_metrics', 'counter_input_event_count', 'rate', { ...byWorker, legend: '{{worker_id}}' })],
      { min: 0 },
    ),
    panel(
      'failures',
      'Failed attempts by worker',
      'timeseries',
      [12, 19, 12, 8],
      'count',
      [metric('task_metrics', 'counter_error_count', 'sum', byWorker)],
      { min: 0 },
    ),
  ],
};
