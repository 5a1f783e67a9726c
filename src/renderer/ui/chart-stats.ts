import type { ChartSeries } from './chart-props.ts';

export interface SeriesStats {
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  readonly last: number | null;
}

const known = new WeakMap<ChartSeries['values'], SeriesStats>();

export const sum = (values: ChartSeries['values']): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

/** The least, greatest, mean and last value. Reckoned once for a list of values: the legend follows the cursor, and they do not. */
export function seriesStats(values: ChartSeries['values']): SeriesStats {
  const before = known.get(values);
  if (before) return before;
  let [min, max, sum, count] = [Infinity, -Infinity, 0, 0];
  let last: number | null = null;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null || value === undefined) continue;
    if (value < min) min = value;
    if (value > max) max = value;
    sum += value;
    count++;
    last = value;
  }
  const stats = count === 0 ? { min: null, max: null, mean: null, last: null } : { min, max, mean: sum / count, last };
  known.set(values, stats);
  return stats;
}
