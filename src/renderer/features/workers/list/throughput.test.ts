import { expect, it } from 'vitest';
import { throughputByWorker } from './throughput.ts';

const MINUTE = 60_000;
const series = (worker: string, points: Record<number, number>) => ({
  tags: { worker_id: worker },
  times: Object.keys(points).map((minute) => Number(minute) * MINUTE),
  values: Object.values(points),
});

it('has a bar for each minute, also for those without tasks', () => {
  const bars = throughputByWorker({ series: [series('a', { 8: 3, 10: 5 })] }, 4, 10.5 * MINUTE);
  expect(bars.get('a')).toEqual([0, 3, 0, 5]);
});
it('leaves out what is older, and series of no worker', () => {
  const bars = throughputByWorker(
    { series: [series('a', { 1: 9 }), { tags: {}, times: [10 * MINUTE], values: [1] }] },
    4,
    10 * MINUTE,
  );
  expect([...bars]).toEqual([['a', [0, 0, 0, 0]]]);
});
