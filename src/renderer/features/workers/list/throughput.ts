import type { MetricSeries } from '../../../../contract/metrics.ts';

const MINUTE_MS = 60_000;

/** Tasks of each worker in each of the last `count` minutes up to `now` (milliseconds), by its id; minutes without points are 0. */
export function throughputByWorker(
  { series }: Pick<MetricSeries, 'series'>,
  count: number,
  now: number,
): ReadonlyMap<string, readonly number[]> {
  const first = Math.floor(now / MINUTE_MS) - count + 1;
  return new Map(
    series.flatMap(({ tags, times, values }) => {
      const worker = tags['worker_id'];
      if (worker === undefined) return [];
      const bars = Array.from({ length: count }, () => 0);
      for (const [i, time] of times.entries()) {
        const at = Math.floor(time / MINUTE_MS) - first;
        if (at >= 0 && at < count) bars[at] = (bars[at] ?? 0) + (values[i] ?? 0);
      }
      return [[worker, bars] as const];
    }),
  );
}
