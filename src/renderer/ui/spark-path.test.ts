import { describe, expect, it } from 'vitest';
import { barHeight, barsPath } from './spark-path.ts';

describe('bars in a line of text', () => {
  it('are as high as their share of the most, and never too low to be seen', () => {
    expect([0, 1, 50, 1000].map((count) => barHeight(count, 1000))).toEqual([0, 2, 2, 20]);
    expect(barHeight(1, 3)).toBe(6.67);
  });

  it('are one path, each at its place, from the lower edge upwards', () => {
    const of = (...heights: number[]) => barsPath(heights.map((height) => ({ from: 0, height })));
    expect(of(20, 0, 2)).toBe('M0 20h2v-20h-2zM6 20h2v-2h-2z');
    expect(of(0, 0)).toBe('');
  });

  it('stand on top of each other', () => {
    expect(barsPath([{ from: 13.34, height: 6.66 }])).toBe('M0 6.66h2v-6.66h-2z');
  });
});
