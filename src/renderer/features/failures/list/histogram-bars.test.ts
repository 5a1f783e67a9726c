import { expect, it } from 'vitest';
import { histogramBars } from './histogram-bars.ts';

const from = '2026-01-01T00:00:00.000Z';
const start = Date.parse(from);

it('show failures from the first to now, and the quiet since', () => {
  const bars = histogramBars({ from, stepSeconds: 60, counts: [3, 0, 1] }, start + 24 * 60_000);
  expect(bars).toHaveLength(24);
  expect(bars.slice(0, 3)).toEqual([3, 0, 1]);
  expect(bars.slice(3).every((count) => count === 0)).toBe(true);
});

it('count all, also where the clock of this browser is behind', () => {
  const bars = histogramBars({ from, stepSeconds: 3600, counts: [1, 2, 3] }, start - 1000);
  expect(bars.reduce((a, b) => a + b, 0)).toBe(6);
  expect(bars.at(-4)).toBe(3);
});
