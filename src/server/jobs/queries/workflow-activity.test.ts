import { afterEach, beforeEach, expect, it } from 'vitest';
import { done, failed, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
let worker: FakeWorker;
const flow = workflow({ a: {} }, ['input>a', 'a>output'], { workflowId: 'pay' });
beforeEach(async () => {
  rig = await openRig({ limits: { workerUnstableSeconds: 1e9, workerDownSeconds: 1e9 } });
  worker = await rig.worker({ capacity: 50 });
});
afterEach(() => rig.close());

const HOUR = 3_600_000;
async function run(ms: number, { fails = false, environment = 'prod' as 'dev' | 'prod' } = {}): Promise<string> {
  const jobId = await rig.submit(flow, [{}], { environment });
  const lease = await worker.lease();
  rig.clock.advance(ms);
  worker.report(
    fails
      ? failed(lease, { code: 'NON_RETRYABLE', retryable: false, message: 'no' }, rig.clock.now())
      : done(lease, 1, undefined, rig.clock.now()),
  );
  await rig.jobs.wait(jobId, 60);
  return jobId;
}

it('tells how the jobs of a workflow went, over time, without those that were cancelled', async () => {
  await run(9000);
  rig.clock.advance(30 * HOUR);
  await run(100);
  await run(200);
  rig.clock.advance(12 * HOUR);
  await run(300, { fails: true });
  const dev = await run(400, { environment: 'dev' });
  const cancelled = await rig.submit(flow, [{}], { environment: 'prod' });
  await worker.lease();
  await rig.jobs.kill(cancelled, 'Ada');
  rig.clock.advance(HOUR);
  const [pay, none] = await rig.jobs.activity({ workflowIds: ['pay', 'none'], hours: 24, bars: 24 });
  expect(pay).toMatchObject({
    workflowId: 'pay',
    jobs: 5,
    succeeded: 3,
    failed: 1,
    successRate: 0.75,
    p50Ms: 200,
    p95Ms: 400,
    lastJob: { id: cancelled, displayStatus: 'CANCELLED' },
    sampled: false,
  });
  const bars = pay?.bars.map(({ succeeded, failed: bad }) => [succeeded, bad]) ?? [];
  expect(bars).toHaveLength(24);
  expect(bars.filter(([good, bad]) => good !== 0 || bad !== 0)).toEqual([
    [2, 0],
    [1, 1],
  ]);
  expect(none).toMatchObject({ jobs: 0, successRate: null, p95Ms: null, lastJob: null });
  const [only] = await rig.jobs.activity({ workflowIds: ['pay'], hours: 24, bars: 1, environment: 'dev' });
  expect(only).toMatchObject({ jobs: 1, successRate: 1, lastJob: { id: dev } });
});

it('tells of the latest job whether it has ended, while it waits for a retry', async () => {
  const retried = workflow({ a: { retries: 3 } }, ['input>a', 'a>output'], { workflowId: 'retried' });
  await rig.submit(retried, [{}], { environment: 'prod' });
  const lease = await worker.lease();
  worker.report(failed(lease, { code: 'ERROR', retryable: true, message: 'not yet' }, rig.clock.now()));
  await expect
    .poll(async () => (await rig.jobs.activity({ workflowIds: ['retried'], hours: 24, bars: 1 }))[0]?.lastJob)
    .toMatchObject({
      status: 'FAILED',
      finishedAt: null,
      killedAt: null,
      taskCounters: { failedTasks: 1, readyTasks: 0, scheduledTasks: 0, runningTasks: 0 },
    });
});
