import { expect, it } from 'vitest';
import type uPlot from 'uplot';
import { tickGaps, isolatedPoints, tickText, valueSteps } from './chart-axis.ts';

it('writes round values at an axis with as few digits as they have', () => {
  expect(
    [0, 0.5, 20, 1500, 30_000, 120_000, 600_000, 5_400_000, 7_200_000].map((value) => tickText('ms', value)),
  ).toEqual(['0 s', '0.5 ms', '20 ms', '1.5 s', '30 s', '2 min', '10 min', '1 h 30 min', '2 h']);
  expect([
    tickText('seconds', 90),
    tickText('bytes', 96 * 2 ** 20),
    tickText('bytesPerSecond', 1536),
    tickText('perSecond', 0.05),
    tickText('percent', 0.5),
    tickText('count', 40_000),
    tickText('count', 0.2),
  ]).toEqual(['1 min 30 s', '96 MiB', '1.5 KiB/s', '0.05/s', '50%', '40,000', '0.2']);
});

it('steps over time by minutes and hours, and over counts by whole numbers', () => {
  expect(valueSteps('ms')).toEqual(expect.arrayContaining([500, 1000, 60_000, 300_000, 3_600_000]));
  expect(valueSteps('ms')).not.toContain(200_000);
  const of = valueSteps('count') as Exclude<uPlot.Axis.Incrs, number[]>;
  expect(of({} as uPlot, 1, 0, 1.08, 0, 0)[0]).toBe(1);
  expect(of({} as uPlot, 1, 0, 0.4, 0, 0)[0]).toBeLessThan(0.1);
  for (const unit of ['ms', 'seconds', 'count'] as const) {
    const steps = valueSteps(unit);
    const all = typeof steps === 'function' ? steps({} as uPlot, 1, 0, 0.5, 0, 0) : (steps as number[]);
    expect(
      all.every((step, i) => i === 0 || step > (all[i - 1] as number)),
      unit,
    ).toBe(true);
  }
});

it('breaks a line over a time that is too long, and over no shorter one', () => {
  const u = {
    data: [
      [0, 10, 20, 30, 90, 100],
      [1, null, 2, 3, 4, 5],
    ],
    valToPos: (at: number) => at * 2,
  } as unknown as uPlot;
  expect(tickGaps(u, 1, 0, 5, 30)).toEqual([[60, 180]]);
});

it('finds the values that no line reaches', () => {
  expect(isolatedPoints([0, 10, 60, 70, 130], [1, 2, 3, null, 4], 30)).toEqual([2, 4]);
  expect(isolatedPoints([5], [1], 30)).toEqual([0]);
});
