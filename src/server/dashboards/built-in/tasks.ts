import type { DashboardDefinition, PanelQuery } from '../../../contract/dashboards.ts';
import { ENVIRONMENT, JOB, metric, panel, upwards, WORKER, WORKFLOW } from './panels.ts';

const filters = { workflow_id: ['$workflow'], environment: ['$environment'], worker_id: ['$worker'], job_id: ['$job'] };
const byNode = { filters, groupBy: ['node'], legend: '{{node}}' };
const task = (
  field: string,
  aggregate: Extract<PanelQuery, { source: 'metrics' }>['aggregate'],
  more: object = byNode,
) => metric('task_metrics', field, aggregate, { filters, ...more });

/** Individual task metrics. */
export const TASKS: DashboardDefinition = {
  formatVersion: 1,
  title: 'Task Details',
  description: 'Tasks by node: throughput, queue time, run time and failures.',
  time: { last: '1h', refreshSeconds: 5 },
  variables: [WORKFLOW, ENVIRONMENT, WORKER, JOB],
  panels: [
    panel('run', 'Run time by node (p95)', 'timeseries', [0, 0, 12, 8], 'ms', [task('timer_run_ms', 'p95')], {
      min: 0,
      marks: ['publications'],
    }),
    panel(
      'schedule',
      'Queue time by node (p95)',
      'timeseries',
      [12, 0, 12, 8],
      'ms',
      [task('timer_schedule_ms', 'p95')],
      { min: 0 },
    ),
    panel(
      'in',
      'Node input events per second',
      'timeseries',
      [0, 8, 12, 8],
      'perSecond',
      [task('counter_input_event_count', 'rate')],
      { min: 0 },
    ),
    panel(
      'out',
      'Node output events per second',
      'timeseries',
      [12, 8, 12, 8],
      'perSecond',
      [task('counter_output_event_count', 'rate')],
      { min: 0 },
    ),
    panel(
      'bytes-in',
      'Node input bytes per second',
      'timeseries',
      [0, 16, 12, 8],
      'bytesPerSecond',
      [task('counter_input_byte_count', 'rate')],
      { min: 0 },
    ),
    panel(
      'bytes-out',
      'Node output bytes per second',
      'timeseries',
      [12, 16, 12, 8],
      'bytesPerSecond',
      [task('counter_output_byte_count', 'rate')],
      { min: 0 },
    ),
    panel('errors', 'Failed attempts by node', 'bar', [0, 24, 12, 8], 'count', [task('counter_error_count', 'sum')], {
      reducer: 'sum',
      thresholds: upwards(1, 100),
    }),
    panel('table', 'Nodes', 'table', [12, 24, 12, 8], 'none', [
      task('timer_run_ms', 'count', { ...byNode, legend: 'attempts' }),
      task('counter_error_count', 'sum', { ...byNode, legend: 'failed' }),
      task('timer_run_ms', 'p50', { ...byNode, legend: 'run p50, ms' }),
      task('timer_run_ms', 'p95', { ...byNode, legend: 'run p95, ms' }),
    ]),
  ],
};
