import { type Static, Type } from 'typebox';
import { Nullable, enumOf, get, post, put, remove, tagged, Time, Closed } from './shapes.ts';
import {
  DASHBOARD_FORMAT,
  DASHBOARD_ID,
  GRID_COLUMNS,
  MARK_KINDS,
  METRIC_AGGREGATES,
  PANEL_KINDS,
  PANEL_REDUCERS,
  PANEL_UNITS,
  TONES,
  VARIABLE_NAME,
} from './vocabulary.ts';

/** Dashboards. */

const Name = Type.String({ minLength: 1, maxLength: 200 });
const RELATIVE = '^[1-9][0-9]{0,5}[smhd]$';

/** A filter's value may be `$variable`: all that is chosen for it; nothing where all is. */
const MetricQuery = Closed({
  source: Type.Literal('metrics'),
  measurement: Name,
  field: Name,
  aggregate: enumOf(METRIC_AGGREGATES),
  groupBy: Type.Optional(Type.Array(Name, { maxItems: 8 })),
  filters: Type.Optional(
    Type.Record(
      Type.String({ minLength: 1, maxLength: 200 }),
      Type.Array(Type.String({ maxLength: 1000 }), { minItems: 1, maxItems: 100 }),
      { maxProperties: 16 },
    ),
  ),
  legend: Type.Optional(
    Type.String({ maxLength: 200, description: 'Name of the series; {{tag}} is replaced by the tag value' }),
  ),
});

const LogsQuery = Closed(
  {
    source: Type.Literal('logs'),
    query: Type.String({
      minLength: 1,
      maxLength: 16_384,
      description: 'LogsQL; $variable is replaced by its selected values',
    }),
    field: Type.Optional(Name),
  },
  { description: 'Logs panels show records, other panels counts by the values of field' },
);

export const PanelQuerySchema = Type.Union([MetricQuery, LogsQuery]);
export type PanelQuery = Static<typeof PanelQuerySchema>;

export const PanelSchema = Closed({
  id: Type.String({ pattern: DASHBOARD_ID }),
  title: Name,
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  kind: enumOf(PANEL_KINDS),
  grid: Closed({
    x: Type.Integer({ minimum: 0, maximum: GRID_COLUMNS - 1 }),
    y: Type.Integer({ minimum: 0, maximum: 10_000 }),
    w: Type.Integer({ minimum: 1, maximum: GRID_COLUMNS }),
    h: Type.Integer({ minimum: 2, maximum: 100 }),
  }),
  queries: Type.Array(PanelQuerySchema, { minItems: 1, maxItems: 10 }),
  unit: enumOf(PANEL_UNITS),
  reducer: Type.Optional(enumOf(PANEL_REDUCERS)),
  min: Type.Optional(Type.Number()),
  max: Type.Optional(Type.Number()),
  stacked: Type.Optional(Type.Boolean()),
  /** From its value on, a number has this tone. */
  thresholds: Type.Optional(Type.Array(Closed({ from: Type.Number(), tone: enumOf(TONES) }), { maxItems: 10 })),
  marks: Type.Optional(Type.Array(enumOf(MARK_KINDS), { maxItems: 3 })),
});
export type Panel = Static<typeof PanelSchema>;

export const VariableSchema = Closed({
  name: Type.String({ pattern: VARIABLE_NAME }),
  label: Name,
  tag: Type.String({ minLength: 1, maxLength: 200, description: 'Metric tag whose values can be selected' }),
  multi: Type.Boolean(),
  /** Chosen at first; empty: all. */
  value: Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 100 }),
});
export type Variable = Static<typeof VariableSchema>;

export const DashboardDefinitionSchema = Closed({
  formatVersion: Type.Literal(DASHBOARD_FORMAT),
  title: Name,
  description: Type.String({ maxLength: 2000 }),
  /** What is shown at first: up to now, from so long ago; 0: it does not refresh by itself. */
  time: Closed({
    last: Type.String({ pattern: RELATIVE }),
    refreshSeconds: Type.Integer({ minimum: 0, maximum: 86_400 }),
  }),
  variables: Type.Array(VariableSchema, { maxItems: 10 }),
  panels: Type.Array(PanelSchema, { maxItems: 100 }),
});
export type DashboardDefinition = Static<typeof DashboardDefinitionSchema>;

const stored = {
  id: Type.String(),
  builtIn: Type.Boolean(),
  /** Grows with every change; null for those that are built in. */
  version: Nullable(Type.Integer()),
  updatedAt: Nullable(Time),
  updatedBy: Nullable(Type.String()),
  project: Type.Optional(Type.String({ description: 'ID of its project; those that are built in have none' })),
};

export const DashboardSummarySchema = Type.Object({
  ...stored,
  title: Type.String(),
  description: Type.String(),
  panels: Type.Integer(),
});
export type DashboardSummary = Static<typeof DashboardSummarySchema>;

export const DashboardSchema = Type.Object({ ...stored, definition: DashboardDefinitionSchema });
export type Dashboard = Static<typeof DashboardSchema>;

/** Files that make a Grafana show the same. */
/** Callers write these below a folder of theirs: nothing but what Grafana reads, and how to set it up. */
const GrafanaPath = Type.String({
  pattern: '^(?:README\\.md|(?:dashboards|provisioning)/(?:[\\w-]+/)*\\w[\\w.-]*\\.(?:json|yaml))$',
});

export const GrafanaExportSchema = Type.Object({
  files: Type.Array(Type.Object({ path: GrafanaPath, content: Type.String() })),
});
export type GrafanaExport = Static<typeof GrafanaExportSchema>;

const params = Type.Object({ id: Type.String({ pattern: DASHBOARD_ID }) });
const Address = Type.Optional(Type.String({ minLength: 1, maxLength: 500, pattern: '^https?://[^\\s"\'\\\\]+$' }));

export const dashboardRoutes = tagged('Dashboards', {
  'dashboards.list': get('/api/v1/dashboards', 'viewer', 'List dashboards: built-in ones first, then by title', {
    answers: { 200: Type.Object({ items: Type.Array(DashboardSummarySchema) }) },
  }),
  'dashboards.create': post('/api/v1/dashboards', 'operator', 'Create a dashboard', {
    body: Closed({
      id: Type.String({ pattern: DASHBOARD_ID }),
      definition: DashboardDefinitionSchema,
      project: Type.Optional(Type.String({ maxLength: 63, description: 'ID of a project; left out: default' })),
    }),
    errors: ['DASHBOARD_EXISTS', 'PROJECT_NOT_FOUND'],
    answers: { 201: DashboardSchema },
  }),
  'dashboards.get': get('/api/v1/dashboards/:id', 'viewer', 'Get a dashboard', {
    params,
    errors: ['DASHBOARD_NOT_FOUND'],
    answers: { 200: DashboardSchema },
  }),
  'dashboards.update': put('/api/v1/dashboards/:id', 'operator', 'Update one of your own dashboards', {
    params,
    body: Closed({
      definition: DashboardDefinitionSchema,
      version: Type.Integer({
        minimum: 1,
        description: 'Version you edited; if the stored version differs, the update is rejected',
      }),
      project: Type.Optional(Type.String({ maxLength: 63, description: 'Moves it to another project' })),
    }),
    errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_BUILT_IN', 'DASHBOARD_MOVED', 'PROJECT_NOT_FOUND'],
    answers: { 200: DashboardSchema },
  }),
  'dashboards.delete': remove('/api/v1/dashboards/:id', 'operator', 'Delete one of your own dashboards', {
    params,
    errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_BUILT_IN'],
    answers: { 204: null },
  }),
  'dashboards.exportGrafana': get(
    '/api/v1/grafana',
    'viewer',
    'Dashboards, data sources and alert rules as files for Grafana',
    {
      query: Closed({
        dashboard: Type.Optional(Type.String({ pattern: DASHBOARD_ID, description: 'Export only this dashboard' })),
        metricsUrl: Address,
        logsUrl: Address,
        consoleUrl: Type.Optional(
          Type.String({
            maxLength: 500,
            pattern: '^https?://[^\\s"\'\\\\?#${}]+$',
            description: 'Base URL of the console that panels link to; left out: they have no links',
          }),
        ),
      }),
      errors: ['DASHBOARD_NOT_FOUND'],
      answers: { 200: GrafanaExportSchema },
    },
  ),
});
