import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { LIMITS, type Limits } from '../../contract/limits.ts';
import type { MetricPoint } from '../../contract/worker-protocol.ts';
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
const point = (
  secondsAgo: number,
  fields: Record<string, number>,
  tags: Record<string, string> = {},
  measurement = 'task_metrics',
): MetricPoint => ({ time: NOW - secondsAgo * 1000, measurement, tags, fields });
const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1000).toISOString();

describe('query', () => {
  it('gives the stored points of the last minute with their tags by default', async () => {
    const metrics = await room();
    metrics.record(point(90, { counter_error_count: 1 }));
    metrics.record(point(30, { counter_error_count: 2 }, { job_id: 'a' }));
    metrics.record(point(0, { timer_run_ms: 1.5 }, { job_id: 'b' }));
    expect(await metrics.query({ limit: 1000, filters: {} })).toEqual({
      from: at(60),
      to: '2026-01-01T12:00:00.000Z',
      interval: null,
      filters: {},
      dataPoints: [
        { timestamp: at(30), tags: { job_id: 'a' }, counter_error_count: 2 },
        { timestamp: at(0), tags: { job_id: 'b' }, timer_run_ms: 1.5 },
      ],
      totalDataPoints: 2,
      metricNames: ['counter_error_count', 'timer_run_ms'],
    });
  });

  it('refuses a tag filter without a name', async () => {
    const metrics = await room();
    await expect(metrics.query({ limit: 10, filters: { '': 'x' } })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/' }],
    });
  });

  it('filters by any tag, by measurement and by field', async () => {
    const metrics = await room();
    metrics.record(point(5, { counter_error_count: 1, timer_run_ms: 2 }, { job_id: 'a', node: 'x' }));
    metrics.record(point(4, { counter_error_count: 2 }, { job_id: 'a', node: 'y' }));
    metrics.record(point(3, { gauge_cpu_usage: 0.5 }, { worker_id: 'w' }, 'worker_metrics'));
    const seconds = async (query: Partial<Parameters<MetricsRoom['query']>[0]>) =>
      (await metrics.query({ limit: 10, filters: {}, ...query })).dataPoints.map(
        (p) => (NOW - Date.parse(p.timestamp)) / 1000,
      );
    expect(await seconds({ filters: { job_id: 'a' } })).toEqual([5, 4]);
    expect(await seconds({ filters: { job_id: 'a', node: 'y' } })).toEqual([4]);
    expect(await seconds({ filters: { worker_id: 'w' } })).toEqual([3]);
    expect(await seconds({ filters: { toString: 'x' } })).toEqual([]);
    expect(await seconds({ measurement: 'worker_metrics' })).toEqual([3]);
    expect((await metrics.query({ limit: 10, filters: {}, field: 'timer_run_ms' })).dataPoints).toEqual([
      { timestamp: at(5), tags: { job_id: 'a', node: 'x' }, timer_run_ms: 2 },
    ]);
  });

  it('merges series into windows at the epoch and leaves empty ones out', async () => {
    const metrics = await room();
    for (let i = 0; i < 20; i++)
      metrics.record(
        point(
          200 - i,
          { counter_input_event_count: 1, gauge_input_rate: i, timer_run_ms: i + 1 },
          { job_id: String(i % 2) },
        ),
      );
    metrics.record(point(10, { counter_input_event_count: 5 }));
    const { dataPoints, totalDataPoints, metricNames, interval } = await metrics.query({
      from: at(300),
      interval: '1m',
      limit: 1000,
      filters: {},
    });
    expect(interval).toBe('1m');
    expect(totalDataPoints).toBe(2);
    expect(metricNames).toEqual(['counter_input_event_count', 'gauge_input_rate', 'timer_run_ms', 'timer_run_ms_p95']);
    expect(dataPoints).toEqual([
      {
        timestamp: at(240),
        counter_input_event_count: 20,
        gauge_input_rate: 9.5,
        timer_run_ms: 10.5,
        timer_run_ms_p95: 19,
      },
      { timestamp: at(60), counter_input_event_count: 5 },
    ]);
  });

  it('gives the newest points in time order when there are more than the limit', async () => {
    const metrics = await room();
    for (let i = 0; i < 1200; i++) metrics.record(point(50 - i / 100, { counter_error_count: i }));
    const { dataPoints, totalDataPoints, truncated } = await metrics.query({ limit: 3, filters: {} });
    expect([totalDataPoints, truncated]).toEqual([1200, true]);
    expect(dataPoints.map((p) => p['counter_error_count'])).toEqual([1197, 1198, 1199]);
    const windows = await metrics.query({ limit: 2, interval: '1s', filters: {} });
    expect(windows).toMatchObject({ totalDataPoints: 12, truncated: true });
    expect(windows.dataPoints).toHaveLength(2);
  });

  it.each([
    [{ from: at(1), to: at(2) }, '/from'],
    [{ from: 'yesterday' }, '/from'],
    [{ to: '5' }, '/to'],
    [{ interval: '5x' }, '/interval'],
    [{ interval: '0m' }, '/interval'],
    [{ from: at(-60) }, '/from'],
  ])('refuses %j', async (query, pointer) => {
    const metrics = await room();
    await expect(metrics.query({ limit: 1, filters: {}, ...query })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer }],
    });
  });
});

it('gives points in time order whatever the order of their arrival', async () => {
  const metrics = await room();
  const seconds = Array.from({ length: 5000 }, (_, i) => ((i * 7919) % 5000) / 100);
  for (const ago of seconds) metrics.record(point(ago, { counter_error_count: ago }, {}, `m${Math.floor(ago) % 3}`));
  const { dataPoints, totalDataPoints } = await metrics.query({ limit: 700, filters: {} });
  expect(totalDataPoints).toBe(5000);
  expect(dataPoints.map((p) => p['counter_error_count'])).toEqual(
    seconds
      .toSorted((a, b) => a - b)
      .slice(0, 700)
      .reverse(),
  );
});

it('shows who reads some workflows alone nothing of other series', async () => {
  const metrics = await room();
  metrics.record(point(9, { counter_a: 1 }, { workflow_id: 'orders', node: 'x', job_id: 'j1' }, 'tasks'));
  metrics.record(point(8, { counter_a: 2 }, { workflow_id: 'accounts', kind: 'y', job_id: 'j2' }, 'tasks'));
  metrics.record(point(7, { counter_a: 4 }, {}, 'workers'));
  const range = { measurement: null, from: NOW - 60_000, to: NOW };
  const see = async (within: readonly string[] | null) => [
    (await metrics.query({ limit: 9, filters: {}, within })).dataPoints.map(({ counter_a }) => counter_a),
    (await metrics.query({ limit: 9, filters: { workflow_id: 'accounts' }, within })).totalDataPoints,
    (await metrics.query({ limit: 9, filters: { job_id: 'j2' }, within })).totalDataPoints,
    (await metrics.names(within)).items.map(({ measurement, series }) => `${measurement} ${series}`),
    (await metrics.tags({ ...range, within })).items,
    (await metrics.tagValues({ ...range, tag: 'job_id', limit: 9, within })).items,
    (await metrics.tagValues({ ...range, tag: 'workflow_id', limit: 9, within })).items,
  ];
  expect(await see(['orders'])).toEqual([
    [1],
    0,
    0,
    ['tasks 1'],
    ['job_id', 'node', 'workflow_id'],
    ['j1'],
    ['orders'],
  ]);
  expect(await see([])).toEqual([[], 0, 0, [], [], [], []]);
  expect((await see(null))[0]).toEqual([1, 2, 4]);
});

describe('the store', () => {
  it('keeps points over a restart', { timeout: 60_000 }, async () => {
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
        const windows = createFold(0, 1_000_001, interval, false, () => {});
        for (const { time, n } of points) windows.point(time, n);
        expect(windows.sum.reduce((sum, one) => sum + one, 0)).toBe(points.reduce((sum, { n }) => sum + n, 0));
        for (const start of windows.starts) expect(start % interval).toBe(0);
      },
    ),
  );
});
