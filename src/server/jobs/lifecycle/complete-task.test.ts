import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { done, failed, started, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig();
  worker = await rig.worker({ capacity: 4 });
});
afterEach(() => rig.close());

const byNode = async (jobId: string) => Object.fromEntries((await rig.tasks(jobId)).map((task) => [task.node, task]));

describe('a linear chain', () => {
  const abc = () => workflow({ a: {}, b: {}, c: {} }, ['input>a', 'a>b', 'b>c', 'c>output']);

  it('is leased at once; each node is a task of its own when its predecessor is done', async () => {
    const jobId = await rig.submit(abc());
    const lease = await worker.lease();
    expect(lease.chain.map(({ node }) => node)).toEqual(['b', 'c']);
    expect(Object.keys(await byNode(jobId))).toEqual(['a']);
    const [b, c] = lease.chain;
    if (!b || !c) throw new Error('no chain');
    worker.report(started(lease), done(lease, { from: 'a' }), started({ id: b.id, attempt: 1 }));
    await expect.poll(async () => (await byNode(jobId))['b']?.state).toBe('RUNNING');
    expect((await byNode(jobId))['b']).toMatchObject({
      id: b.id,
      input: { from: 'a' },
      workerId: worker.id,
      attempt: 1,
    });
    expect((await rig.workers.get(worker.id)).currentTasks).toBe(1);
    worker.report(done({ id: b.id, attempt: 1 }, 'b'), done({ id: c.id, attempt: 1 }, 'c'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '["c"]' });
    expect((await byNode(jobId))['c']).toMatchObject({
      state: 'COMPLETED',
      input: 'b',
      output: 'c',
      history: [{ to: 'READY' }, { to: 'SCHEDULED' }, { to: 'RUNNING' }, { to: 'COMPLETED' }],
    });
    expect(worker.untaken).toBe(0);
  });

  it('broken in the middle, is leased again from where it broke', async () => {
    const jobId = await rig.submit(abc());
    const lease = await worker.lease();
    const b = { id: lease.chain[0]?.id ?? '', attempt: 1 };
    worker.report(done(lease, 'a'), failed(b));
    await expect.poll(async () => (await byNode(jobId))['b']?.state).toBe('FAILED');
    expect((await byNode(jobId))['c']).toBeUndefined();
    rig.clock.advance(2000);
    await rig.check();
    const again = await worker.lease();
    expect(again).toMatchObject({
      id: b.id,
      node: 'b',
      attempt: 2,
      input: 'a',
      chain: [{ id: lease.chain[1]?.id, node: 'c' }],
    });
    worker.report(done(again, 'b'), done({ id: again.chain[0]?.id ?? '', attempt: 1 }, 'c'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ outputText: '["c"]' });
  });

  it('killed, is killed whole', async () => {
    const jobId = await rig.submit(abc());
    const lease = await worker.lease();
    await rig.jobs.kill(jobId, 'ann');
    expect((await worker.next('kill')).ids).toEqual([lease.id, ...lease.chain.map(({ id }) => id)]);
  });

  it('takes a condition only as its last', async () => {
    await rig.submit(workflow({ a: {}, c: { type: 'condition' }, d: {} }, ['input>a', 'a>c', 'c>d:true', 'd>output']));
    expect((await worker.lease()).chain.map(({ node }) => node)).toEqual(['c']);
  });
});

describe('branches and joins', () => {
  it('runs branches side by side and joins them by predecessor', async () => {
    const jobId = await rig.submit(
      workflow({ a: {}, l: {}, r: {}, j: {} }, ['input>a', 'a>l', 'a>r', 'l>j', 'r>j', 'j>output']),
    );
    worker.report(done(await worker.lease(), 'a'));
    const branches = [await worker.lease(), await worker.lease()];
    expect(branches.map(({ node, input, chain }) => [node, input, chain])).toEqual([
      ['l', 'a', []],
      ['r', 'a', []],
    ]);
    worker.report(done(branches[1] as { id: string; attempt: number }, 'R'));
    await expect.poll(async () => (await byNode(jobId))['r']?.state).toBe('COMPLETED');
    expect((await byNode(jobId))['j']).toBeUndefined();
    worker.report(done(branches[0] as { id: string; attempt: number }, 'L'));
    const join = await worker.lease();
    expect(join).toMatchObject({ node: 'j', input: { l: 'L', r: 'R' } });
    worker.report(done(join, 'both'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ outputText: '["both"]' });
  });

  it('both branches done in one frame make the join once', async () => {
    const jobId = await rig.submit(
      workflow({ l: {}, r: {}, output: { type: 'output' } }, ['input>l', 'input>r', 'l>output', 'r>output']),
    );
    const [l, r] = [await worker.lease(), await worker.lease()];
    worker.report(done(l, 1), done(r, 2));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '[{"l":1,"r":2}]' });
  });

  const fork = (join: 'keyed' | 'value') =>
    workflow({ c: { type: 'condition' }, yes: {}, no: {}, output: { type: 'output', join } }, [
      'input>c',
      'c>yes:true',
      'c>no:false',
      'yes>output',
      'no>output',
    ]);

  it.each([
    ['keyed', '[{"no":"N"}]'],
    ['value', '["N"]'],
  ] as const)('skips the branch that a condition did not take (%s)', async (join, output) => {
    const jobId = await rig.submit(fork(join), [{ x: 1 }]);
    worker.report(done(await worker.lease(), { x: 1 }, 'false'));
    const no = await worker.lease();
    expect(no).toMatchObject({ node: 'no', input: { x: 1 } });
    worker.report(done(no, 'N'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: output });
    expect(Object.keys(await byNode(jobId))).toEqual(['c', 'no']);
  });

  it('answers null where the output was skipped', async () => {
    const flow = workflow({ c: { type: 'condition' }, yes: {} }, ['input>c', 'c>yes:true', 'yes>output']);
    const jobId = await rig.submit(flow, [{}, {}]);
    worker.report(done(await worker.lease(), {}, 'false'), done(await worker.lease(), {}, 'false'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '[null,null]' });
  });

  it('joins the replica’s input with what was made of it', async () => {
    const jobId = await rig.submit(workflow({ a: {}, j: {} }, ['input>a', 'input>j', 'a>j', 'j>output']), [
      { n: 1 },
      { n: 2 },
    ]);
    const leases = [await worker.lease(), await worker.lease()];
    worker.report(...leases.map((lease) => done(lease, 'A')));
    const joins = [await worker.lease(), await worker.lease()];
    expect(joins.map(({ input }) => input)).toEqual([
      { input: { n: 1 }, a: 'A' },
      { input: { n: 2 }, a: 'A' },
    ]);
    worker.report(...joins.map((lease) => done(lease, lease.replica)));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ outputText: '[0,1]' });
  });

  it('lets the other branch of a failed replica end, and never makes the join', async () => {
    const jobId = await rig.submit(workflow({ l: {}, r: {}, j: {} }, ['input>l', 'input>r', 'l>j', 'r>j', 'j>output']));
    const [l, r] = [await worker.lease(), await worker.lease()];
    worker.report(failed(l, { code: 'NON_RETRYABLE', retryable: false }), done(r, 2));
    await expect.poll(async () => (await rig.jobs.get(jobId)).finishedAt).not.toBeNull();
    expect(Object.keys(await byNode(jobId))).toEqual(['l', 'r']);
    expect((await rig.jobs.get(jobId)).status).toBe('FAILED');
  });
});

describe('payloads', () => {
  const big = 'x'.repeat(100_000);

  it('keeps long ones apart, cuts them in lists and hands them on whole', async () => {
    const jobId = await rig.submit(workflow({ a: {}, b: {} }, ['input>a', 'input>b', 'a>output']), [{ big }]);
    const [a, b] = [await worker.lease(), await worker.lease()];
    expect([a.input, b.input]).toEqual([{ big }, { big }]);
    expect(rig.store.read.query<{ n: number }>('SELECT count(*) AS n FROM payload').get()?.n).toBe(1);
    worker.report(done(a, big), done(b, null));
    expect((await rig.jobs.wait(jobId, 60)).outputText).toBe(JSON.stringify([big]));
    const tasks = await rig.tasks(jobId);
    expect(String(tasks[0]?.output)).toHaveLength(64 * 1024 + 1);
    expect(Buffer.from(await rig.jobs.payload({ task: a.id, of: 'output' })).toString()).toBe(JSON.stringify(big));
    expect(await rig.jobs.payload({ task: b.id, of: 'output' })).toBe('null');
    expect(JSON.parse(Buffer.from(await rig.jobs.payload({ task: a.id, of: 'input' })).toString())).toEqual({ big });
  });

  it('fails a task whose output is over the limit', async () => {
    const jobId = await rig.submit(workflow({ a: {} }, ['input>a', 'a>output']));
    worker.report(done(await worker.lease(), 'x'.repeat(rig.limits.taskOutputBytes)));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({
      failure: { taskCode: 'NON_RETRYABLE', taskMessage: expect.stringContaining('the maximum is') },
    });
  });
});
