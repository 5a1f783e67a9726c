import { afterEach, describe, expect, it } from 'vitest';
import { openPoolRig, type PoolRig } from '../../testing/worker-pool.fixture.ts';
import { submission, workflow } from '../../testing/engine.fixture.ts';
import { LOWER_PRIORITY_SHARE, TURN_MS, TURN_TASKS } from './queue.ts';

let rig: PoolRig;
afterEach(() => rig.close());

const one = (workflowId = 'flow', node = {}) => workflow({ a: node }, ['input>a', 'a>output'], { workflowId });
const inputs = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const submit = async (runnable: ReturnType<typeof workflow>, count: number, more = {}) =>
  (await rig.jobs.submit(submission(runnable, inputs(count), more))).jobId;
const all = () => [...rig.open.values()];
/** Finishes what is out, one frame after the other, until nothing is. */
async function drain(most = Number.POSITIVE_INFINITY): Promise<void> {
  while (rig.open.size > 0 && rig.leases.length < most) await rig.finish(all());
}

describe('turns', () => {
  it('one huge job does not starve those that come later', async () => {
    rig = await openPoolRig();
    const huge = await submit(one(), 5000);
    await expect.poll(() => rig.jobs.queueDepth).toBe(5000);
    await rig.addWorker('w', 2);
    const late = [await submit(one(), 3), await submit(one(), 3)];
    const before = rig.leases.length;
    while (rig.leases.slice(before).filter(({ jobId }) => late.includes(jobId)).length < 6) await rig.finish(all());
    // Each of three jobs has its turn of at most eight tasks.
    expect(rig.leases.length - before).toBeLessThanOrEqual(3 * TURN_TASKS + 2);
    expect(rig.leases.filter(({ jobId }) => jobId === huge).length).toBeLessThan(40);
  });

  it('what was begun is finished first after a restart too', async () => {
    rig = await openPoolRig();
    const flow = workflow({ a: { type: 'condition' }, b: {}, c: {} }, [
      'input>a',
      'a>b:true',
      'a>c:false',
      'b>output',
      'c>output',
    ]);
    await submit(flow, 90);
    await rig.addWorker('w', 20);
    rig.poolWorkers.delete('w');
    for (const { id, attempt } of all())
      rig.events.report('w', [{ e: 'done', id, attempt, startedAt: 0, at: 0, output: 1, port: 'true' }]);
    await rig.settled();
    const { file, clock } = rig;
    await rig.abandon();
    rig = await openPoolRig({ file, clock });
    await rig.addWorker('v', 25);
    const nodes = rig.leases.map(({ node }) => node);
    expect(nodes.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'b'));
    expect(nodes.slice(20)).toEqual(Array.from({ length: 5 }, () => 'a'));
  });

  it('however many huge jobs fill the memory, one that comes late has its turn with them', async () => {
    rig = await openPoolRig();
    const flow = one();
    for (let i = 0; i < 30; i++) await submit(flow, 150);
    const late = await submit(flow, 8);
    await rig.addWorker('w', 1);
    while (rig.leases.filter(({ jobId }) => jobId === late).length < 8) await rig.finish(all());
    expect(rig.leases.length).toBeLessThanOrEqual(31 * TURN_TASKS);
    expect(new Set(rig.leases.map(({ jobId }) => jobId)).size).toBe(31);
  });

  it('long tasks go by turns one at a time', async () => {
    rig = await openPoolRig();
    const ids = [await submit(one(), 4), await submit(one(), 4), await submit(one(), 4)];
    await rig.addWorker('w', 1);
    for (let i = 0; i < 9; i++) {
      rig.clock.advance(TURN_MS + 1);
      await rig.finish(all());
    }
    expect(rig.leases.slice(0, 9).map(({ jobId }) => ids.indexOf(jobId))).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
  });

  it('what was begun is finished first', async () => {
    rig = await openPoolRig();
    const flow = workflow({ a: { type: 'condition' }, b: {}, c: {} }, [
      'input>a',
      'a>b:true',
      'a>c:false',
      'b>output',
      'c>output',
    ]);
    await submit(flow, 3);
    await rig.addWorker('w', 1);
    const seen: string[] = [];
    for (let i = 0; i < 6; i++) {
      const [held] = all();
      seen.push(`${held?.node}${held?.replica}`);
      rig.open.clear();
      rig.events.report('w', [
        {
          e: 'done',
          id: held?.id ?? '',
          attempt: 1,
          startedAt: 0,
          at: 0,
          output: 1,
          ...(held?.node === 'a' ? { port: 'true' as const } : {}),
        },
      ]);
      await rig.settled();
    }
    expect(seen).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
  });

  it('a hundred thousand would be as these thousands: jobs of one task wait in the database, through a restart, and none is lost', async () => {
    rig = await openPoolRig();
    const flow = one();
    const jobs = await Promise.all(Array.from({ length: 3000 }, () => rig.jobs.submit(submission(flow, [{}]))));
    expect(rig.jobs.queueDepth).toBe(3000);
    await rig.addWorker('w', 7);
    await rig.finish(all());
    const first = rig.leases.map(({ jobId }) => jobId);
    const { file, clock } = rig;
    await rig.abandon();
    rig = await openPoolRig({ file, clock });
    await rig.addWorker('v', 300);
    await drain();
    const ran = new Set([...first, ...rig.leases.map(({ jobId }) => jobId)]);
    // Those that the first master had out when it ended are lost with their worker, and come back after their back-off.
    rig.clock.advance(60_000);
    await rig.check();
    await drain();
    for (const { jobId } of rig.leases) ran.add(jobId);
    expect(ran.size).toBe(jobs.length);
    expect(rig.jobs.queueDepth).toBe(0);
  });
});

describe('priority', () => {
  it('the higher goes first, and the lower has its share', async () => {
    rig = await openPoolRig();
    const low = await submit(one(), 200, { priority: -5 });
    const high = await submit(one(), 200, { priority: 5 });
    const mid = await submit(one(), 200);
    await rig.addWorker('w', 1);
    await drain(2 * LOWER_PRIORITY_SHARE * 4);
    const count = (jobId: string) =>
      rig.leases.slice(0, 2 * LOWER_PRIORITY_SHARE * 4).filter((lease) => lease.jobId === jobId).length;
    expect(count(high)).toBe(2 * (LOWER_PRIORITY_SHARE - 1) * 4);
    // The two that are lower take turns with the share.
    expect([count(mid), count(low)]).toEqual([4, 4]);
    expect((await rig.jobs.get(high)).priority).toBe(5);
  });

  it('holds through a restart, however many wait', async () => {
    rig = await openPoolRig();
    const flow = one();
    await Promise.all(Array.from({ length: 1500 }, () => rig.jobs.submit(submission(flow, [{}]))));
    const high = await submit(flow, 5, { priority: 100 });
    const { file, clock } = rig;
    await rig.abandon();
    rig = await openPoolRig({ file, clock });
    await rig.addWorker('w', 6);
    expect(rig.leases.filter(({ jobId }) => jobId === high)).toHaveLength(5);
  });
});

describe('handlers', () => {
  const needs = (handler: string) => one('flow', { type: 'handler', config: { handler } });

  it('go to workers that have registered them, and hold nobody else up', async () => {
    rig = await openPoolRig();
    await submit(needs('mail'), 2000);
    await rig.addWorker('plain', 4);
    expect(rig.leases).toHaveLength(0);
    const others = await submit(one(), 100);
    await drain();
    expect(rig.leases.map(({ jobId }) => jobId)).toEqual(Array.from({ length: 100 }, () => others));
    await rig.addWorker('mailer', 3, ['mail', 'other']);
    await drain();
    expect(rig.leases).toHaveLength(2100);
    expect(new Set(rig.leases.slice(100).map(({ workerId }) => workerId))).toEqual(new Set(['mailer']));
  });

  it('a job of both kinds goes on with what it can', async () => {
    rig = await openPoolRig();
    const flow = workflow({ h: { type: 'handler', config: { handler: 'mail' } }, t: {} }, [
      'input>h',
      'input>t',
      'h>output',
      't>output',
    ]);
    await submit(flow, 700);
    await rig.addWorker('plain', 5);
    await drain();
    expect(rig.leases.map(({ node }) => node)).toEqual(Array.from({ length: 700 }, () => 't'));
    await rig.addWorker('mailer', 5, ['mail']);
    await drain();
    expect(rig.leases).toHaveLength(1400);
  });

  it('what can go is found behind any number of tasks that cannot', async () => {
    rig = await openPoolRig();
    const flow = workflow(
      { c: { type: 'condition' }, h: { type: 'handler', config: { handler: 'mail' } }, t: {} },
      ['input>h', 'input>c', 'c>t:true', 'h>output', 't>output'],
      { workflowId: 'mixed' },
    );
    await rig.addWorker('w', 1);
    const jobId = await submit(flow, 900);
    // Every condition is done first; its successors come behind the tasks that wait for their handler.
    while (rig.open.size > 0) {
      for (const held of all()) {
        rig.open.delete(held.id);
        rig.events.report('w', [
          {
            e: 'done',
            id: held.id,
            attempt: 1,
            startedAt: 0,
            at: 0,
            output: 1,
            ...(held.node === 'c' ? { port: 'true' as const } : {}),
          },
        ]);
      }
      await rig.settled();
    }
    expect((await rig.jobs.get(jobId)).taskCounters).toMatchObject({ readyTasks: 900, completedTasks: 1800 });
    const { file, clock } = rig;
    await rig.abandon();
    rig = await openPoolRig({ file, clock });
    await rig.addWorker('mailer', 50, ['mail']);
    await drain();
    expect((await rig.jobs.get(jobId)).status).toBe('COMPLETED');
  });
});

describe('limits on what runs at once', () => {
  it('of a workflow and of a key, live, while others go on', async () => {
    rig = await openPoolRig();
    await rig.jobs.limit({ scope: 'workflow', id: 'narrow', name: 'narrow', most: 2 });
    await rig.jobs.limit({ scope: 'key', id: 7, name: 'shop', most: 3 });
    await rig.addWorker('w', 20);
    await submit(one('narrow'), 50);
    await submit(one('wide'), 50, { keySeq: 7 });
    await submit(one('wide'), 5);
    await rig.settled();
    const out = (workflowId: string) => all().filter((held) => held.workflowId === workflowId).length;
    expect([out('narrow'), out('wide')]).toEqual([2, 8]);
    await rig.finish(all().filter((held) => held.workflowId === 'narrow'));
    expect(out('narrow')).toBe(2);
    await rig.jobs.limit({ scope: 'workflow', id: 'narrow', name: 'narrow', most: 5 });
    await rig.settled();
    expect(out('narrow')).toBe(5);
    await rig.jobs.limit({ scope: 'key', id: 7, name: 'shop', most: null });
    await rig.settled();
    expect(out('narrow') + out('wide')).toBe(20);
    await drain();
    expect(rig.leases).toHaveLength(105);
  });
});

it('an input too long to be kept is there for who is handed the task in the very turn that made it', async () => {
  rig = await openPoolRig();
  const long = 'x'.repeat(30_000);
  // Something waits that cannot go, so that nothing is handed out past the queue.
  await submit(one('waits', { type: 'handler', config: { handler: 'nobody' } }), 1);
  await rig.addWorker('w', 1);
  await rig.jobs.submit(
    submission(workflow({ a: { type: 'condition' }, b: {} }, ['input>a', 'a>b:true', 'b>output']), [{ long }]),
  );
  expect(rig.leases[0]?.input).toEqual({ long });
  rig.open.clear();
  rig.events.report('w', [
    { e: 'done', id: rig.leases[0]?.id ?? '', attempt: 1, startedAt: 0, at: 0, output: { long }, port: 'true' },
  ]);
  await rig.settled();
  expect(rig.leases[1]).toMatchObject({ node: 'b', input: { long } });
});

it('a turn fills one frame before the next worker is taken, and keeps loads alike', async () => {
  rig = await openPoolRig();
  await submit(one(), 40);
  for (const id of ['a', 'b'])
    rig.poolWorkers.set(id, {
      id,
      capacity: 16,
      handlers: [],
      handlersOnly: false,
      takesAhead: false,
      environments: null,
      accepting: true,
      state: 'Operational',
      drained: false,
      admitted: true,
      registeredAt: 0,
      load: 0,
      longLoad: 0,
      longComputing: 0,
    });
  await rig.addWorker('c', 16);
  const loads = [...rig.poolWorkers.values()].map(({ load }) => load);
  expect(loads.reduce((sum, load) => sum + load, 0)).toBe(40);
  expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(8);
  expect(rig.frames()).toBe(3);
});
