import type { LogHits } from '../../contract/logs.ts';
import { invalidAt } from '../../lib/fault.ts';
import { isoOf } from './store/read/records.ts';

/** ISO times, where the caller named them. */
export interface HitsRange {
  readonly from?: string;
  readonly to?: string;
}

export const DEFAULT_STEP_MS = 60_000;
/** Buckets at most where the caller left the step open. */
export const DEFAULT_BUCKETS = 1000;
export const BUCKETS = 20_000;
/** Values of the field with a series of their own; the others are counted together, as having none. */
export const SERIES = 500;

/** Counts by value of a field, and by number of the step since the epoch. */
export type Series = Map<string, Map<number, number>>;

export const add = (buckets: Map<number, number>, bucket: number, n: number): void =>
  void buckets.set(bucket, (buckets.get(bucket) ?? 0) + n);

/** The first and the last bucket, the asked range included. `last` is left out where the range ends on it. */
function ends(series: Series, step: number, { from, to }: HitsRange): { first: number; last: number } {
  let first = from === undefined ? Infinity : Math.floor(Date.parse(from) / step);
  let last = to === undefined ? -Infinity : Math.ceil(Date.parse(to) / step) - 1;
  for (const buckets of series.values()) {
    for (const bucket of buckets.keys()) {
      first = Math.min(first, bucket);
      last = Math.max(last, bucket);
    }
  }
  return { first, last };
}

/** How many times longer the step has to be where the caller left it open; windows that start in between add one. */
export function coarser(series: Series, step: number, query: HitsRange): number {
  const { first, last } = ends(series, step, query);
  return Math.max(1, Math.ceil((last - first + 1) / (DEFAULT_BUCKETS - 1)));
}

export function merged(series: Series, times: number): Series {
  return new Map(
    [...series].map(([value, buckets]) => {
      const wide = new Map<number, number>();
      for (const [bucket, n] of buckets) add(wide, Math.floor(bucket / times), n);
      return [value, wide];
    }),
  );
}

/** Series by their value; every series has the same buckets, those without records included. */
export function filled(series: Series, field: string | undefined, step: number, query: HitsRange): LogHits['hits'] {
  if (series.size === 0) return [];
  const { first, last } = ends(series, step, query);
  refuseTooMany(last - first + 1);
  const all = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const timestamps = all.map((bucket) => isoOf(bucket * step, 0));
  return [...series]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, counts]) => {
      const values = all.map((bucket) => counts.get(bucket) ?? 0);
      return {
        fields: field === undefined ? {} : { [field]: value },
        timestamps,
        values,
        total: values.reduce((a, b) => a + b, 0),
      };
    });
}

/** Throws VALIDATION_FAILED where the step gives more buckets than an answer may have. */
export function refuseTooMany(buckets: number): void {
  if (buckets > BUCKETS)
    throw invalidAt(
      '/step',
      `the step is too short for this time range: it gives ${buckets} buckets; the maximum is ${BUCKETS}`,
      'is too short for the time range',
    );
}
