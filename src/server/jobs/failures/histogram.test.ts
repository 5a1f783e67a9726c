import { expect, it } from 'vitest';
import { addToHistogram, type Histogram } from './histogram.ts';

const MINUTE = 60_000;
const sum = ({ counts }: Histogram) => counts.reduce((a, b) => a + b, 0);

it('counts failures by the minute at first', () => {
  const first = addToHistogram(null, [5 * MINUTE + 1, 5 * MINUTE + 2, 7 * MINUTE]);
  expect(first).toEqual({ from: 5 * MINUTE, step: MINUTE, counts: [2, 0, 1] });
  expect(addToHistogram(first, [8 * MINUTE, 1])).toEqual({ from: 5 * MINUTE, step: MINUTE, counts: [3, 0, 1, 1] });
  expect(addToHistogram(first, [])).toBe(first);
});

it('widens its bars with the time that they span, and loses none', () => {
  let histogram = addToHistogram(null, [5 * MINUTE, 6 * MINUTE]);
  histogram = addToHistogram(histogram, [5 * MINUTE + 48 * MINUTE]);
  // From 04:00, as bars of two minutes begin at even ones.
  expect(histogram).toMatchObject({ from: 4 * MINUTE, step: 2 * MINUTE });
  expect(histogram.counts.slice(0, 2)).toEqual([1, 1]);
  for (let day = 1; day <= 400; day++) {
    histogram = addToHistogram(histogram, [day * 24 * 60 * MINUTE]);
    expect(histogram.counts.length).toBeLessThanOrEqual(49);
  }
  expect(sum(histogram)).toBe(403);
  expect(histogram.from).toBeLessThanOrEqual(5 * MINUTE);
});
