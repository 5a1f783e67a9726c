import { embeddedStore } from '../../lib/embedded-store.ts';
import type { MetricsRoom } from '../metrics/port.ts';

const TIME = '2026-01-01T00:00:00.000Z';

/** Metrics in memory: there are none. */
export function fakeMetrics(): MetricsRoom {
  return {
    record: () => undefined,
    put: () => undefined,
    verify: async () => ({ bytes: 0, damages: [] }),
    series: async ({ from, to, intervalMs }) => ({ from, to, intervalMs, series: [], total: 0 }),
    names: async () => ({ items: [] }),
    tags: async () => ({ items: [] }),
    tagValues: async () => ({ items: [], truncated: false }),
    query: async (query) => ({
      from: query.from ?? TIME,
      to: query.to ?? TIME,
      interval: query.interval ?? null,
      filters: query.filters,
      dataPoints: [],
      totalDataPoints: 0,
      metricNames: [],
    }),
    info: () => embeddedStore(null),
    remote: () => null,
    stats: () => ({
      points: 0,
      bytes: 0,
      pending: 0,
      series: 0,
      dropped: 0,
      overCardinality: 0,
      refusing: null,
      queries: 0,
    }),
    close: async () => undefined,
  };
}
