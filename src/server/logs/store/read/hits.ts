import type { LogHits } from '../../../../contract/logs.ts';
import { add, coarser, DEFAULT_STEP_MS, filled, merged, SERIES, type Series } from '../../hit-buckets.ts';
import { frameOf } from '../../logsql/frame.ts';
import { pick } from '../../logsql/mask.ts';
import { keysOf, rowFrom } from '../../logsql/stats/keys.ts';
import { countRows } from '../../logsql/stats/tally.ts';
import type { LogFilter } from '../../port.ts';
import type { Block } from '../port.ts';
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
    const frame = frameOf(block, pick(mask, block.rows, null));
    const keys = field === undefined || field === '_time' ? null : keysOf(frame, { field, step: null, offset: null });
    const counts = new Uint32Array(keys?.values.length ?? 1);
    for (const { bucket, from, end } of stepsOf(block, frame.picked, step)) {
      for (const code of countRows(frame, keys === null ? [] : [keys], counts, from, end)) {
        add(bucketsOf(keys?.values[code] ?? ''), bucket, counts[code] ?? 0);
        counts[code] = 0;
      }
    }
  }
  const times = query.stepMs === null ? coarser(series, step, query) : 1;
  return { hits: filled(times === 1 ? series : merged(series, times), field, step * times, query) };
}

/**
 * The rows of a block that count, by the step of time that they are in: they are in the order of time, so of each step
 * only the end is looked for, and no time is decoded where the whole block is in one.
 */
function* stepsOf(
  block: Block,
  picked: Uint32Array | null,
  step: number,
): Generator<{ bucket: number; from: number; end: number }> {
  const count = picked?.length ?? block.rows;
  if (count === 0) return;
  const bucketOf = (ms: number) => Math.floor(ms / step);
  if (bucketOf(block.t0) === bucketOf(block.t1)) return yield { bucket: bucketOf(block.t0), from: 0, end: count };
  const { ms } = block;
  for (let from = 0; from < count;) {
    const bucket = bucketOf(ms[picked?.[from] ?? from] ?? 0);
    const end = rowFrom(ms, picked, (bucket + 1) * step, from + 1);
    yield { bucket, from, end };
    from = end;
  }
}
