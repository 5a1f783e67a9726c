import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { pointBefore } from '../metric-store.fixture.ts';
import type { MetricsRoom } from '../port.ts';
import { flakyProxy, type FlakyProxy } from './flaky-proxy.fixture.ts';
import { useRemoteMetrics } from './remote.fixture.ts';

const NOW = Math.floor(Date.now() / 60_000) * 60_000;
const point = pointBefore(NOW);
const remote = useRemoteMetrics();

/** A store behind a proxy that fails as it is told. */
async function open(): Promise<{
  metrics: MetricsRoom;
  proxy: FlakyProxy;
  lines: string[];
  again(): Promise<MetricsRoom>;
}> {
  const options = await remote.options();
  const proxy = await flakyProxy(options.url);
  const folder = temporaryFolder('remote-metrics');
  const lines: string[] = [];
  const again = () =>
    remote.open({ ...options, url: proxy.url }, { folder, now: () => NOW, log: (line) => lines.push(line) });
  return { metrics: await again(), proxy, lines, again };
}

const record = (metrics: MetricsRoom, count: number, from = 0) => {
  for (let i = from; i < from + count; i++)
    metrics.record(point(9, { counter_n: 1 }, { job_id: 'j', task_id: `t${i}`, node: 'n' }));
};
const counted = async (metrics: MetricsRoom) =>
  (await metrics.query({ interval: '1m', limit: 9, filters: {} })).dataPoints[0]?.['counter_n'];
const writes = (path: string) => path.startsWith('/api/v2/write');
const failing = (metrics: MetricsRoom, reason: RegExp) =>
  expect.poll(() => metrics.info()).toMatchObject({ state: 'failing', reason: expect.stringMatching(reason) });

it('keeps points on disk while nothing listens, over a restart too, and delivers them later', async () => {
  const { metrics, proxy, lines, again } = await open();
  await proxy.stop();
  record(metrics, 3);
  await expect(metrics.query({ limit: 1, filters: {} })).rejects.toMatchObject({
    code: 'METRICS_UNAVAILABLE',
    message: expect.stringContaining('nothing listens'),
  });
  await failing(metrics, /nothing listens/);
  expect(metrics.info()).toMatchObject({ kind: 'influxdb', address: proxy.url, queue: { items: 3, lost: 0 } });
  expect(lines.join('\n')).toMatch(/did not take points: nothing listens .* are queued on disk, retrying in/);
  await metrics.close();
  const later = await again();
  record(later, 2, 3);
  await proxy.start();
  await expect.poll(() => later.info().state).toBe('ok');
  await expect.poll(() => later.info().queue?.items).toBe(0);
  expect(await counted(later)).toBe(5);
});

it('shows once what was sent twice because the answer was lost', async () => {
  const { metrics, proxy } = await open();
  let lost = 0;
  proxy.fault = (path) => (writes(path) && lost++ < 3 ? { kind: 'lost' } : null);
  record(metrics, 7);
  await expect.poll(() => metrics.info().state).toBe('ok');
  await expect.poll(() => metrics.info().queue?.items).toBe(0);
  expect(lost).toBeGreaterThan(3);
  expect(await counted(metrics)).toBe(7);
  expect((await metrics.query({ limit: 99, filters: { job_id: 'j' } })).totalDataPoints).toBe(7);
});

it.each([
  [401, 'unauthorized', /does not accept the token/],
  [403, 'forbidden', /has no access to bucket/],
  [404, 'not found', /was not found .*yardmaster metrics provision/],
  [429, 'too many requests', /limits the rate/],
  [500, 'internal error', /answered with 500/],
  [503, 'unavailable', /answered with 503/],
])('says why it fails where the store answers %i, and gives no point up', async (status, code, words) => {
  const { metrics, proxy } = await open();
  let refuses = true;
  proxy.fault = (path) =>
    writes(path) && refuses
      ? { kind: 'answer', status, body: JSON.stringify({ code, message: 'as told' }), headers: { 'retry-after': '1' } }
      : null;
  record(metrics, 2);
  await failing(metrics, words);
  refuses = false;
  await expect.poll(() => metrics.info().state).toBe('ok');
  await expect.poll(() => metrics.info().queue?.items).toBe(0);
  expect(await counted(metrics)).toBe(2);
});

it('waits where something in between answers 400: only InfluxDB can say that points are wrong', async () => {
  const { metrics, proxy } = await open();
  proxy.fault = (path) =>
    writes(path) ? { kind: 'answer', status: 400, body: '<h1>plain HTTP to a TLS port</h1>' } : null;
  record(metrics, 2);
  await failing(metrics, /answered with 400/);
  expect(metrics.info().queue).toMatchObject({ items: 2, lost: 0 });
});

it('gives up the points that the store refuses, and no others', async () => {
  const { metrics, proxy, lines } = await open();
  proxy.fault = (path, body) =>
    writes(path) && body.includes('poison')
      ? { kind: 'answer', status: 400, body: '{"code":"invalid","message":"unable to parse \'poison\'"}' }
      : null;
  record(metrics, 20);
  metrics.record(point(8, { counter_n: 1 }, { node: 'poison' }));
  record(metrics, 20, 20);
  await expect.poll(() => metrics.info().queue).toMatchObject({ items: 0, lost: 1 });
  await expect
    .poll(() => metrics.info())
    .toMatchObject({ state: 'ok', queue: { lostReason: "unable to parse 'poison'" } });
  expect(lines.join('\n')).toMatch(/1 points for the metric store .* were lost since the start.*unable to parse/);
  expect(await counted(metrics)).toBe(40);
});

it('says what the store dropped of a batch, such as a field of another type', async () => {
  const { metrics, proxy } = await open();
  const { pathname, search } = new URL('/api/v2/write', proxy.url);
  record(metrics, 1);
  await expect.poll(() => proxy.seen.some(({ path }) => path.startsWith(pathname + search))).toBe(true);
  proxy.fault = (path) =>
    writes(path)
      ? {
          kind: 'answer',
          status: 422,
          body: '{"code":"unprocessable entity","message":"partial write: field type conflict dropped=2"}',
        }
      : null;
  record(metrics, 3, 1);
  await expect.poll(() => metrics.info().queue?.lost).toBe(2);
  await expect.poll(() => metrics.info().state).toBe('ok');
});

it('answers a query that is cut off or takes too long with an error, never with a part', async () => {
  const { metrics, proxy } = await open();
  record(metrics, 50);
  expect(await counted(metrics)).toBe(50);
  const asks = (path: string) => path.startsWith('/api/v2/query');
  proxy.fault = (path) => (asks(path) ? { kind: 'cut', after: 40 } : null);
  await expect(metrics.query({ limit: 9, filters: {} })).rejects.toMatchObject({
    code: 'METRICS_UNAVAILABLE',
    message: expect.stringContaining('cut off'),
  });
  proxy.fault = (path) =>
    asks(path) ? { kind: 'answer', status: 400, body: '{"code":"invalid","message":"compilation failed"}' } : null;
  await expect(metrics.names()).rejects.toMatchObject({ code: 'QUERY_INVALID' });
  proxy.fault = (path) => (asks(path) ? { kind: 'answer', status: 401, body: '{"code":"unauthorized"}' } : null);
  await expect(metrics.names()).rejects.toMatchObject({ code: 'METRICS_UNAVAILABLE' });
});

it.each([
  [401, '{"code":"unauthorized","message":"as told"}', /does not accept the token \(401 as told\)/],
  [403, '{"code":"forbidden","message":"as told"}', /no access to the bucket or organization/],
  [404, '{"code":"not found","message":"as told"}', /was not found \(404 as told\)/],
  [404, '404 page not found', /no API of InfluxDB 2 at this address/],
  [429, '{"code":"too many requests","message":"as told"}', /limits the rate of requests/],
  [500, '{"code":"internal error","message":"as told"}', /answered with 500 \(as told\)/],
  [503, 'service unavailable', /answered with 503 \(service unavailable\)/],
])('says why a query fails where the store answers %i %s', async (status, body, words) => {
  const { metrics, proxy } = await open();
  record(metrics, 3);
  let refuses = true;
  proxy.fault = (path) => (path.startsWith('/api/v2/query') && refuses ? { kind: 'answer', status, body } : null);
  await expect(counted(metrics)).rejects.toMatchObject({
    code: 'METRICS_UNAVAILABLE',
    message: expect.stringMatching(words),
  });
  refuses = false;
  expect(await counted(metrics)).toBe(3);
});

it('asks once where the same is asked several times at once, and again afterwards', async () => {
  const { metrics, proxy } = await open();
  record(metrics, 3);
  const queries = () => proxy.seen.filter(({ path }) => path.startsWith('/api/v2/query')).length;
  const before = queries();
  expect(await Promise.all([1, 2, 3, 4].map(() => counted(metrics)))).toEqual([3, 3, 3, 3]);
  expect(queries()).toBe(before + 1);
  record(metrics, 2, 3);
  expect(await counted(metrics)).toBe(5);
});

it('asks for the newest windows alone where the others are over, and gives what all of them would', async () => {
  const { metrics, proxy } = await open();
  const step = 10_000;
  const NEWEST = Math.floor(Date.now() / step) * step;
  const at = pointBefore(NEWEST);
  for (let i = 0; i < 60; i++) metrics.record(at(i * 10, { counter_n: i }, { node: 'n' }));
  const chart = (ahead: number) =>
    metrics.series({
      ...{ measurement: 'task_metrics', field: 'counter_n', aggregate: 'sum', groupBy: ['node'], filters: {} },
      ...{ from: NEWEST - 60 * step + ahead * step, to: NEWEST + (1 + ahead) * step, intervalMs: step, limit: 10 },
    });
  const [first] = (await chart(0)).series;
  expect(first?.values).toEqual(Array.from({ length: 60 }, (_, i) => 59 - i));
  metrics.record(at(-5, { counter_n: 1000 }, { node: 'n' }));
  const [second] = (await chart(1)).series;
  expect(second?.values).toEqual([...Array.from({ length: 59 }, (_, i) => 59 - i), 1000]);
  const starts = () =>
    proxy.seen
      .filter(({ path }) => path.startsWith('/api/v2/query'))
      .flatMap(({ body }) => [...body.matchAll(/range\(start: ([^,]+),/g)].map(([, text]) => Date.parse(text ?? '')));
  // What is known is forgotten after a while, which a busy machine may take between two questions.
  await expect
    .poll(async () => {
      await chart(0);
      await chart(1);
      return starts().at(-1);
    })
    .toBeGreaterThan(NEWEST - 200_000);
});

it('ends a query that takes too long, or returns too much', async () => {
  const options = await remote.options();
  const small = await remote.open(options, { limits: { metricsQueryValues: 100 }, now: () => NOW });
  onTestFinished(() => small.close());
  record(small, 300);
  await expect(small.query({ limit: 500, filters: {} })).rejects.toMatchObject({ code: 'METRICS_TOO_BROAD' });
  const proxy = await flakyProxy(options.url);
  const hasty = await remote.open(
    { ...options, url: proxy.url },
    { limits: { metricsQuerySeconds: 1 }, now: () => NOW },
  );
  onTestFinished(() => hasty.close());
  proxy.fault = (path) => (path.startsWith('/api/v2/query') ? { kind: 'silent' } : null);
  await expect(hasty.names()).rejects.toMatchObject({ code: 'METRICS_TIMEOUT' });
});
