import { metric, upwards, WORKER, dashboard, stat, chart, bar } from './panels.ts';

const filters = { worker_id: ['$worker'] };
const byWorker = { groupBy: ['worker_id'], filters, legend: '{{worker_id}}' };

/** Worker health, capacity, task distribution. */
export const CLUSTER = dashboard(
  'Cluster Overview',
  'Worker health, capacity and load.',
  [WORKER],
  [
    stat('slots-used', 'In-flight tasks', 'count', metric('worker_metrics', 'gauge_current_tasks', 'last', byWorker), {
      reducer: 'sum',
      description: 'Across all workers, at their last heartbeat',
    }),
    stat('slots', 'Slots', 'count', metric('worker_metrics', 'gauge_max_tasks', 'last', byWorker), {
      reducer: 'sum',
      description: 'Total task slots of all workers',
    }),
    stat('queue', 'Queue', 'count', metric('system_metrics', 'gauge_queue_depth', 'last'), {
      description: 'READY tasks waiting for a worker',
      thresholds: upwards(1000, 10_000),
    }),
    stat('lost', 'Failed attempts', 'count', metric('task_metrics', 'counter_error_count', 'sum', { filters }), {
      reducer: 'sum',
      thresholds: upwards(1, 100),
    }),
    chart('cpu', 'Worker CPU', 'share', metric('worker_metrics', 'gauge_cpu_usage', 'mean', byWorker), {
      max: 1,
      marks: ['publications', 'kills'],
    }),
    chart('memory', 'Worker memory', 'bytes', metric('worker_metrics', 'gauge_memory_usage', 'mean', byWorker)),
    chart(
      'held',
      'In-flight tasks by worker',
      'count',
      metric('worker_metrics', 'gauge_current_tasks', 'mean', byWorker),
      { stacked: true },
    ),
    bar(
      'distribution',
      'Finished attempts by worker',
      'count',
      metric('task_metrics', 'timer_run_ms', 'count', byWorker),
      { reducer: 'sum' },
    ),
    chart(
      'rate',
      'Task input events per second',
      'perSecond',
      metric('task_metrics', 'counter_input_event_count', 'rate', { ...byWorker, legend: '{{worker_id}}' }),
    ),
    chart(
      'failures',
      'Failed attempts by worker',
      'count',
      metric('task_metrics', 'counter_error_count', 'sum', byWorker),
    ),
  ],
);
