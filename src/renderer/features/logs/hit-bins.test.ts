import { expect, it } from 'vitest';
import { hitBins, stepFor, stepMs } from './hit-bins.ts';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();

it('chooses the finest step that fits', () => {
  expect(stepFor(60_000)).toBe('1s');
  expect(stepFor(3_600_000)).toBe('1m');
  expect(stepFor(86_400_000)).toBe('30m');
  for (const length of [1, 1e5, 1e7, 1e9, 1e10]) expect(length / stepMs(stepFor(length))).toBeLessThanOrEqual(90);
});

it('fills gaps with zero, stacks levels by weight and leaves out what lies outside', () => {
  const bins = hitBins(
    {
      hits: [
        { fields: { level: 'INFO' }, timestamps: [at(0), at(20), at(500)], values: [2, 1, 9], total: 12 },
        { fields: {}, timestamps: [at(10)], values: [4], total: 4 },
        { fields: { level: 'ERROR' }, timestamps: [at(10)], values: [1], total: 1 },
      ],
    },
    '10s',
    3000,
    30_000,
  );
  expect(bins.times).toEqual([0, 10, 20]);
  expect(bins.series.map((one) => [one.level, one.values])).toEqual([
    ['', [0, 4, 0]],
    ['ERROR', [0, 1, 0]],
    ['INFO', [2, 0, 1]],
  ]);
  expect(bins.total).toBe(8);
});
