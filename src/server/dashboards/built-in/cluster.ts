import type { DashboardDefinition } from '../../../contract/dashboards.ts';
import { metric, panel, upwards, WORKER } from './panels.ts';

const filters = { worker_id: ['$worker'] };
const byWorker = { groupBy: ['worker_id'], filters, legend: '{{worker_id}}' };

/** Worker health, capacity, task distribution. */
export const CLUSTER: DashboardDefinition = {
  formatVersion: 1,
  title: 'Cluster Overview',
  description: 'Worker health, capacity and load.',
  time: { last: '1h', refreshSeconds: 5 },
  variables: [WORKER],
  panels: [
    panel(
      'slots-used',
      'In-flight tasks',
      'stat',
      [0, 0, 6, 3],
      'count',
      [metric('worker_metrics', 'gauge_current_tasks', 'last', byWorker)],
      { reducer: 'sum', description: 'Across all workers, at their last heartbeat' },
    ),
    panel(
      'slots',
      'Slots',
      'stat',
      [6, 0, 6, 3],
      'count',
      [metric('worker_metrics', 'gauge_max_tasks', 'last', byWorker)],
      { reducer: 'sum', description: 'Total task slots of all workers' },
    ),
    panel('queue', 'Queue', 'stat', [12, 0, 6, 3], 'count', [metric('system_metrics', 'gauge_queue_depth', 'last')], {
      description: 'READY tasks waiting for a worker',
      thresholds: upwards(1000, 10_000),
    }),
    panel(
      'lost',
      'Failed attempts',
      'stat',
      [18, 0, 6, 3],
      'count',
      [metric('task_metrics', 'counter_error_count', 'sum', { filters })],
      { reducer: 'sum', thresholds: upwards(1, 100) },
    ),
    panel(
      'cpu',
      'Worker CPU',
      'timeseries',
      [0, 3, 12, 8],
      'share',
      [metric('worker_metrics', 'gauge_cpu_usage', 'mean', byWorker)],
      { min: 0, max: 1, marks: ['publications', 'kills'] },
    ),
    panel(
      'memory',
      'Worker memory',
      'timeseries',
      [12, 3, 12, 8],
      'bytes',
      [metric('worker_metrics', 'gauge_memory_usage', 'mean', byWorker)],
      { min: 0 },
    ),
    panel(
      'held',
      'In-flight tasks by worker',
      'timeseries',
      [0, 11, 12, 8],
      'count',
      [metric('worker_metrics', 'gauge_current_tasks', 'mean', byWorker)],
      { min: 0, stacked: true },
    ),
    panel(
      'distribution',
      'Finished attempts by worker',
      'bar',
      [12, 11, 12, 8],
      'count',
      [metric('task_metrics', 'timer_run_ms', 'count', byWorker)],
      { reducer: 'sum' },
    ),
    panel(
      'rate',
      'Task input events per second',
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
