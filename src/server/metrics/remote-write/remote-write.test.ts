import { expect, it, onTestFinished } from 'vitest';
import { LIMITS, type Limits } from '../../../contract/limits.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { fakeMetrics } from '../../testing/metrics.fake.ts';
import type { MetricsRoom } from '../port.ts';
import { receiver, type Receiver } from './receiver.fixture.ts';
import { openRemoteWrite, type RemoteWrite } from './remote-write.ts';

async function open(limits: Partial<Limits> = {}, folder = temporaryFolder('remote-write')) {
  const to = await receiver();
  const lines: string[] = [];
  const write = await openRemoteWrite(
    { url: to.url, credentials: { token: 'secret' }, caFile: null, labels: { cluster: 'west', instance: 'one' } },
    {
      folder,
      limits: { ...LIMITS, remoteWriteSeconds: 0.2, ...limits },
      clock: { now: Date.now },
      log: (line) => lines.push(line),
    },
  );
  onTestFinished(() => write.close());
  return { to, write, lines, metrics: write.beside(fakeMetrics()) };
}

const task = (metrics: MetricsRoom, id: string, ms: number) =>
  metrics.record({
    time: Date.now(),
    measurement: 'task_metrics',
    tags: { job_id: 'j', task_id: id, worker_id: 'w', workflow_id: 'orders', node: 'charge' },
    fields: { counter_error_count: 1, counter_input_byte_count: 10, timer_run_ms: ms },
  });
const arrived = (to: Receiver, name: string) => expect.poll(() => to.latest()[name]);
const begin = (write: RemoteWrite) => write.begin(() => [{ name: 'yardmaster_queue_depth', value: 3 }]);

it('sends counters, gauges and histograms under names of Prometheus, without jobs and tasks', async () => {
  const { to, write, metrics } = await open();
  task(metrics, 't1', 40);
  task(metrics, 't2', 700);
  metrics.record({
    ...{ time: Date.now(), measurement: 'worker_metrics', tags: { worker_id: 'w' } },
    fields: { gauge_cpu_usage: 0.5 },
  });
  begin(write);
  const all = 'cluster="west",instance="one",job="yardmaster"';
  const run = `${all},node="charge",workflow_id="orders"`;
  await arrived(to, `yardmaster_task_errors_total{${run}}`).toBe(2);
  const latest = to.latest();
  expect(latest).toMatchObject({
    [`yardmaster_task_input_bytes_total{${run}}`]: 20,
    [`yardmaster_task_run_seconds_count{${run}}`]: 2,
    [`yardmaster_worker_cpu_usage{${all},worker_id="w"}`]: 0.5,
    [`yardmaster_queue_depth{${all}}`]: 3,
  });
  expect(latest[`yardmaster_task_run_seconds_sum{${run}}`]).toBeCloseTo(0.74, 9);
  const bucket = (le: string) =>
    latest[
      `yardmaster_task_run_seconds_bucket{cluster="west",instance="one",job="yardmaster",le="${le}",node="charge",workflow_id="orders"}`
    ];
  expect(['0.025', '0.05', '0.5', '1', '+Inf'].map(bucket)).toEqual([0, 1, 1, 2, 2]);
  expect(to.requests[0]?.headers).toMatchObject({
    authorization: 'Bearer secret',
    'content-encoding': 'snappy',
    'content-type': 'application/x-protobuf',
    'x-prometheus-remote-write-version': '0.1.0',
  });
});

it('goes on where it was when the receiver answers again, and says what was wrong', async () => {
  const { to, write, metrics, lines } = await open();
  to.refuse = { status: 503, text: 'too busy' };
  task(metrics, 't1', 1);
  begin(write);
  await expect.poll(() => write.info()).toMatchObject({ state: 'failing', reason: 'it answered with 503 (too busy)' });
  expect(write.info()).toMatchObject({ kind: 'remote-write', address: to.url });
  expect(lines.join()).toMatch(/did not take samples: it answered with 503/);
  to.refuse = { status: 0, text: '' };
  await expect.poll(() => write.info().state).toBe('ok');
  await expect.poll(() => Object.keys(to.latest()).length).toBeGreaterThan(3);
  // What was measured while it was away has its own times.
  await expect.poll(() => new Set(to.requests.flatMap(({ times }) => [...times])).size).toBeGreaterThan(1);
  expect(write.info().queue?.lost).toBe(0);
});

it('gives up what the receiver calls wrong, as the protocol asks', async () => {
  const { to, write, metrics } = await open();
  to.refuse = { status: 400, text: 'out of order sample' };
  task(metrics, 't1', 1);
  begin(write);
  await expect
    .poll(() => write.info())
    .toMatchObject({
      state: 'ok',
      queue: { lost: expect.toSatisfy((lost: number) => lost > 0), lostReason: '400 out of order sample' },
    });
  to.refuse = { status: 401, text: 'no' };
  await expect
    .poll(() => write.info())
    .toMatchObject({ state: 'failing', reason: expect.stringMatching(/does not accept the credentials/) });
});

it('has no more series than the limit', async () => {
  const { to, write, metrics, lines } = await open({ remoteWriteSeries: 100 });
  for (let i = 0; i < 500; i++)
    metrics.record({
      ...{ time: Date.now(), measurement: 'custom_metrics', tags: { customer: `c${i}` } },
      fields: { counter_orders: 1 },
    });
  begin(write);
  // The master's own health has its place all the same.
  await expect.poll(() => Object.keys(to.latest()).length).toBe(101);
  await expect.poll(() => write.stats().leftOut).toBe(400);
  expect(lines.join()).toMatch(/limit remoteWriteSeries/);
});
