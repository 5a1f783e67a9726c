import type { LogHits } from '../../../../contract/logs.ts';
import { invalidAt } from '../../../../lib/fault.ts';
import { frameOf, readerOf } from '../../logsql/frame.ts';
import type { LogFilter } from '../../port.ts';
import { isoOf } from './records.ts';
import type { Snapshot } from './source.ts';
import { filterOf, readyFilter } from './filter.ts';
import type { TimeSlice } from './time-slice.ts';

/** `stepMs` null: a minute, or as much longer as the time range asks for. */
export type HitsQuery = LogFilter & { stepMs: number | null; field?: string };

const DEFAULT_STEP_MS = 60_000;
/** Buckets at most where the caller left the step open. */
const DEFAULT_BUCKETS = 1000;
const BUCKETS = 20_000;
/** Values of the field with a series of their own; the others are counted together, as having none. */
const SERIES = 500;

type Series = Map<string, Map<number, number>>;

/** How many records there are in each step of time. */
export async function hits(query: HitsQuery, now: number, snapshot: Snapshot, watch: TimeSlice): Promise<LogHits> {
  const { matcher, hints } = readyFilter(filterOf(query), now);
  const step = Math.max(1, Math.round(query.stepMs ?? DEFAULT_STEP_MS));
  const { field } = query;
  const series: Series = new Map();
  const bucketsOf = (value: string): Map<number, number> => {
    const key = series.size >= SERIES && !series.has(value) ? '' : value;
    let buckets = series.get(key);
    if (!buckets) series.set(key, (buckets = new Map()));
    return buckets;
  };
  for (const block of snapshot.blocks(hints, 'asc')) {
    await watch.step();
    const mask = matcher(frameOf(block, null), null);
    if (mask === false) continue;
    const column = field === undefined ? null : block.column(field);
    const { ms } = block;
    if (column?.kind === 'dictionary') {
      // Counted by code: one look-up for each value and bucket, not for each row.
      const { values, codes } = column;
      const counts = new Uint32Array(values.length);
      let bucket = Number.NaN;
      const end = () => {
        for (let code = 0; code < counts.length; code++)
          if (counts[code] !== 0) add(bucketsOf(values[code] ?? ''), bucket, counts[code] ?? 0);
        counts.fill(0);
      };
      for (let row = 0; row < block.rows; row++) {
        if (mask !== true && mask[row] !== 1) continue;
        const at = Math.floor((ms[row] ?? 0) / step);
        if (at !== bucket) {
          if (!Number.isNaN(bucket)) end();
          bucket = at;
        }
        counts[codes[row] ?? 0] = (counts[codes[row] ?? 0] ?? 0) + 1;
      }
      if (!Number.isNaN(bucket)) end();
      continue;
    }
    const read = readerOf(column);
    for (let row = 0; row < block.rows; row++)
      if (mask === true || mask[row] === 1) add(bucketsOf(read(row)), Math.floor((ms[row] ?? 0) / step), 1);
  }
  const times = query.stepMs === null ? coarser(series, step, query) : 1;
  return { hits: filled(times === 1 ? series : merged(series, times), field, step * times, query) };
}

const add = (buckets: Map<number, number>, bucket: number, n: number): void =>
  void buckets.set(bucket, (buckets.get(bucket) ?? 0) + n);

/** The first and the last bucket, the asked range included. `last` is left out where the range ends on it. */
function ends(series: Series, step: number, { from, to }: HitsQuery): { first: number; last: number } {
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
function coarser(series: Series, step: number, query: HitsQuery): number {
  const { first, last } = ends(series, step, query);
  return Math.max(1, Math.ceil((last - first + 1) / (DEFAULT_BUCKETS - 1)));
}

function merged(series: Series, times: number): Series {
  return new Map(
    [...series].map(([value, buckets]) => {
      const wide = new Map<number, number>();
      for (const [bucket, n] of buckets) add(wide, Math.floor(bucket / times), n);
      return [value, wide];
    }),
  );
}

/** Series by their value; every series has the same buckets, those without records included. */
function filled(series: Series, field: string | undefined, step: number, query: HitsQuery): LogHits['hits'] {
  if (series.size === 0) return [];
  const { first, last } = ends(series, step, query);
  if (last - first + 1 > BUCKETS)
    throw invalidAt(
      '/step',
      `the step is too short for this time range: it gives ${last - first + 1} buckets; the maximum is ${BUCKETS}`,
      'is too short for the time range',
    );
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
