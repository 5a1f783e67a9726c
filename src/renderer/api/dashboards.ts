import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DashboardDefinition } from '../../contract/dashboards.ts';
import type { Query } from '../../contract/routes.ts';
import { call } from './client.ts';

export const dashboardKeys = { all: ['dashboards'] as const, one: (id: string) => ['dashboards', 'one', id] as const };

export const dashboardsQuery = () =>
  queryOptions({ queryKey: dashboardKeys.all, queryFn: ({ signal }) => call('dashboards.list', { signal }) });
export const dashboardQuery = (id: string) =>
  queryOptions({
    queryKey: dashboardKeys.one(id),
    queryFn: ({ signal }) => call('dashboards.get', { params: { id }, signal }),
  });
export const createDashboard = (id: string, definition: DashboardDefinition) =>
  call('dashboards.create', { body: { id, definition } });
export const updateDashboard = (id: string, definition: DashboardDefinition, version: number) =>
  call('dashboards.update', { params: { id }, body: { definition, version } });
export const deleteDashboard = (id: string) => call('dashboards.delete', { params: { id } });
export const grafanaExport = (dashboard: string) => call('dashboards.exportGrafana', { query: { dashboard } });

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
export const metricNamesQuery = () =>
  queryOptions({
    queryKey: ['metrics', 'names'] as const,
    queryFn: ({ signal }) => call('metrics.names', { signal }),
    staleTime: NAMES_STALE_MS,
  });
export const metricTagsQuery = (measurement: string | undefined) =>
  queryOptions({
    queryKey: ['metrics', 'tags', measurement] as const,
    queryFn: ({ signal }) => call('metrics.tags', { query: { measurement }, signal }),
    staleTime: NAMES_STALE_MS,
  });
export const tagValuesQuery = (tag: string) =>
  queryOptions({
    queryKey: ['metrics', 'tag-values', tag] as const,
    queryFn: ({ signal }) => call('metrics.tagValues', { query: { tag, limit: 500 }, signal }),
    staleTime: NAMES_STALE_MS,
  });

export const impactQuery = (workflowId: string, query: { page: number; size: number }) =>
  queryOptions({
    queryKey: ['workflows', 'impact', workflowId, query] as const,
    queryFn: ({ signal }) => call('publications.impact', { params: { id: workflowId }, query, signal }),
    placeholderData: keepPreviousData,
  });
