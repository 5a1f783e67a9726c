import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { submission, workflow } from '../../testing/engine.fixture.ts';
import { openPoolRig, type PoolRig } from '../../testing/worker-pool.fixture.ts';

let rig: PoolRig;
beforeEach(async () => {
  rig = await openPoolRig();
});
afterEach(() => rig.close());

const chain = workflow({ a: {}, b: {}, c: {} }, ['input>a', 'a>b', 'b>c', 'c>output']);
const submit = async (more: object = {}) => (await rig.jobs.submit(submission(chain, [{}], more))).jobId;
const lease = () => {
  const held = rig.leases.at(-1);
  if (!held) throw new Error('no lease');
  return held;
};

describe('a task', () => {
  it('is its worker’s from its lease on, and so is the rest of its chain', async () => {
    await rig.addWorker('w', 4);
    const jobId = await submit();
    const { id, chain: rest } = lease();
    expect(rest).toHaveLength(2);
    for (const one of [id, ...rest.map((next) => next.id)])
      expect(rig.runners.ofTask(one, null)).toEqual({ jobId, workers: ['w'] });
    expect(rig.runners.ofJob(jobId)).toEqual(['w']);
  });

  it.each([false, true])('stays so after its end (its caller waits: %s)', async (awaited) => {
    await rig.addWorker('w', 4);
    const jobId = await submit({ awaited });
    const held = lease();
    await rig.finish([held]);
    expect(rig.runners.ofTask(held.id, jobId)).toEqual({ jobId, workers: ['w'] });
    await rig.finish(held.chain.map(({ id }) => ({ ...held, id })));
    expect(await rig.jobs.get(jobId)).toMatchObject({ status: 'COMPLETED' });
    expect(rig.runners.ofTask(held.id, jobId)).toEqual({ jobId, workers: ['w'] });
    expect(rig.runners.ofJob(jobId)).toEqual(['w']);
  });

  it('is also the workers’ that tried it before', async () => {
    await rig.addWorker('w', 4);
    const jobId = await submit();
    const held = lease();
    await rig.fail(held);
    rig.poolWorkers.delete('w');
    await rig.addWorker('v', 4);
    rig.clock.advance(5000);
    await rig.check();
    await rig.settled();
    expect(new Set(rig.runners.ofTask(held.id, jobId)?.workers)).toEqual(new Set(['v', 'w']));
  });

  it('that nobody knows, or nobody had, is nobody’s', async () => {
    const jobId = await submit();
    const [task] = (await rig.jobs.tasks(jobId, { page: 0, size: 1 })).items;
    expect(rig.runners.ofTask(task?.id ?? '', jobId)).toEqual({ jobId, workers: [] });
    expect(rig.runners.ofTask('0194b2a0-0000-7000-8000-000000000000', jobId)).toBeNull();
    for (const text of ['', 'x', '…'.repeat(50), `${task?.id} `]) expect(rig.runners.ofTask(text, null)).toBeNull();
    expect(rig.runners.ofJob('nobody')).toEqual([]);
  });
});
