import { expect, it } from 'vitest';
import { createCollector } from '../collector/collector.ts';
import { createRegistry } from './registry.ts';

const HOUR = 3_600_000;

it('forgets gauges that nothing was heard of, and keeps counters for longer', () => {
  const registry = createRegistry({ labels: {}, mostSeries: () => 100 });
  const collector = createCollector((batch) => registry.take(batch, 0));
  const tags = { worker_id: 'w' };
  collector.add({ time: 0, measurement: 'worker_metrics', tags, fields: { gauge_cpu_usage: 1, counter_restarts: 2 } });
  collector.flush();
  expect(registry.samples(1000).map(({ value }) => value)).toEqual([1, 2]);
  expect(registry.samples(HOUR).map(({ value }) => value)).toEqual([2]);
  expect(registry.samples(48 * HOUR)).toEqual([]);
  expect(registry.series).toBe(0);
});
