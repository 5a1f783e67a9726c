import type { Panel, PanelQuery, Variable } from '../../../contract/dashboards.ts';

type Metric = Extract<PanelQuery, { source: 'metrics' }>;

/** What the built-in dashboards are written with. */
export const metric = (
  measurement: string,
  field: string,
  aggregate: Metric['aggregate'],
  more: Omit<Partial<Metric>, 'source'> = {},
): Metric => ({ source: 'metrics', measurement, field, aggregate, ...more });

type Place = readonly [x: number, y: number, w: number, h: number];
export const panel = (
  id: string,
  title: string,
  kind: Panel['kind'],
  [x, y, w, h]: Place,
  unit: Panel['unit'],
  queries: readonly PanelQuery[],
  more: Partial<Panel> = {},
): Panel => ({ id, title, kind, grid: { x, y, w, h }, unit, queries: [...queries], ...more });

const variable = (name: string, label: string, tag: string): Variable => ({ name, label, tag, multi: true, value: [] });
export const WORKFLOW = variable('workflow', 'Workflow', 'workflow_id');
export const ENVIRONMENT = variable('environment', 'Environment', 'environment');
export const WORKER = variable('worker', 'Worker', 'worker_id');
export const JOB = variable('job', 'Job', 'job_id');

/** Higher is worse. */
export const upwards = (warning: number, danger: number): NonNullable<Panel['thresholds']> => [
  { from: warning, tone: 'warning' },
  { from: danger, tone: 'danger' },
];
