import type { DashboardDefinition, Panel, PanelQuery, Variable } from '../../../contract/dashboards.ts';

type Metric = Extract<PanelQuery, { source: 'metrics' }>;

/** What the built-in dashboards are written with. */
export const metric = (
  measurement: string,
  field: string,
  aggregate: Metric['aggregate'],
  more: Omit<Partial<Metric>, 'source'> = {},
): Metric => ({ source: 'metrics', measurement, field, aggregate, ...more });

type Drawn = Omit<Panel, 'grid'>;
const drawn =
  (kind: Panel['kind'], always: Partial<Panel> = {}) =>
  (
    id: string,
    title: string,
    unit: Panel['unit'],
    queries: PanelQuery | readonly PanelQuery[],
    more: Partial<Panel> = {},
  ): Drawn => ({ id, title, kind, unit, queries: [queries].flat(), ...always, ...more });

export const stat = drawn('stat');
export const chart = drawn('timeseries', { min: 0 });
export const bar = drawn('bar');
export const table = drawn('table');
export const heatmap = drawn('heatmap');
export const log = drawn('logs');

/** Single numbers stand four in a row at the top, all else two in a row below. */
export function dashboard(
  title: string,
  description: string,
  variables: Variable[],
  panels: readonly Drawn[],
): DashboardDefinition {
  const stats = panels.filter(({ kind }) => kind === 'stat').length;
  const top = Math.ceil(stats / 4) * 3;
  return {
    formatVersion: 1,
    title,
    description,
    time: { last: '1h', refreshSeconds: 5 },
    variables,
    panels: panels.map(({ id, title: name, kind, ...rest }, i) => {
      const n = i - stats;
      const grid =
        n < 0
          ? { x: (i % 4) * 6, y: Math.floor(i / 4) * 3, w: 6, h: 3 }
          : { x: (n % 2) * 12, y: top + Math.floor(n / 2) * 8, w: 12, h: 8 };
      return { id, title: name, kind, grid, ...rest };
    }),
  };
}

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
