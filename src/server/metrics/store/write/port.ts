import type { Deletion } from '../port.ts';
import type { ShapeBatch } from '../../collector/port.ts';
import type { Bucket, MetricDamage, Precision, WriteResult } from '../port.ts';

/** What can be changed while the writer runs. */
export interface WriterLimits {
  /** Series of all buckets. */
  readonly mostSeries: number;
  /** Fields of all measurements. */
  readonly mostFields: number;
  /** Bytes of all files; the oldest points go first. */
  readonly mostBytes: number;
  /** Days that points, and one-minute roll-ups, are kept; 0: without end. */
  readonly rawDays: number;
  readonly rollDays: number;
  /** Pages of `head.db`: it holds rows until they are sealed, and refuses more where that fails for long. */
  readonly headPages: number;
}

export interface WriterOptions extends WriterLimits {
  readonly folder: string;
  /** Bytes of unsealed rows above which they are sealed. */
  readonly sealBytes: number;
  /** Ms after which a partition that got nothing is compacted. */
  readonly quietMs: number;
  now(): number;
  /** Hears of points that cannot be read. */
  report?(damage: MetricDamage): void;
  /** Hears of partitions' files that are gone: `file` is the path that their damage is told by. */
  removed?(file: string): void;
  /** Hears of what somebody has to look after. */
  warn?(what: string): void;
}

export interface WriterStats {
  readonly points: number;
  readonly bytes: number;
  readonly series: number;
  /** Points left out since the start because the store may hold no further series. */
  readonly overCardinality: number;
  /** Why the last write was refused; null: it was not. */
  readonly refusing: string | null;
  readonly damaged: number;
}

/** What its thread says by itself. `failed`: something that it does when it has time. */
export type WriterEvent =
  | { readonly failed: string }
  | { readonly damage: MetricDamage }
  | { readonly removed: string };

/** What its thread answers. */
export type WriterMethods = Omit<MetricWriter, 'record' | 'tend'> & {
  record(batches: readonly ShapeBatch[]): WriterStats;
  /** Does at once what is done else when there is time. */
  settle(): void;
};

export interface MetricWriter {
  write(bucket: string, bytes: Uint8Array, precision: Precision): WriteResult;
  /** Points of the master's own, into the first bucket. */
  record(batches: readonly ShapeBatch[]): void;
  configure(limits: WriterLimits): void;
  delete(bucket: string, deletion: Omit<Deletion, 'bucket'>): void;
  buckets(): readonly Bucket[];
  createBucket(name: string, retentionSeconds: number): Bucket;
  updateBucket(id: string, change: { name?: string; retentionSeconds?: number }): Bucket;
  deleteBucket(id: string): void;
  /** Makes chunks of all unsealed rows. */
  seal(): void;
  /** One step of what is to be done when there is time; false: nothing is left. `force`: also of what was just written. */
  tend(force?: boolean): boolean;
  stats(): WriterStats;
  close(): void;
}
