import type { DashboardDefinition, PanelQuery } from '../../../contract/dashboards.ts';
import { TASK_STATES } from '../../../contract/vocabulary.ts';
import { ENVIRONMENT, metric, panel, upwards, WORKFLOW } from './panels.ts';

const filters = { workflow_id: ['$workflow'], environment: ['$environment'] };
const job = (field: string, aggregate: Extract<PanelQuery, { source: 'metrics' }>['aggregate'], more: object = {}) =>
  metric('job_metrics', field, aggregate, { filters, ...more });

/** Task states, throughput, error rates. */
export const JOBS: DashboardDefinition = {
  formatVersion: 1,
  title: 'Job Monitoring',
  description: 'Job throughput, results, durations and failures.',
  time: { last: '1h', refreshSeconds: 5 },
  variables: [WORKFLOW, ENVIRONMENT],
  panels: [
    panel('finished', 'Finished jobs', 'stat', [0, 0, 6, 3], 'count', [job('timer_total_ms', 'count')], {
      reducer: 'sum',
    }),
    panel('failed', 'Failed tasks', 'stat', [6, 0, 6, 3], 'count', [job('gauge_tasks_failed', 'sum')], {
      reducer: 'sum',
      thresholds: upwards(1, 100),
    }),
    panel('p50', 'Job duration p50', 'stat', [12, 0, 6, 3], 'ms', [job('timer_total_ms', 'p50')]),
    panel('p95', 'Job duration p95', 'stat', [18, 0, 6, 3], 'ms', [job('timer_total_ms', 'p95')]),
    panel(
      'throughput',
      'Finished jobs by workflow',
      'timeseries',
      [0, 3, 12, 8],
      'count',
      [job('timer_total_ms', 'count', { groupBy: ['workflow_id'], legend: '{{workflow_id}}' })],
      { min: 0, stacked: true, marks: ['publications', 'kills'] },
    ),
    panel(
      'duration',
      'End-to-end latency',
      'timeseries',
      [12, 3, 12, 8],
      'ms',
      [
        job('timer_total_ms', 'p50', { legend: 'p50' }),
        job('timer_total_ms', 'p95', { legend: 'p95' }),
        job('timer_total_ms', 'max', { legend: 'max' }),
      ],
      { min: 0, marks: ['publications'] },
    ),
    panel(
      'states',
      'Tasks of finished jobs by state',
      'timeseries',
      [0, 11, 12, 8],
      'count',
      TASK_STATES.filter((state) => state !== 'READY' && state !== 'SCHEDULED' && state !== 'RUNNING').map((state) =>
        job(`gauge_tasks_${state.toLowerCase()}`, 'sum', { legend: state }),
      ),
      { min: 0, stacked: true },
    ),
    panel(
      'errors',
      'Failed attempts by workflow',
      'timeseries',
      [12, 11, 12, 8],
      'count',
      [
        metric('task_metrics', 'counter_error_count', 'sum', {
          filters,
          groupBy: ['workflow_id'],
          legend: '{{workflow_id}}',
        }),
      ],
      { min: 0, marks: ['publications', 'kills'] },
    ),
    panel('spread', 'Job duration histogram', 'heatmap', [0, 19, 12, 8], 'ms', [
      job('timer_total_ms', 'max', { groupBy: ['job_id'] }),
    ]),
    panel('log', 'Warnings and errors', 'logs', [12, 19, 12, 8], 'none', [
      { source: 'logs', query: 'level:in(WARN, ERROR, FATAL)' },
    ]),
  ],
};
