import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

export interface MetricsParams {
  from?: string | undefined;
  to?: string | undefined;
  /** `<n>s|m|h|d` */
  interval?: string | undefined;
  limit?: number | undefined;
  measurement?: string | undefined;
  field?: string | undefined;
  /** Tag filters, such as `{ job_id }`. */
  tags?: Readonly<Record<string, string>> | undefined;
}

export const metricKeys = {
  all: ['metrics'] as const,
  query: (params: MetricsParams) => ['metrics', 'query', params] as const,
};

export const metricsQuery = (params: MetricsParams) => {
  const { tags, ...named } = params;
  return queryOptions({
    queryKey: metricKeys.query(params),
    queryFn: ({ signal }) => call('metrics.query', { query: { ...named, ...tags }, signal }),
    placeholderData: keepPreviousData,
  });
};

/** The last minutes up to now, whenever it is read: the range is no part of the key, so that the chart moves on in place. */
export const recentMetricsQuery = (minutes: number, params: Omit<MetricsParams, 'from' | 'to'>) => {
  const { tags, ...named } = params;
  return queryOptions({
    queryKey: [...metricKeys.all, 'recent', minutes, params] as const,
    queryFn: ({ signal }) =>
      call('metrics.query', {
        query: { ...named, ...tags, from: new Date(Date.now() - minutes * 60_000).toISOString() },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
};
