import { afterEach, beforeEach, expect, it } from 'vitest';
import { done, failed, started, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

/** What a worker of any make may send: none of it may keep its report from being taken, or what it led to from being read. */
let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig();
  worker = await rig.worker();
});
afterEach(() => rig.close());

const one = () => workflow({ a: { retries: 1, retryBackoffSeconds: 1 } }, ['input>a', 'a>output']);

it('takes times with parts of a millisecond', async () => {
  const jobId = await rig.submit(one());
  const lease = await worker.lease();
  rig.clock.advance(1000);
  const at = rig.clock.now() - 500.25;
  worker.report(started(lease, at), done(lease, 1, undefined, at + 0.5));
  expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED' });
});

it.each([1e9, 1e15, 1e300])(
  'waits no longer than retryAfterMaxSeconds for an upstream that asks for %d seconds',
  async (retryAfterSeconds) => {
    const jobId = await rig.submit(one());
    worker.report(failed(await worker.lease(), { retryAfterSeconds }));
    await expect
      .poll(async () => (await rig.tasks(jobId))[0])
      .toMatchObject({ state: 'FAILED', retryAt: new Date(rig.clock.now() + 86_400_000).toISOString() });
    rig.clock.advance(86_400_000);
    worker.beat();
    await rig.check();
    worker.report(done(await worker.lease(), 2));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED' });
  },
);

it('shows a code with line breaks of any kind', async () => {
  const jobId = await rig.submit(one());
  const code = 'A\rB\u2028C';
  worker.report(failed(await worker.lease(), { code, retryable: false }));
  expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'FAILED' });
  expect((await rig.tasks(jobId))[0]?.history.at(-1)).toMatchObject({ to: 'FAILED', reason: code });
});
