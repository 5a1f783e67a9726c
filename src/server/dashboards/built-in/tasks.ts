import type { PanelQuery } from '../../../contract/dashboards.ts';
import { ENVIRONMENT, JOB, metric, upwards, WORKER, WORKFLOW, dashboard, chart, bar, table } from './panels.ts';

const filters = { workflow_id: ['$workflow'], environment: ['$environment'], worker_id: ['$worker'], job_id: ['$job'] };
const byNode = { filters, groupBy: ['node'], legend: '{{node}}' };
const task = (
  field: string,
  aggregate: Extract<PanelQuery, { source: 'metrics' }>['aggregate'],
  more: object = byNode,
) => metric('task_metrics', field, aggregate, { filters, ...more });

/** Individual task metrics. */
export const TASKS = dashboard(
  'Task Details',
  'Tasks by node: throughput, queue time, run time and failures.',
  [WORKFLOW, ENVIRONMENT, WORKER, JOB],
  [
    chart('run', 'Run time by node (p95)', 'ms', task('timer_run_ms', 'p95'), { marks: ['publications'] }),
    chart('schedule', 'Queue time by node (p95)', 'ms', task('timer_schedule_ms', 'p95')),
    chart('in', 'Node input events per second', 'perSecond', task('counter_input_event_count', 'rate')),
    chart('out', 'Node output events per second', 'perSecond', task('counter_output_event_count', 'rate')),
    chart('bytes-in', 'Node input bytes per second', 'bytesPerSecond', task('counter_input_byte_count', 'rate')),
    chart('bytes-out', 'Node output bytes per second', 'bytesPerSecond', task('counter_output_byte_count', 'rate')),
    bar('errors', 'Failed attempts by node', 'count', task('counter_error_count', 'sum'), {
      reducer: 'sum',
      thresholds: upwards(1, 100),
    }),
    table('table', 'Nodes', 'none', [
      task('timer_run_ms', 'count', { ...byNode, legend: 'attempts' }),
      task('counter_error_count', 'sum', { ...byNode, legend: 'failed' }),
      task('timer_run_ms', 'p50', { ...byNode, legend: 'run p50, ms' }),
      task('timer_run_ms', 'p95', { ...byNode, legend: 'run p95, ms' }),
    ]),
  ],
);
