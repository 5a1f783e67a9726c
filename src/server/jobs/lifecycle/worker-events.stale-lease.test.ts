import { afterEach, describe, expect, it } from 'vitest';
import type { Lease } from '../../../contract/worker-protocol.ts';
import { done, failed, started, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

const one = () => workflow({ a: { retries: 2, retryBackoffSeconds: 1 } }, ['input>a', 'a>output']);

let rig: Rig;
afterEach(() => rig.close());

/** A worker that begins a task and falls silent until it is Down; the task then waits for its retry. */
async function silent(): Promise<{ jobId: string; worker: FakeWorker; lease: Lease }> {
  const worker = await rig.worker({ capacity: 1 });
  const jobId = await rig.submit(one(), [{ content: 'a' }]);
  const lease = await worker.lease();
  worker.report(started(lease));
  await expect.poll(async () => (await rig.tasks(jobId))[0]?.state).toBe('RUNNING');
  rig.clock.advance(16_000);
  await rig.look();
  await expect.poll(async () => (await rig.tasks(jobId))[0]?.state).toBe('FAILED');
  return { jobId, worker, lease };
}

/** Another worker takes the retry. */
async function retried(): Promise<{ worker: FakeWorker; lease: Lease }> {
  const worker = await rig.worker({ capacity: 1 });
  rig.clock.advance(2000);
  worker.beat();
  await rig.check();
  return { worker, lease: await worker.lease() };
}

/** The silent worker comes back, and believes that it still holds what it had: it is told that it does not. */
async function back({ worker, lease }: { worker: FakeWorker; lease: Lease }): Promise<FakeWorker> {
  const again = await rig.worker({ id: worker.id, capacity: 1, running: [{ id: lease.id, attempt: 1 }] });
  expect(await again.next('lost')).toMatchObject({ ids: [lease.id], attempts: [1] });
  return again;
}

const results = async (jobId: string) =>
  ((await rig.tasks(jobId))[0]?.history ?? [])
    .filter(({ from, to }) => (from === 'RUNNING' || from === 'SCHEDULED') && to !== 'RUNNING')
    .map(({ to, attempt, workerId }) => `${attempt} ${to} ${workerId}`);

describe('a task has exactly one recorded result, though an old lease reports late', () => {
  it('before the new one is done', async () => {
    rig = await openRig();
    const old = await silent();
    const fresh = await retried();
    expect(fresh.lease).toMatchObject({ id: old.lease.id, attempt: 2 });
    const late = await back(old);
    late.report(done(old.lease, 'from the old one'));
    expect(await late.next('lost')).toMatchObject({ ids: [old.lease.id], attempts: [1] });
    expect((await rig.tasks(old.jobId))[0]).toMatchObject({ state: 'SCHEDULED', attempt: 2, output: null });
    fresh.worker.report(done(fresh.lease, 'from the new one'));
    expect((await rig.jobs.wait(old.jobId, 60)).outputText).toBe('["from the new one"]');
    expect(await results(old.jobId)).toEqual([`1 FAILED ${old.worker.id}`, `2 COMPLETED ${fresh.worker.id}`]);
  });

  it('after the new one is done, also again and again, as an end of another kind, and from the wrong worker', async () => {
    rig = await openRig();
    const old = await silent();
    const fresh = await retried();
    fresh.worker.report(done(fresh.lease, 'first'));
    await rig.jobs.wait(old.jobId, 60);
    const late = await back(old);
    late.report(
      done(old.lease, 'late'),
      failed(old.lease),
      started(old.lease),
      done({ ...old.lease, attempt: 2 }, 'with the new attempt'),
    );
    fresh.worker.report(done(fresh.lease, 'again'), failed(fresh.lease));
    expect(await late.next('lost')).toMatchObject({ attempts: [1, 1, 1, 2] });
    expect(await fresh.worker.next('lost')).toMatchObject({ attempts: [2, 2] });
    expect((await rig.tasks(old.jobId))[0]).toMatchObject({
      state: 'COMPLETED',
      attempt: 2,
      output: 'first',
      error: null,
    });
    expect(await results(old.jobId)).toEqual([`1 FAILED ${old.worker.id}`, `2 COMPLETED ${fresh.worker.id}`]);
    expect((await rig.jobs.get(old.jobId)).taskCounters).toMatchObject({ completedTasks: 1, failedTasks: 0 });
  });

  it('to a master that was started again meanwhile', async () => {
    rig = await openRig();
    const old = await silent();
    const fresh = await retried();
    fresh.worker.report(done(fresh.lease, 'first'));
    await rig.jobs.wait(old.jobId, 60);
    const { file, clock } = rig;
    await rig.close();
    rig = await openRig({ file, clock });
    const late = await back(old);
    late.report(done(old.lease, 'late'));
    expect(await late.next('lost')).toMatchObject({ ids: [old.lease.id] });
    expect((await rig.tasks(old.jobId))[0]).toMatchObject({ state: 'COMPLETED', attempt: 2, output: 'first' });
  });
});

describe('a chain of a worker that reconnects', () => {
  const chained = async () => {
    rig = await openRig();
    const worker = await rig.worker({ capacity: 1 });
    const jobId = await rig.submit(workflow({ a: {}, b: {}, c: {} }, ['input>a', 'a>b', 'b>c', 'c>output']), [
      { content: 'a' },
    ]);
    const lease = await worker.lease();
    const [b, c] = lease.chain.map(({ id }) => ({ id, attempt: 1 })) as [Lease, Lease];
    return { worker, jobId, a: { id: lease.id, attempt: 1 }, b, c };
  };
  const lostOf = (worker: FakeWorker) => worker.frames.flatMap((frame) => (frame.t === 'lost' ? frame.ids : []));

  it('goes on where it still holds it', async () => {
    const { worker, jobId, a, b, c } = await chained();
    const again = await rig.worker({ id: worker.id, capacity: 1, running: [a, b, c] });
    again.report(done(a, 'a'), done(b, 'b'), done(c, 'c'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '["c"]' });
    expect(lostOf(again)).toEqual([]);
    expect((await rig.tasks(jobId)).map(({ id, attempt }) => ({ id, attempt }))).toEqual([a, b, c]);
  });

  it('is handed out anew from where it was dropped', async () => {
    const { worker, jobId, a, b, c } = await chained();
    const again = await rig.worker({ id: worker.id, capacity: 1, running: [a, b] });
    again.report(done(a, 'a'), done(b, 'b'));
    const rest = await again.lease();
    expect(rest).toMatchObject({ node: 'c', attempt: 1, input: 'b' });
    expect(rest.id).not.toBe(c.id);
    again.report(done(rest, 'c'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '["c"]' });
  });

  it('is lost with the task before it', async () => {
    const { worker, b, c } = await chained();
    const again = await rig.worker({ id: worker.id, capacity: 1, running: [b, c] });
    await expect.poll(() => lostOf(again)).toEqual([b.id, c.id]);
  });
});
