import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { done, started, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig();
  worker = await rig.worker();
});
afterEach(() => rig.close());

const one = () => workflow({ a: { retries: 1, retryBackoffSeconds: 1 } }, ['input>a', 'a>output']);
const asked = () => worker.frames.flatMap((frame) => (frame.t === 'check' ? frame.leases.map(({ id }) => id) : []));
/** Time in which the worker is heard of, as it should be. */
async function pass(ms: number): Promise<void> {
  rig.clock.advance(ms);
  const heard = (await rig.workers.get(worker.id)).lastHeartbeatAt;
  worker.beat();
  await expect.poll(async () => (await rig.workers.get(worker.id)).lastHeartbeatAt).not.toBe(heard);
  await rig.check();
}
async function begun() {
  const jobId = await rig.submit(one());
  const lease = await worker.lease();
  worker.report(started(lease));
  await expect.poll(async () => (await rig.tasks(jobId))[0]?.state).toBe('RUNNING');
  return { jobId, lease };
}

describe('a worker', () => {
  it('is asked every leaseCheckSeconds what it holds, and keeps it where it says nothing', async () => {
    const { jobId, lease } = await begun();
    await pass(29_000);
    expect(asked()).toEqual([]);
    await pass(1000);
    await expect.poll(asked).toEqual([lease.id]);
    await pass(29_000);
    await pass(1000);
    await expect.poll(asked).toEqual([lease.id, lease.id]);
    worker.report(done(lease, 1));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED' });
  });

  it('loses what it does not hold any more, and is given it again', async () => {
    const { jobId, lease } = await begun();
    await pass(30_000);
    const { leases } = await worker.next('check');
    expect(leases).toEqual([{ id: lease.id, attempt: 1 }]);
    worker.send({ t: 'gone', leases: [...leases, { id: 'another', attempt: 1 }] });
    await expect
      .poll(async () => (await rig.tasks(jobId))[0])
      .toMatchObject({
        state: 'FAILED',
        error: { code: 'WORKER_LOST', message: expect.stringContaining('is no longer running the task') },
      });
    await pass(1000);
    const again = await worker.lease();
    expect(again).toMatchObject({ id: lease.id, attempt: 2 });
    // An answer that comes late says nothing of the new one.
    worker.send({ t: 'gone', leases });
    worker.report(done(again, 2));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ outputText: '[2]' });
  });

  it('is cut off where its answer is no list of leases', async () => {
    worker.sendText('{"t":"gone","leases":[{"id":"a"}]}');
    expect(await worker.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('"gone" is not valid') });
  });
});
