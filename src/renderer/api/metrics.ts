import { readList } from './read.ts';

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
  return readList(metricKeys.query(params), 'metrics.query', { query: { ...named, ...tags } });
};

/** The last minutes up to now, whenever it is read: the range is no part of the key, so that the chart moves on in place. */
export const recentMetricsQuery = (minutes: number, params: Omit<MetricsParams, 'from' | 'to'>) => {
  const { tags, ...named } = params;
  return readList([...metricKeys.all, 'recent', minutes, params], 'metrics.query', {
    query: { ...named, ...tags, from: new Date(Date.now() - minutes * 60_000).toISOString() },
  });
};
