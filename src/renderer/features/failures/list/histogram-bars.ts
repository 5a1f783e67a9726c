import type { FailureGroup } from '../../../../contract/failures.ts';

const BARS = 24;

/** Failures in equal stretches of time from the first to now, so that a row also shows for how long it has been quiet. */
export function histogramBars(
  { from, stepSeconds, counts }: NonNullable<FailureGroup['histogram']>,
  now: number,
): number[] {
  const start = Date.parse(from);
  const step = stepSeconds * 1000;
  const end = Math.max(now, start + counts.length * step);
  const bars = Array.from({ length: BARS }, () => 0);
  for (const [i, count] of counts.entries()) {
    const middle = start + (i + 0.5) * step;
    const bar = Math.min(BARS - 1, Math.floor(((middle - start) / (end - start)) * BARS));
    bars[bar] = (bars[bar] ?? 0) + count;
  }
  return bars;
}
