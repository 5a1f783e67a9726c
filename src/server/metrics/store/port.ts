import type { DataWarning } from '../../../contract/data-health.ts';

/** What the query languages and the time-series store know of each other. Both run in the store's reader thread. */

export type FieldType = 'float' | 'int' | 'uint' | 'bool' | 'string';

/** Points that cannot be read. Times in Unix ms, `to` exclusive; null: not known. */
export interface MetricDamage {
  /** Path in the store's folder. */
  readonly file: string;
  /** Which part of the file. */
  readonly place: string;
  readonly what: string;
  readonly from: number | null;
  readonly to: number | null;
  /** Points that are missing; 0: none is, only a copy of them is damaged. */
  readonly lost: number | null;
  /** Reading the file does not find it again. */
  readonly keep?: boolean;
}

export interface SeriesKey {
  readonly measurement: string;
  readonly field: string;
  readonly type: FieldType;
  readonly tags: Readonly<Record<string, string>>;
}

/** One series over a range of time, oldest first, each instant once (the last write won). */
export interface SeriesData extends SeriesKey {
  /** Unix milliseconds. */
  readonly ms: Float64Array;
  /** Nanoseconds below the millisecond (0 to 999,999); null: all are 0. */
  readonly ns: Uint32Array | null;
  /** `int` and `uint` that all lie within ±2^53 come as Float64Array too; `bool` as 0 and 1. */
  readonly values: Float64Array | BigInt64Array | BigUint64Array | readonly string[];
}

export interface SeriesFilter {
  readonly bucket: string;
  readonly measurement: readonly string[] | null;
  readonly field: readonly string[] | null;
  /** Tag → allowed values ('' = without the tag). */
  readonly tags: Readonly<Record<string, readonly string[]>>;
  /** What the lists above cannot say. All must hold. */
  readonly where: readonly SeriesCondition[];
}

/** Decided per series, never per point. */
export interface SeriesCondition {
  /** The tags it looks at, and `_measurement` and `_field`. It may be asked before anything else of a series is known. */
  readonly columns: ReadonlySet<string>;
  test(series: SeriesKey): boolean;
}

export interface WindowData extends SeriesKey {
  /** Unix ms of each window's start, aligned to the epoch; empty windows are left out. */
  readonly starts: Float64Array;
  readonly values: Float64Array;
}

/** Which of the values of `GroupData` are asked for; the others may be anything. */
export type GroupNeeds = readonly ('sum' | 'count')[];

export interface GroupData {
  readonly group: string;
  /** Unix ms of each window's start, in order; empty windows are left out. */
  readonly starts: Float64Array;
  readonly sums: Float64Array;
  readonly counts: Float64Array;
}

/** Of the windows of the series of a group. */
export interface WindowGroup extends GroupData {
  /** For each window a number that is the lower, the earlier the first series that has it would come from `windows`. */
  readonly firsts: Int32Array;
}

export interface SeriesSource {
  /** Types of the fields of the series that the filter may let through, whatever the range; from names alone. */
  types(filter: SeriesFilter): Iterable<FieldType>;
  keys(filter: SeriesFilter, from: number, to: number): Iterable<SeriesKey>;
  /** Unix ms, `from` inclusive, `to` exclusive. */
  read(filter: SeriesFilter, from: number, to: number): Iterable<SeriesData>;
  /** From roll-ups where the window is a whole number of minutes and the range allows it. */
  windows(
    filter: SeriesFilter,
    from: number,
    to: number,
    everyMs: number,
    aggregate: 'sum' | 'mean' | 'min' | 'max' | 'count' | 'last' | 'first',
  ): Iterable<WindowData>;
  /** Sum and count of the windows of each group of series; `groupOf` names the group of one. */
  groups(
    filter: SeriesFilter,
    from: number,
    to: number,
    everyMs: number,
    needs: GroupNeeds,
    groupOf: (series: SeriesKey) => string,
  ): Iterable<GroupData>;
  /** Sum and count of what `windows` gives for the series of each group. Null: windows of this length are not put together here. */
  groupsOfWindows(
    filter: SeriesFilter,
    from: number,
    to: number,
    everyMs: number,
    aggregate: 'sum' | 'mean' | 'min' | 'max' | 'count' | 'last' | 'first',
    groupOf: (series: SeriesKey) => string,
  ): Iterable<WindowGroup> | null;
  last(filter: SeriesFilter, from: number, to: number): Iterable<SeriesData>;
}

/** Asked of the room (`MetricsRoom.series`) by charts and alerts. */
export interface SeriesQuery {
  readonly measurement: string;
  readonly field: string;
  /** `rate`: sum per second. Percentiles are exact, from raw points. */
  readonly aggregate: 'sum' | 'mean' | 'min' | 'max' | 'last' | 'count' | 'rate' | 'p50' | 'p95' | 'p99';
  /** Series that agree in these tags are one. Empty: all are one. */
  readonly groupBy: readonly string[];
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** Unix ms, `from` inclusive, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  /** Null: one value for the whole range. */
  readonly intervalMs: number | null;
  /** Most series to answer with; the greatest by their sum win. */
  readonly limit: number;
}

export interface SeriesAnswer {
  readonly from: number;
  readonly to: number;
  readonly intervalMs: number | null;
  /** `times` are window starts, unix ms; a window without points is left out. */
  readonly series: readonly {
    readonly tags: Readonly<Record<string, string>>;
    readonly times: readonly number[];
    readonly values: readonly number[];
  }[];
  /** How many series there were before `limit`. */
  readonly total: number;
  /** What it lacks because it is damaged. */
  readonly warnings?: DataWarning[];
}

// Writing and asking, from the master's side

export interface Bucket {
  /** 16 hex digits. */
  readonly id: string;
  readonly name: string;
  /** Seconds after which points go; 0: kept without end. */
  readonly retentionSeconds: number;
  /** Unix ms. */
  readonly createdAt: number;
}

export type Precision = 'ns' | 'us' | 'ms' | 's';

export interface WriteResult {
  /** Points stored. With `faults` none is. */
  readonly points: number;
  /** Lines that are no points, at most 100 of them: `line` counts from 1. */
  readonly faults: readonly { readonly line: number; readonly text: string; readonly reason: string }[];
  /** How many such lines there were. */
  readonly faulty: number;
  /** Points left out while the others were stored: the first reason, as the InfluxDB server words it; null: none was. */
  readonly partial: string | null;
  readonly dropped: number;
}

/** What a query that runs in the reader's thread may use. */
export interface QueryEnv {
  readonly source: SeriesSource;
  readonly buckets: readonly Bucket[];
  /** Throws the `Fault` that ends the query where it was cancelled, took too long or read too much. To be called in every loop that may be long. */
  check(): void;
  /** Counts values that the query keeps in memory; throws METRICS_TOO_BROAD above the limit of a query. */
  charge(values: number): void;
}

/** A query in the reader's thread: `kind` names an entry of `read/queries.ts`, `args` is structured-cloned to it. */
export interface QueryJob {
  readonly kind: 'flux' | 'metrics' | 'series' | 'names' | 'tags' | 'tagValues' | 'verify';
  readonly args: unknown;
}

/** How many damages a query came across so far: set before each page, and at its end. */
export interface MetDamage {
  count: number;
}

/** The master's side of the store's threads. */
export interface MetricStore {
  /**
   * Line protocol (`bytes` is transferred: do not use it afterwards). Resolves when the points would survive a kill of
   * the process. BUCKET_NOT_FOUND; METRICS_FULL where the disk refuses.
   */
  write(bucket: string, bytes: Uint8Array<ArrayBuffer>, precision: Precision): Promise<WriteResult>;
  /** Pages of bytes, pulled: a slow reader slows the query. Aborting ends it in the thread. Rejects with the `Fault` that the job threw. */
  run(job: QueryJob, signal: AbortSignal, met?: MetDamage): AsyncIterable<Uint8Array>;
  /** Deletes points from `start` to `stop` (Unix ms, both inclusive) whose series has all of these tags; `_measurement` and `_field` may be among them. */
  delete(bucket: string, start: number, stop: number, tags: Readonly<Record<string, string>>): Promise<void>;
  buckets(): Promise<readonly Bucket[]>;
  /** BUCKET_EXISTS where the name is taken. */
  createBucket(name: string, retentionSeconds: number): Promise<Bucket>;
  updateBucket(id: string, change: { name?: string; retentionSeconds?: number }): Promise<Bucket>;
  /** With all its points. */
  deleteBucket(id: string): Promise<void>;
}

/** What a delete takes away: points of these series from `start` to `stop` (Unix ms, inclusive). */
export interface Deletion {
  readonly bucket: number;
  readonly start: number;
  readonly stop: number;
  /** `_measurement` and `_field` may be among them. */
  readonly tags: Readonly<Record<string, string>>;
}
