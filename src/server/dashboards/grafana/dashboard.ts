import type { Dashboard, Panel, PanelQuery, Variable } from '../../../contract/dashboards.ts';
import type { PanelKind, PanelReducer, PanelUnit, Tone } from '../../../contract/vocabulary.ts';
import { fluxQuery, OF_DASHBOARD, OWN_BUCKETS, type MetricBuckets } from './flux.ts';
import { dashboardLinks, panelLinks } from './links.ts';

export const METRICS_UID = 'yardmaster-metrics';
export const LOGS_UID = 'yardmaster-logs';
const METRICS = { type: 'influxdb', uid: METRICS_UID };
const LOGS = { type: 'victoriametrics-logs-datasource', uid: LOGS_UID };
/** Panels with these field names are those of Grafana 10.1 and later. */
const SCHEMA_VERSION = 39;

const TYPES: Readonly<Record<PanelKind, string>> = {
  timeseries: 'timeseries',
  stat: 'stat',
  gauge: 'gauge',
  bar: 'bargauge',
  table: 'table',
  heatmap: 'heatmap',
  logs: 'logs',
};
const UNITS: Readonly<Record<PanelUnit, string>> = {
  none: 'none',
  count: 'short',
  perSecond: 'ops',
  ms: 'ms',
  seconds: 's',
  bytes: 'bytes',
  bytesPerSecond: 'Bps',
  share: 'percentunit',
};
const COLOURS: Readonly<Record<Tone, string>> = { ok: 'green', warning: 'orange', danger: 'red' };
const CALCS: Readonly<Record<PanelReducer, string>> = {
  last: 'lastNotNull',
  mean: 'mean',
  min: 'min',
  max: 'max',
  sum: 'sum',
};

/** What dashboards depend on besides themselves. */
export interface DashboardPlace {
  readonly buckets: MetricBuckets;
  /** Base URL of the console that panels link to; null: they do not. */
  readonly consoleUrl: string | null;
}
const HERE: DashboardPlace = { buckets: OWN_BUCKETS, consoleUrl: null };

/** A dashboard as Grafana reads it from a file. */
export function grafanaDashboard({ id, definition }: Dashboard, place = HERE): object {
  const { title, description, time, variables, panels } = definition;
  return {
    id: null,
    uid: `yardmaster-${id}`.slice(0, 40),
    title,
    description,
    tags: ['yardmaster'],
    schemaVersion: SCHEMA_VERSION,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: time.refreshSeconds === 0 ? '' : `${time.refreshSeconds}s`,
    time: { from: `now-${time.last}`, to: 'now' },
    timezone: 'browser',
    links: dashboardLinks(id, place.consoleUrl),
    annotations: { list: [] },
    templating: { list: variables.map((variable) => variableOf(variable, place.buckets)) },
    panels: panels.map((panel, i) => panelOf(panel, i + 1, variables, place)),
  };
}

const variableOf = ({ name, label, tag, multi, value }: Variable, { all, jobs }: MetricBuckets): object => ({
  name,
  label,
  type: 'query',
  datasource: METRICS,
  query: `import "influxdata/influxdb/schema"\nschema.tagValues(bucket: ${JSON.stringify(tag === 'job_id' ? (jobs ?? all) : all)}, tag: ${JSON.stringify(tag)}, start: v.timeRangeStart)`,
  refresh: 2,
  sort: 1,
  multi,
  includeAll: true,
  // An empty tag is absent: all means also those without.
  allValue: '.*',
  current: value.length > 0 ? { text: value, value } : { text: ['All'], value: ['$__all'] },
});

function panelOf(
  { title, description, kind, grid, queries, unit, reducer, min, max, stacked, thresholds }: Panel,
  id: number,
  variables: readonly Variable[],
  { buckets, consoleUrl }: DashboardPlace,
): object {
  const steps = [
    { color: thresholds && thresholds.length > 0 ? 'green' : 'blue', value: null },
    ...(thresholds ?? []).map(({ from, tone }) => ({ color: COLOURS[tone], value: from })),
  ];
  const legends = queries.flatMap((query) =>
    query.source === 'metrics' && query.legend !== undefined ? [query.legend] : [],
  );
  const [legend] = legends;
  return {
    id,
    type: TYPES[kind],
    title,
    ...(description === undefined ? {} : { description }),
    gridPos: { h: grid.h, w: grid.w, x: grid.x, y: grid.y },
    datasource: queries[0]?.source === 'logs' ? LOGS : METRICS,
    targets: queries.map((query, i) => targetOf(query, String.fromCharCode(65 + i), kind, variables, buckets)),
    fieldConfig: {
      defaults: {
        unit: UNITS[unit],
        links: panelLinks({ queries }, consoleUrl),
        thresholds: { mode: 'absolute', steps },
        ...(min === undefined ? {} : { min }),
        ...(max === undefined ? {} : { max }),
        ...(legend !== undefined && new Set(legends).size === 1 ? { displayName: legendOf(legend) } : {}),
        custom:
          kind === 'timeseries'
            ? {
                drawStyle: 'line',
                lineWidth: 1,
                fillOpacity: stacked ? 40 : 8,
                showPoints: 'auto',
                stacking: { mode: stacked ? 'normal' : 'none', group: 'A' },
              }
            : {},
      },
      overrides: queries.flatMap((query, i) =>
        new Set(legends).size > 1 && query.source === 'metrics' && query.legend !== undefined
          ? [
              {
                matcher: { id: 'byFrameRefID', options: String.fromCharCode(65 + i) },
                properties: [{ id: 'displayName', value: legendOf(query.legend) }],
              },
            ]
          : [],
      ),
    },
    options: optionsOf(kind, reducer ?? 'last'),
  };
}

const legendOf = (legend: string): string =>
  legend.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (_, tag: string) => `\${__field.labels.${tag}}`);

function optionsOf(kind: PanelKind, reducer: PanelReducer): object {
  const reduceOptions = { calcs: [CALCS[reducer]], fields: '', values: false };
  if (kind === 'timeseries')
    return {
      legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'min', 'max', 'mean'] },
      tooltip: { mode: 'multi', sort: 'desc' },
    };
  if (kind === 'stat') return { reduceOptions, colorMode: 'value', graphMode: 'area' };
  if (kind === 'gauge') return { reduceOptions, showThresholdMarkers: true };
  if (kind === 'bar') return { reduceOptions, orientation: 'horizontal', displayMode: 'basic' };
  if (kind === 'heatmap') return { calculate: true, color: { mode: 'scheme', scheme: 'Blues' } };
  if (kind === 'logs') return { showTime: true, wrapLogMessage: true, sortOrder: 'Descending', enableLogDetails: true };
  return { showHeader: true };
}

/** Kinds that show one number for a series. */
const WHOLE: readonly PanelKind[] = ['table', 'bar'];

function targetOf(
  query: PanelQuery,
  refId: string,
  kind: PanelKind,
  variables: readonly Variable[],
  buckets: MetricBuckets,
): object {
  if (query.source === 'metrics')
    return {
      refId,
      datasource: METRICS,
      query: fluxQuery(
        query,
        variables,
        WHOLE.includes(kind) ? { ...OF_DASHBOARD, every: null } : OF_DASHBOARD,
        buckets,
      ),
    };
  const expr = query.query;
  if (kind === 'logs') return { refId, datasource: LOGS, expr, queryType: 'instant' };
  return {
    refId,
    datasource: LOGS,
    expr: `${expr} | stats by (${query.field === undefined ? '' : query.field}) count() as lines`.replace(' by ()', ''),
    queryType: 'statsRange',
    ...(query.field === undefined ? {} : { legendFormat: `{{${query.field}}}` }),
  };
}
