import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lease } from '../../../contract/worker-protocol.ts';
import { Fault } from '../../../lib/fault.ts';
import { done, failed, started } from '../../testing/worker.fake.ts';
import { knownCommit, openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const chain = () => workflow({ a: {}, b: {} }, ['input>a', 'a>b', 'b>output']);
/** The master dies without a word and starts again on the same file. */
async function restart() {
  await rig.abandon();
  rig = await openRig({ file: rig.file, clock: rig.clock });
}

describe('after a crash of the master', () => {
  it('hands out what was queued', async () => {
    const jobs: string[] = [];
    for (let i = 0; i < 5; i++) jobs.push(await rig.submit(chain(), [{ i }]));
    await restart();
    expect(rig.jobs.queueDepth).toBe(5);
    const worker = await rig.worker({ capacity: 2 });
    worker.beat();
    for (const [i, jobId] of jobs.entries()) {
      const lease = await worker.lease();
      expect(lease).toMatchObject({ jobId, input: { i } });
      worker.report(done(lease, i), done({ id: lease.chain[0]?.id ?? '', attempt: 1 }, i));
    }
    for (const [i, jobId] of jobs.entries())
      expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: `[${i}]` });
  });

  it('a worker that comes back keeps its lease and its chain', async () => {
    const worker = await rig.worker();
    const jobId = await rig.submit(chain());
    const lease = await worker.lease();
    worker.report(started(lease));
    await expect.poll(async () => (await rig.tasks(jobId))[0]?.state).toBe('RUNNING');
    await restart();
    const back = await rig.worker({
      id: worker.id,
      running: [{ id: lease.id, attempt: 1 }, ...lease.chain.map(({ id }) => ({ id, attempt: 1 }))],
    });
    expect((await rig.workers.get(worker.id)).currentTasks).toBe(1);
    back.report(done(lease, 'a'), done({ id: lease.chain[0]?.id ?? '', attempt: 1 }, 'b'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '["b"]' });
    expect((await rig.tasks(jobId)).map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  it('a worker that stays away is Down after its time, and its tasks are retried', async () => {
    const worker = await rig.worker();
    const jobId = await rig.submit(chain());
    await worker.lease();
    await restart();
    expect(rig.workers.anyAlive).toBe(true);
    rig.clock.advance(15_001);
    await rig.look();
    await expect.poll(async () => (await rig.tasks(jobId))[0]?.error?.code).toBe('WORKER_LOST');
    const other = await rig.worker();
    rig.clock.advance(2000);
    await rig.check();
    expect(await other.lease()).toMatchObject({ jobId, attempt: 2 });
  });

  it('its death uses up no retry, however often; the loss of a worker does', async () => {
    const jobId = await rig.submit(workflow({ a: { retries: 1 } }, ['input>a', 'a>output']));
    for (let attempt = 1; attempt <= 4; attempt++) {
      const worker = await rig.worker();
      rig.clock.advance(5000);
      await rig.check();
      const lease = await worker.lease();
      expect(lease).toMatchObject({ attempt });
      worker.report(started(lease));
      await expect.poll(async () => (await rig.tasks(jobId))[0]?.state).toBe('RUNNING');
      await restart();
      rig.clock.advance(15_001);
      await rig.look();
      await expect.poll(async () => (await rig.tasks(jobId))[0]?.state).toBe('FAILED');
      expect((await rig.tasks(jobId))[0]?.error).toMatchObject({
        code: 'WORKER_LOST',
        message: expect.stringContaining('the master was restarted'),
      });
    }
    for (let attempt = 5; attempt <= 6; attempt++) {
      const worker = await rig.worker();
      rig.clock.advance(5000);
      await rig.check();
      expect(await worker.lease()).toMatchObject({ attempt });
      await worker.vanish();
      rig.clock.advance(15_001);
      await rig.look();
      await expect.poll(async () => (await rig.tasks(jobId))[0]?.state).toBe('FAILED');
    }
    expect((await rig.jobs.wait(jobId, 60)).status).toBe('FAILED');
  });

  it('a node without retries is not run twice', async () => {
    const worker = await rig.worker();
    const jobId = await rig.submit(workflow({ a: { retries: 0 } }, ['input>a', 'a>output']));
    worker.report(started(await worker.lease()));
    await expect.poll(async () => (await rig.tasks(jobId))[0]?.state).toBe('RUNNING');
    await restart();
    rig.clock.advance(15_001);
    await rig.look();
    expect((await rig.jobs.wait(jobId, 60)).status).toBe('FAILED');
  });

  it('a worker that was found Down before holds nothing any more, though the master died before it was taken from it', async () => {
    const worker = await rig.worker();
    const jobId = await rig.submit(chain());
    await worker.lease();
    await rig.store.write((db) => db.statement('UPDATE worker SET goodbye = 1').run());
    await restart();
    await expect.poll(async () => (await rig.tasks(jobId))[0]?.error?.code).toBe('WORKER_LOST');
    const other = await rig.worker();
    rig.clock.advance(2000);
    await rig.check();
    expect(await other.lease()).toMatchObject({ jobId, attempt: 2 });
  });

  it('a worker that the master itself had started has ended with it: its tasks need not wait for it', async () => {
    const worker = await rig.worker({ labels: { local: '1' } });
    const jobId = await rig.submit(chain());
    await worker.lease();
    await restart();
    expect(rig.workers.overview().total).toBe(0);
    await expect.poll(async () => (await rig.tasks(jobId))[0]?.error?.code).toBe('WORKER_LOST');
    const other = await rig.worker({ labels: { local: '1' } });
    rig.clock.advance(2000);
    await rig.check();
    expect(await other.lease()).toMatchObject({ jobId, attempt: 2 });
  });

  it('a commit that cannot be run any more fails its tasks, and nothing else', async () => {
    const broken = chain();
    const jobs = [await rig.submit(broken), await rig.submit(chain())];
    await rig.abandon();
    const runnable = (commit: string) => {
      if (commit === broken.commit) throw new Fault('INVALID_DAG', 'a fault');
      return knownCommit(commit);
    };
    rig = await openRig({ file: rig.file, clock: rig.clock, runnable, mayReport: true });
    const worker = await rig.worker();
    worker.beat();
    const leases = [await worker.lease(), await worker.lease()];
    expect(leases.map(({ jobId }) => jobId)).toEqual(jobs);
    expect(worker.frames.find((frame) => frame.t === 'commit' && frame.commit === broken.commit)).toMatchObject({
      nodes: [],
    });
    worker.report(failed(leases[0] as Lease, { code: 'INVALID_DAG', retryable: false }));
    expect(await rig.jobs.wait(jobs[0] ?? '', 60)).toMatchObject({ failure: { taskCode: 'INVALID_DAG' } });
    expect(rig.errors).toContainEqual(expect.objectContaining({ code: 'INVALID_DAG' }));
  });

  it('retries, totals, idempotency and the overview go on', async () => {
    const worker = await rig.worker();
    const flow = chain();
    const failing = await rig.submit(flow, [{}], { idempotency: { keyId: 'k', key: 'x', bodyHash: 'h' } });
    worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', message: 'no', retryable: false }));
    await rig.jobs.wait(failing, 60);
    const retrying = await rig.submit(flow);
    worker.report(failed(await worker.lease()));
    await expect.poll(async () => (await rig.jobs.overview()).tasks.retrying).toBe(1);
    await rig.check();
    const before = await rig.jobs.overview();
    await restart();
    expect(await rig.jobs.overview()).toEqual(before);
    expect(before).toMatchObject({
      jobs: { running: 1, failedLastHour: 1, createdLastHour: 2 },
      failures: [
        {
          workflowId: 'flow',
          node: 'a',
          code: 'NON_RETRYABLE',
          message: 'no',
          count: 1,
          lastJobId: failing,
          commit: expect.stringMatching(/^[0-9a-f]{16,}$/),
        },
      ],
    });
    expect(rig.jobs.findIdempotent({ keyId: 'k', workflowId: 'flow', environment: 'dev', key: 'x' })).toEqual({
      jobId: failing,
      bodyHash: 'h',
      accepted: 'RUNNING',
    });
    expect((await rig.jobs.list({ page: 0, size: 20, sort: 'createdAt,desc', status: ['FAILED'] })).totalItems).toBe(2);
    const other = await rig.worker();
    rig.clock.advance(2000);
    other.beat();
    await rig.check();
    expect(await other.lease()).toMatchObject({ jobId: retrying, attempt: 2 });
  });
});
