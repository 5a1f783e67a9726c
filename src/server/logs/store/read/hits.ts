import type { LogHits } from '../../../../contract/logs.ts';
import { add, coarser, DEFAULT_STEP_MS, filled, merged, SERIES, type Series } from '../../hit-buckets.ts';
import { frameOf, readerOf } from '../../logsql/frame.ts';
import type { LogFilter } from '../../port.ts';
import type { Snapshot } from './source.ts';
import { filterOf, readyFilter } from './filter.ts';
import type { TimeSlice } from './time-slice.ts';

/** `stepMs` null: a minute, or as much longer as the time range asks for. */
export type HitsQuery = LogFilter & { stepMs: number | null; field?: string };

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
