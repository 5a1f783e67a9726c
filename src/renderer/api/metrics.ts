import { read, readList } from './read.ts';

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

/** Finished attempts of each worker by the minute, over the last minutes up to now, whenever it is read. */
export const workerThroughputQuery = (minutes: number) =>
  read([...metricKeys.all, 'worker-throughput', minutes], 'metrics.series', {
    query: {
      measurement: 'task_metrics',
      field: 'timer_run_ms',
      aggregate: 'count' as const,
      groupBy: 'worker_id',
      interval: '1m',
      limit: 500,
      from: new Date(Math.floor(Date.now() / 60_000 - minutes + 1) * 60_000).toISOString(),
    },
  });
