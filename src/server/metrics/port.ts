import type { Metrics, MetricNames, MetricTags, MetricTagValues } from '../../contract/metrics.ts';
import type { Verify } from '../observability/port.ts';
import type { MetricPoint } from '../../contract/worker-protocol.ts';
import type { StoreInfo } from '../../contract/settings.ts';
import type { Shape } from './collector/port.ts';
import type { DeliveryStats } from './remote/delivery.ts';
import type { SeriesAnswer, SeriesQuery } from './store/port.ts';

export type { Shape } from './collector/port.ts';
export type { RemoteWriteStats } from './remote-write/port.ts';
export type { DeliveryStats } from './remote/delivery.ts';
export type { MetricStore, SeriesAnswer, SeriesQuery } from './store/port.ts';

/** Workflows whose series the reader may see (those with their `workflow_id`, and no others); null or left out: all. */
export type Within = readonly string[] | null;

export interface MetricsRoom {
  /** Costs no more than some pushes; written in batches on another thread. */
  record(point: MetricPoint): void;
  /** The same for points whose shape is known beforehand: a text for each tag ('' = without it), a number for each field (NaN = without it). Quicker still. */
  put(shape: Shape, time: number, tags: readonly string[], values: readonly number[]): void;
  /** Defaults as in service.md: the last minute, now, 1000 points. `filters` are tag values. */
  query(query: {
    from?: string;
    to?: string;
    interval?: string;
    limit: number;
    measurement?: string;
    field?: string;
    filters: Record<string, string>;
    within?: Within;
  }): Promise<Metrics>;
  /** Series of one field for charts and alerts. */
  series(query: SeriesQuery): Promise<SeriesAnswer>;
  names(within?: Within): Promise<MetricNames>;
  /** Times in Unix ms. */
  tags(query: { measurement: string | null; from: number; to: number; within?: Within }): Promise<MetricTags>;
  tagValues(query: {
    measurement: string | null;
    tag: string;
    from: number;
    to: number;
    limit: number;
    within?: Within;
  }): Promise<MetricTagValues>;
  readonly verify: Verify;
  stats(): MetricsStats;
  /** Where points are kept, and whether they can be written and read there. */
  info(): StoreInfo;
  /** How the delivery to a store elsewhere goes; null: the store is embedded. */
  remote(): DeliveryStats | null;
  close(): Promise<void>;
}

export interface MetricsStats {
  readonly points: number;
  readonly bytes: number;
  /** Recorded and not yet written. */
  readonly pending: number;
  readonly series: number;
  /** Points of the master that were not stored: the queue was full, the writer failed, or their series was one too many. */
  readonly dropped: number;
  /** Of all writes, since the start: points left out because their series was one too many. */
  readonly overCardinality: number;
  /** Why the store refuses writes; null: it does not. */
  readonly refusing: string | null;
  /** Queries under way. */
  readonly queries: number;
}
