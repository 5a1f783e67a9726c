import type { ChartProps } from './chart-props.ts';

export type Column = readonly (number | null)[] | Float64Array;

/** From so many points a pixel on, more of them cannot be seen. */
const DENSE = 3;

/** The first index whose time is not before `at`. */
export function firstIndexFrom(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * What can be seen of dense columns in `range`, on so many pixels: for each pixel the least and the greatest value of
 * each column, in the order in which they came, so that no peak is lost. Columns that are sparse are given as they are.
 */
export function downsample(
  times: readonly number[],
  columns: readonly Column[],
  width: number,
  range: ChartProps['range'],
): [times: readonly number[], columns: readonly Column[]] {
  // One point beyond each end, so that lines reach the edges.
  const begin = range ? Math.max(0, firstIndexFrom(times, range[0]) - 1) : 0;
  const end = range ? Math.min(times.length, firstIndexFrom(times, range[1]) + 1) : times.length;
  const pixels = Math.max(1, Math.floor(width));
  if (end - begin <= pixels * DENSE) return [times, columns];
  const from = times[begin] ?? 0;
  const across = ((times[end - 1] ?? 0) - from) / pixels || 1;
  const edges: number[] = [];
  for (let pixel = 0, at = begin; pixel <= pixels && at < end; pixel++) {
    edges.push(at);
    at = Math.max(at + 1, Math.min(end, firstIndexFrom(times, from + (pixel + 1) * across)));
  }
  const kept: number[] = [];
  edges.forEach((first, i) => kept.push(times[first] ?? 0, times[Math.max(first, (edges[i + 1] ?? end) - 1)] ?? 0));
  return [kept, columns.map((values) => thinColumn(values, edges, end))];
}

function thinColumn(column: Column, edges: readonly number[], end: number): (number | null)[] {
  const values = numbersIn(column);
  const out: (number | null)[] = Array.from({ length: edges.length * 2 }, () => null);
  for (let i = 0; i < edges.length; i++) {
    const stop = edges[i + 1] ?? end;
    let least = Infinity;
    let most = -Infinity;
    let leastAt = -1;
    let mostAt = -1;
    for (let k = edges[i] ?? 0; k < stop; k++) {
      const value = values[k] ?? 0;
      // NaN is neither.
      if (value < least) {
        least = value;
        leastAt = k;
      }
      if (value > most) {
        most = value;
        mostAt = k;
      }
    }
    if (leastAt < 0) continue;
    out[i * 2] = leastAt <= mostAt ? least : most;
    out[i * 2 + 1] = leastAt <= mostAt ? most : least;
  }
  return out;
}

const known = new WeakMap<Column, Float64Array>();
/** A column as plain numbers, NaN where nothing was measured: a zoom reads it with every frame. */
export function numbersIn(column: Column): Float64Array {
  if (column instanceof Float64Array) return column;
  const found = known.get(column);
  if (found) return found;
  const made = new Float64Array(column.length);
  for (let i = 0; i < column.length; i++) made[i] = column[i] ?? Number.NaN;
  known.set(column, made);
  return made;
}
