import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Dashboard, DashboardDefinition, DashboardSummary, GrafanaExport } from '../../contract/dashboards.ts';
import type { MetricNames, MetricSeries, MetricTags, MetricTagValues } from '../../contract/metrics.ts';
import type { Page } from '../../contract/shapes.ts';
import type { Impact } from '../../contract/workflows.ts';
import { type Query, request } from './client.ts';

export const dashboardKeys = { all: ['dashboards'] as const, one: (id: string) => ['dashboards', 'one', id] as const };
const at = (id: string) => `/api/v1/dashboards/${encodeURIComponent(id)}`;

export const dashboardsQuery = () =>
  queryOptions({
    queryKey: dashboardKeys.all,
    queryFn: ({ signal }) => request<{ items: DashboardSummary[] }>('/api/v1/dashboards', { signal }),
  });
export const dashboardQuery = (id: string) =>
  queryOptions({ queryKey: dashboardKeys.one(id), queryFn: ({ signal }) => request<Dashboard>(at(id), { signal }) });
export const createDashboard = (id: string, definition: DashboardDefinition) =>
  request<Dashboard>('/api/v1/dashboards', { method: 'POST', body: { id, definition } });
export const updateDashboard = (id: string, definition: DashboardDefinition, version: number) =>
  request<Dashboard>(at(id), { method: 'PUT', body: { definition, version } });
export const deleteDashboard = (id: string) => request<void>(at(id), { method: 'DELETE' });
export const grafanaExport = (dashboard: string) => request<GrafanaExport>('/api/v1/grafana', { query: { dashboard } });

export interface SeriesParams {
  readonly measurement: string;
  readonly field: string;
  readonly aggregate: string;
  readonly groupBy: string;
  readonly interval: string | null;
  readonly limit: number;
  readonly filters: Readonly<Record<string, readonly string[]>>;
}
/** Series between two times (ms). */
export const readSeries = ({ filters, ...named }: SeriesParams, from: number, to: number, signal: AbortSignal) =>
  request<MetricSeries>('/api/v1/metrics/series', {
    query: {
      ...(named as unknown as Query),
      ...filters,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
    } as Query,
    signal,
  });

const NAMES_STALE_MS = 30_000;
export const metricNamesQuery = () =>
  queryOptions({
    queryKey: ['metrics', 'names'] as const,
    queryFn: ({ signal }) => request<MetricNames>('/api/v1/metrics/names', { signal }),
    staleTime: NAMES_STALE_MS,
  });
export const metricTagsQuery = (measurement: string | undefined) =>
  queryOptions({
    queryKey: ['metrics', 'tags', measurement] as const,
    queryFn: ({ signal }) => request<MetricTags>('/api/v1/metrics/tags', { query: { measurement }, signal }),
    staleTime: NAMES_STALE_MS,
  });
export const tagValuesQuery = (tag: string) =>
  queryOptions({
    queryKey: ['metrics', 'tag-values', tag] as const,
    queryFn: ({ signal }) =>
      request<MetricTagValues>('/api/v1/metrics/tag-values', { query: { tag, limit: 500 }, signal }),
    staleTime: NAMES_STALE_MS,
  });

export const impactQuery = (workflowId: string, params: { page: number; size: number }) =>
  queryOptions({
    queryKey: ['workflows', 'impact', workflowId, params] as const,
    queryFn: ({ signal }) =>
      request<Page<Impact>>(`/api/v1/workflows/${encodeURIComponent(workflowId)}/publications/impact`, {
        query: params,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
