/** What the query languages and the time-series store know of each other. Both run in the store's reader thread. */

export type FieldType = 'float' | 'int' | 'uint' | 'bool' | 'string';

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
  /** What the lists above cannot say; decided per series, never per point. */
  readonly where: ((series: SeriesKey) => boolean) | null;
}

export interface WindowData extends SeriesKey {
  /** Unix ms of each window's start, aligned to the epoch; empty windows are left out. */
  readonly starts: Float64Array;
  readonly values: Float64Array;
}

export interface SeriesSource {
  keys(filter: SeriesFilter, from: number, to: number): Iterable<SeriesKey>;
  /** Unix ms, `from` inclusive, `to` exclusive. */
  read(filter: SeriesFilter, from: number, to: number): Iterable<SeriesData>;
  /** From roll-ups where the window is a whole number of minutes and the range allows it. */
  windows(filter: SeriesFilter, from: number, to: number, everyMs: number, aggregate: 'sum' | 'mean' | 'min' | 'max' | 'count' | 'last' | 'first'): Iterable<WindowData>;
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
  readonly series: readonly { readonly tags: Readonly<Record<string, string>>; readonly times: readonly number[]; readonly values: readonly number[] }[];
  /** How many series there were before `limit`. */
  readonly total: number;
}
