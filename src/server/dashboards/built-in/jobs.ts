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
  description: 'The jobs: how many end and how, how long they take, and what fails.',
  time: { last: '1h', refreshSeconds: 5 },
  variables: [WORKFLOW, ENVIRONMENT],
  panels: [
    panel('finished', 'Jobs finished', 'stat', [0, 0, 6, 3], 'count', [job('timer_total_ms', 'count')], {
      reducer: 'sum',
    }),
    panel(
      'failed',
      'Failed tasks in finished jobs',
      'stat',
      [6, 0, 6, 3],
      'count',
      [job('gauge_tasks_failed', 'sum')],
      { reducer: 'sum', thresholds: upwards(1, 100) },
    ),
    panel('p50', 'Median time of a job', 'stat', [12, 0, 6, 3], 'ms', [job('timer_total_ms', 'p50')]),
    panel('p95', '95 of 100 jobs within', 'stat', [18, 0, 6, 3], 'ms', [job('timer_total_ms', 'p95')]),
    panel(
      'throughput',
      'Jobs finished by workflow',
      'timeseries',
      [0, 3, 12, 8],
      'count',
      [job('timer_total_ms', 'count', { groupBy: ['workflow_id'], legend: '{{workflow_id}}' })],
      { min: 0, stacked: true, marks: ['publications', 'kills'] },
    ),
    panel(
      'duration',
      'Time from submission to end',
      'timeseries',
      [12, 3, 12, 8],
      'ms',
      [
        job('timer_total_ms', 'p50', { legend: 'median' }),
        job('timer_total_ms', 'p95', { legend: '95 %' }),
        job('timer_total_ms', 'max', { legend: 'longest' }),
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
    panel('spread', 'Spread of job times', 'heatmap', [0, 19, 12, 8], 'ms', [
      job('timer_total_ms', 'max', { groupBy: ['job_id'] }),
    ]),
    panel('log', 'Warnings and errors', 'logs', [12, 19, 12, 8], 'none', [
      { source: 'logs', query: 'level:in(WARN, ERROR, FATAL)' },
    ]),
  ],
};
