import type { Metrics } from '../../contract/api.ts';
import type { MetricPoint } from '../../contract/worker-protocol.ts';

export interface MetricsRoom {
  /** Costs no more than a push; written in batches on another thread. */
  record(point: MetricPoint): void;
  /** Defaults as in service.md: the last minute, now, 1000 points. `filters` are tag values. */
  query(query: { from?: string; to?: string; interval?: string; limit: number; measurement?: string; field?: string; filters: Record<string, string> }): Promise<Metrics>;
  stats(): { points: number; bytes: number; pending: number };
  close(): Promise<void>;
}
