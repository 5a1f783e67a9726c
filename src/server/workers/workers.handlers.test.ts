import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { done, started } from '../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../testing/engine.fixture.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const charge = { type: 'handler', config: { handler: 'charge' } };
const ship = { type: 'handler', config: { handler: 'ship' } };

describe('a handler node', () => {
  it('goes to a worker that has registered its function, and to no other', async () => {
    const plain = await rig.worker();
    await rig.submit(workflow({ a: charge }, ['input>a', 'a>output']));
    const ours = await rig.worker({ handlers: ['ship', 'charge'] });
    expect(await ours.lease()).toMatchObject({ node: 'a' });
    expect(plain.untaken).toBe(0);
    expect(await rig.workers.get(ours.id)).toMatchObject({ handlers: ['ship', 'charge'] });
  });

  it('is alone in its lease: what comes before and after it may be run elsewhere', async () => {
    const worker = await rig.worker({ handlers: ['charge', 'ship'] });
    const jobId = await rig.submit(
      workflow({ a: {}, b: charge, c: ship, d: {}, e: {} }, ['input>a', 'a>b', 'b>c', 'c>d', 'd>e', 'e>output']),
    );
    const chains: string[][] = [];
    for (let left = 5; left > 0;) {
      const lease = await worker.lease();
      const chain = [{ id: lease.id, node: lease.node }, ...lease.chain];
      chains.push(chain.map(({ node }) => node));
      left -= chain.length;
      worker.report(...chain.flatMap(({ id }) => [started({ id, attempt: 1 }), done({ id, attempt: 1 }, 'x')]));
    }
    expect(chains).toEqual([['a'], ['b'], ['c'], ['d', 'e']]);
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('a worker that runs handlers alone', () => {
  it('is given nothing else, also where nobody else has room', async () => {
    const ours = await rig.worker({ handlers: ['charge'], only: 'handlers' });
    const other = await rig.submit(workflow({ a: {} }, ['input>a', 'a>output'], { workflowId: 'other' }));
    const mine = await rig.submit(workflow({ a: charge, b: {} }, ['input>a', 'a>b', 'b>output']));
    const lease = await ours.lease();
    expect(lease).toMatchObject({ jobId: mine, node: 'a', chain: [] });
    ours.report(started(lease), done(lease, 1));
    expect((await rig.tasks(other))[0]).toMatchObject({ state: 'READY' });
    const plain = await rig.worker();
    expect(new Set([(await plain.lease()).jobId, (await plain.lease()).jobId])).toEqual(new Set([other, mine]));
    expect(ours.untaken).toBe(0);
  });

  it('is refused where it says so in other words', async () => {
    await expect(rig.worker({ only: 'code' as never })).rejects.toThrow(/4001/);
  });
});

describe('progress', () => {
  it('is shown of a running task alone, as its own worker told it last', async () => {
    const [ours, other] = [await rig.worker({ handlers: ['charge'] }), await rig.worker()];
    const jobId = await rig.submit(workflow({ a: charge }, ['input>a', 'a>output']));
    const lease = await ours.lease();
    const of = async () => rig.workers.progress((await rig.tasks(jobId))[0] ?? expect.unreachable());
    const tell = async (worker: typeof ours, attempt: number, fraction: number) => {
      const before = rig.changes.length;
      worker.send({ t: 'progress', items: [{ id: lease.id, attempt, fraction, message: 'so far' }] });
      while (!rig.changes.slice(before).some(({ kind, id }) => kind === 'task' && id === lease.id))
        await new Promise(setImmediate);
      return of();
    };
    ours.report(started(lease));
    while ((await rig.tasks(jobId))[0]?.state !== 'RUNNING') await new Promise(setImmediate);
    expect(await tell(ours, 1, 0.25)).toEqual({
      fraction: 0.25,
      message: 'so far',
      at: new Date(rig.clock.now()).toISOString(),
    });
    expect(await tell(ours, 1, 7)).toMatchObject({ fraction: 1 });
    expect(await tell(ours, 2, 0.5)).toBeNull();
    expect(await tell(other, 1, 0.5)).toBeNull();
    expect(await tell(ours, 1, 0.75)).toMatchObject({ fraction: 0.75 });
    ours.report(done(lease, 1));
    await rig.jobs.wait(jobId, 60);
    expect(await of()).toBeNull();
  });
});
