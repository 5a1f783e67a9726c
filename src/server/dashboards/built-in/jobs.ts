import type { PanelQuery } from '../../../contract/dashboards.ts';
import { TASK_STATES } from '../../../contract/vocabulary.ts';
import { ENVIRONMENT, metric, upwards, WORKFLOW, dashboard, stat, chart, heatmap, log } from './panels.ts';

const filters = { workflow_id: ['$workflow'], environment: ['$environment'] };
const job = (field: string, aggregate: Extract<PanelQuery, { source: 'metrics' }>['aggregate'], more: object = {}) =>
  metric('job_metrics', field, aggregate, { filters, ...more });

/** Task states, throughput, error rates. */
export const JOBS = dashboard(
  'Job Monitoring',
  'Job throughput, results, durations and failures.',
  [WORKFLOW, ENVIRONMENT],
  [
    stat('finished', 'Finished jobs', 'count', job('timer_total_ms', 'count'), { reducer: 'sum' }),
    stat('failed', 'Failed tasks', 'count', job('gauge_tasks_failed', 'sum'), {
      reducer: 'sum',
      thresholds: upwards(1, 100),
    }),
    stat('p50', 'Job duration p50', 'ms', job('timer_total_ms', 'p50')),
    stat('p95', 'Job duration p95', 'ms', job('timer_total_ms', 'p95')),
    chart(
      'throughput',
      'Finished jobs by workflow',
      'count',
      job('timer_total_ms', 'count', { groupBy: ['workflow_id'], legend: '{{workflow_id}}' }),
      { stacked: true, marks: ['publications', 'kills'] },
    ),
    chart(
      'duration',
      'End-to-end latency',
      'ms',
      [
        job('timer_total_ms', 'p50', { legend: 'p50' }),
        job('timer_total_ms', 'p95', { legend: 'p95' }),
        job('timer_total_ms', 'max', { legend: 'max' }),
      ],
      { marks: ['publications'] },
    ),
    chart(
      'states',
      'Tasks of finished jobs by state',
      'count',
      TASK_STATES.filter((state) => state !== 'READY' && state !== 'SCHEDULED' && state !== 'RUNNING').map((state) =>
        job(`gauge_tasks_${state.toLowerCase()}`, 'sum', { legend: state }),
      ),
      { stacked: true },
    ),
    chart(
      'errors',
      'Failed attempts by workflow',
      'count',
      metric('task_metrics', 'counter_error_count', 'sum', {
        filters,
        groupBy: ['workflow_id'],
        legend: '{{workflow_id}}',
      }),
      { marks: ['publications', 'kills'] },
    ),
    heatmap('spread', 'Job duration histogram', 'ms', job('timer_total_ms', 'max', { groupBy: ['job_id'] })),
    log('log', 'Warnings and errors', 'none', { source: 'logs', query: 'level:in(WARN, ERROR, FATAL) -draft:true' }),
  ],
);
