import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Column, firstIndexFrom, downsample } from './chart-downsample.ts';

const least = (values: Column) =>
  [...values].reduce<number | null>((a, b) => (b === null ? a : a === null ? b : Math.min(a, b)), null);
const most = (values: Column) =>
  [...values].reduce<number | null>((a, b) => (b === null ? a : a === null ? b : Math.max(a, b)), null);

describe('dense columns', () => {
  it('are given as they are where all of it can be seen', () => {
    const [times, column] = [
      [1, 2, 3],
      [4, null, 5],
    ];
    expect(downsample(times, [column], 100, undefined)).toEqual([times, [column]]);
  });
  it('come to the range that is shown and the point beyond each end', () => {
    const times = Array.from({ length: 10_000 }, (_, i) => i);
    const [seen, [column]] = downsample(times, [times], 100, [2000, 4000]);
    expect([seen[0], seen.at(-1), column?.[0], column?.at(-1)]).toEqual([1999, 4000, 1999, 4000]);
  });
  it('keep the least and the greatest value, at most two for a pixel, in rising time', () => {
    const values = fc.array(fc.option(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { nil: null, freq: 5 }), {
      minLength: 1,
      maxLength: 2000,
    });
    fc.assert(
      fc.property(
        values,
        fc.integer({ min: 1, max: 120 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 20 }),
        (column, width, gaps) => {
          let at = 0;
          const times = column.map((_, i) => (at += gaps[i % gaps.length] as number));
          const [seen, [thin = []]] = downsample(times, [column], width, undefined);
          expect(thin).toHaveLength(seen.length);
          expect([least(thin), most(thin)]).toEqual([least(column), most(column)]);
          expect(seen.every((time, i) => i === 0 || time >= (seen[i - 1] as number))).toBe(true);
          expect(seen.length).toBeLessThanOrEqual(Math.max(2 * (width + 1), 3 * width));
        },
      ),
    );
  });
  it('finds the first time that is not before another', () =>
    expect([0, 10, 11, 20, 21].map((at) => firstIndexFrom([10, 20], at))).toEqual([0, 0, 1, 1, 2]));
});
