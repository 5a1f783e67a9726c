import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { LIMITS, type Limits } from '../../contract/limits.ts';
import { describeMetricStore, pointBefore } from './metric-store.fixture.ts';
import { createMetrics } from './metrics.ts';
import type { MetricsRoom } from './port.ts';
import { createFold } from './store/read/fold.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const open: MetricsRoom[] = [];
afterEach(async () => {
  for (const room of open.splice(0)) await room.close();
});
async function room(limits: Partial<Limits> = {}, folder?: string): Promise<MetricsRoom> {
  const { room: made } = await createMetrics({
    folder: folder ?? temporaryFolder('metrics'),
    limits: { ...LIMITS, ...limits },
    clock: { now: () => NOW },
  });
  open.push(made);
  return made;
}
const point = pointBefore(NOW);

describeMetricStore(NOW, room);

describe('the store', () => {
  it('keeps points over a restart', async () => {
    const folder = temporaryFolder('metrics');
    const first = await room({}, folder);
    first.record(point(1, { counter_error_count: 1 }));
    await first.close();
    const again = await room({}, folder);
    expect(again.stats().points).toBe(1);
    expect((await again.query({ limit: 1, filters: {} })).totalDataPoints).toBe(1);
  });
});

it('sums of counters are the same whatever the window', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ time: fc.nat(1_000_000), n: fc.nat(1000) })),
      fc.integer({ min: 1, max: 5000 }),
      (points, interval) => {
        const windows = createFold(0, 1_000_001, interval, ['sum'], false, () => {});
        for (const { time, n } of points) windows.point(time, n);
        const order = windows.order();
        const sums = windows.inOrder(order, 'sum');
        expect(sums.reduce((sum, one) => sum + one, 0)).toBe(points.reduce((sum, { n }) => sum + n, 0));
        const starts = windows.inOrder(order, 'starts');
        expect([...starts]).toEqual(
          [...new Set(points.map(({ time }) => Math.floor(time / interval) * interval))].sort((a, b) => a - b),
        );
        for (const start of starts) expect(start % interval).toBe(0);
      },
    ),
  );
});
