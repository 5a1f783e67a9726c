import type { DashboardDefinition } from '../../contract/dashboards.ts';
import type { Query } from '../../contract/routes.ts';
import { call } from './client.ts';
import { read, readList } from './read.ts';

export const dashboardKeys = { all: ['dashboards'] as const, one: (id: string) => ['dashboards', 'one', id] as const };

export const dashboardsQuery = () => read(dashboardKeys.all, 'dashboards.list', {});
export const dashboardQuery = (id: string) => read(dashboardKeys.one(id), 'dashboards.get', { params: { id } });
export const createDashboard = (id: string, definition: DashboardDefinition, place: { project?: string } = {}) =>
  call('dashboards.create', { body: { id, definition, ...place } });
export const updateDashboard = (id: string, definition: DashboardDefinition, version: number) =>
  call('dashboards.update', { params: { id }, body: { definition, version } });
export const deleteDashboard = (id: string) => call('dashboards.delete', { params: { id } });
export const grafanaExport = (dashboard: string) =>
  call('dashboards.exportGrafana', {
    // In the desktop app the console has no address that Grafana could link to.
    query: { dashboard, consoleUrl: /^https?:$/.test(location.protocol) ? location.origin : undefined },
  });

type SeriesQuery = Query<'metrics.series'>;
export interface SeriesParams {
  readonly measurement: string;
  readonly field: string;
  readonly aggregate: Exclude<SeriesQuery['aggregate'], undefined>;
  readonly groupBy: string;
  readonly interval: string | null;
  readonly limit: number;
  readonly filters: Readonly<Record<string, readonly string[]>>;
}
/** Series between two times (ms). */
export const readSeries = ({ filters, ...named }: SeriesParams, from: number, to: number, signal: AbortSignal) =>
  call('metrics.series', {
    query: { ...named, ...filters, from: new Date(from).toISOString(), to: new Date(to).toISOString() },
    signal,
  });

const NAMES_STALE_MS = 30_000;
export const metricNamesQuery = () => read(['metrics', 'names'], 'metrics.names', {}, { staleTime: NAMES_STALE_MS });
export const metricTagsQuery = (measurement: string | undefined) =>
  read(['metrics', 'tags', measurement], 'metrics.tags', { query: { measurement } }, { staleTime: NAMES_STALE_MS });
export const tagValuesQuery = (tag: string) =>
  read(
    ['metrics', 'tag-values', tag],
    'metrics.tagValues',
    { query: { tag, limit: 500 } },
    { staleTime: NAMES_STALE_MS },
  );

export const impactQuery = (workflowId: string, query: { page: number; size: number }) =>
  readList(['workflows', 'impact', workflowId, query], 'publications.impact', { params: { id: workflowId }, query });
