import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectWorker, done, failed, started } from '../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../testing/engine.fixture.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const one = () => workflow({ a: {} }, ['input>a', 'a>output']);
const stateOf = async (id: string) => (await rig.workers.get(id)).state;
const taskOf = async (jobId: string) => (await rig.tasks(jobId))[0];

describe('the link', () => {
  it('welcomes a worker with all that it needs', async () => {
    const worker = await rig.worker({ capacity: 3 });
    expect(worker.welcome).toMatchObject({
      protocol: 1,
      heartbeatSeconds: 2,
      logstash: { host: '127.0.0.1', port: 9000 },
      limits: { taskOutputBytes: rig.limits.taskOutputBytes },
    });
    expect(await rig.workers.get(worker.id)).toMatchObject({
      id: worker.id,
      state: 'Operational',
      drained: false,
      currentTasks: 0,
      maxTasks: 3,
      version: '0.0.0',
      url: 'http://127.0.0.1:1',
      labels: {},
      handlers: [],
    });
    expect(rig.changes).toContainEqual({ kind: 'worker', id: worker.id });
  });

  it('tells of limits that changed', async () => {
    const worker = await rig.worker();
    (rig.limits as { httpBodyBytes: number }).httpBodyBytes = 4321;
    rig.tellLimits();
    await expect
      .poll(() => worker.frames.find((frame) => frame.t === 'limits'))
      .toMatchObject({ limits: { httpBodyBytes: 4321 }, http: { allowPrivate: true, allow: [] } });
  });

  it('tells of the masters of a cluster, at the welcome and when they change, and of none where there is a single one', async () => {
    expect((await rig.worker()).welcome).not.toHaveProperty('masters');
    let masters = ['http://a:8700', 'http://b:8700'];
    const several = await openRig({ masters: () => masters });
    const worker = await several.worker();
    expect(worker.welcome.masters).toEqual(masters);
    masters = ['http://b:8700'];
    several.tellMasters();
    await expect.poll(() => worker.frames.find((frame) => frame.t === 'masters')).toMatchObject({ masters });
    await several.close();
  });

  it.each([
    ['an unknown kind of many bytes', JSON.stringify({ t: '漢'.repeat(300) })],
    ['an unknown kind of halves of characters', JSON.stringify({ t: '\ud83d'.repeat(300) })],
    ['no JSON, of many bytes', '😀'.repeat(300)],
    ['a very long kind', JSON.stringify({ t: 'x'.repeat(1_000_000) })],
  ])('ends with a frame that is none, whatever stands in it: %s', async (_what, text) => {
    const worker = await rig.worker();
    const other = await rig.worker();
    worker.sendText(text);
    const { code, reason } = await worker.closed;
    expect(code).toBe(1008);
    expect(reason).toMatch(/^(?:the frame "|a frame must be a JSON object)/);
    await other.receipt('alive');
  });

  it('refuses another version of the protocol, for good', async () => {
    await expect(connectWorker({ url: rig.url, protocol: 99 })).rejects.toThrow('4001 PROTOCOL_MISMATCH');
    expect(rig.workers.overview().total).toBe(0);
  });

  it('ends a link that breaks the protocol, and says why', async () => {
    const worker = await rig.worker();
    worker.sendText('{"t":"report","items":[{"e":"done"}]}');
    expect((await worker.closed).reason).toContain('items must be a list of reports');
    const other = await rig.worker();
    other.sendText('nonsense');
    expect((await other.closed).reason).toContain('a frame must be a JSON object');
  });

  it('keeps metrics of workers under their id', async () => {
    const worker = await rig.worker();
    worker.send({
      t: 'metrics',
      points: [{ time: 1, measurement: 'orders', tags: { zone: 'b' }, fields: { x: 1 } }],
    });
    worker.beat();
    await expect
      .poll(() => rig.points)
      .toMatchObject([
        { measurement: 'orders', tags: { zone: 'b', worker_id: worker.id }, fields: { x: 1 } },
        {
          measurement: 'worker_metrics',
          tags: { worker_id: worker.id },
          fields: { gauge_cpu_usage: 0.5, gauge_memory_usage: 1000, gauge_current_tasks: 0, gauge_max_tasks: 4 },
        },
      ]);
  });
});

describe('states', () => {
  it('Operational, Maxed, Unstable, Down', async () => {
    const worker = await rig.worker({ capacity: 1 });
    expect(await stateOf(worker.id)).toBe('Operational');
    await rig.submit(one());
    const lease = await worker.lease();
    expect(await stateOf(worker.id)).toBe('Maxed');
    worker.report(done(lease, 1));
    await expect.poll(() => stateOf(worker.id)).toBe('Operational');
    rig.clock.advance(6001);
    await rig.look();
    expect(await stateOf(worker.id)).toBe('Unstable');
    worker.beat();
    await expect.poll(() => stateOf(worker.id)).toBe('Operational');
    rig.clock.advance(15_001);
    await rig.look();
    expect(await stateOf(worker.id)).toBe('Down');
    expect(rig.workers.anyAlive).toBe(false);
    expect(rig.workers.overview()).toMatchObject({ total: 1, down: 1, maxTasks: 0 });
    expect(rig.workers.lost()).toMatchObject([{ id: worker.id }]);
  });

  it('a goodbye is Down at once', async () => {
    const worker = await rig.worker();
    worker.send({ t: 'bye' });
    await expect.poll(() => stateOf(worker.id)).toBe('Down');
    expect(rig.workers.lost()).toEqual([]);
    expect((await rig.workers.get(worker.id)).ended).toMatchObject({ reason: 'stopped' });
    // Nobody has to look for it: it counts no more than one that was removed.
    expect(rig.workers.overview()).toMatchObject({ total: 0, down: 0, maxTasks: 0 });
  });

  it('a local worker whose process ended is Down at once, and its task goes to another', async () => {
    const worker = await rig.worker({ labels: { local: '1' } });
    const namesake = await rig.worker({ labels: { local: '1' }, capacity: 1 });
    const jobId = await rig.submit(one());
    await worker.lease();
    await worker.vanish();
    rig.ended(1, { code: null, signal: 'SIGSEGV', lines: ['thread panicked', 'core dumped'] });
    await expect.poll(() => stateOf(worker.id)).toBe('Down');
    expect(await rig.workers.get(worker.id)).toMatchObject({
      cpuUsage: null,
      ended: { reason: 'crashed', signal: 'SIGSEGV', exitCode: null, message: 'thread panicked\ncore dumped' },
      replacedBy: namesake.id,
    });
    // What was replaced is folded away, and can be forgotten; what lives can not.
    const listed = async (past: boolean) =>
      (await rig.workers.list({ page: 0, size: 20, sort: 'createdAt,asc', past })).items.map(({ id }) => id);
    expect(await listed(false)).toEqual([namesake.id]);
    expect(await listed(true)).toContain(worker.id);
    expect(rig.workers.overview()).toMatchObject({ total: 1, operational: 1, down: 0 });
    expect(await taskOf(jobId)).toMatchObject({ state: 'FAILED', error: { code: 'WORKER_LOST', retryable: true } });
    // Another worker that bears the same label lives on: its socket is open.
    expect(await stateOf(namesake.id)).toBe('Operational');
    rig.clock.advance(6000);
    namesake.beat();
    await namesake.vanish();
    await expect.poll(async () => (await rig.workers.get(namesake.id)).state).not.toBe('Down');
    await expect(rig.workers.forget(namesake.id)).rejects.toMatchObject({ code: 'WORKER_NOT_DOWN' });
    await rig.workers.forget(worker.id);
    await expect(rig.workers.get(worker.id)).rejects.toMatchObject({ code: 'WORKER_NOT_FOUND' });
  });

  it('a local worker whose socket closes only after its process was seen to end is Down then', async () => {
    const worker = await rig.worker({ labels: { local: '2' } });
    rig.ended(2, { code: 1, signal: null, lines: [] });
    expect(await stateOf(worker.id)).toBe('Operational');
    await worker.vanish();
    await expect.poll(() => stateOf(worker.id)).toBe('Down');
    expect((await rig.workers.get(worker.id)).ended).toMatchObject({ reason: 'crashed', exitCode: 1 });
  });

  it('gives nothing to an Unstable worker', async () => {
    const [silent, lively] = [await rig.worker(), await rig.worker()];
    rig.clock.advance(7000);
    lively.beat();
    await expect
      .poll(async () => (await rig.workers.get(lively.id)).lastHeartbeatAt)
      .toBe(new Date(rig.clock.now()).toISOString());
    await rig.look();
    for (let i = 0; i < 3; i++) await rig.submit(one());
    for (let i = 0; i < 3; i++) await lively.lease();
    expect(silent.untaken).toBe(0);
  });

  it('is Unstable where more than half of its last twenty tasks crashed it, until trusted again', async () => {
    const worker = await rig.worker({ capacity: 20 });
    const jobId = await rig.submit(
      one(),
      Array.from({ length: 11 }, () => ({})),
    );
    for (let i = 0; i < 11; i++)
      worker.report(failed(await worker.lease(), { code: 'WORKER_LOST', message: 'the executor crashed' }));
    await expect.poll(async () => (await rig.jobs.get(jobId)).taskCounters.failedTasks).toBe(11);
    await rig.look();
    expect(await stateOf(worker.id)).toBe('Unstable');
    expect(await rig.workers.resume(worker.id)).toMatchObject({ state: 'Operational' });
  });

  it('forgets a worker that has been Down for long', async () => {
    const worker = await rig.worker();
    await worker.vanish();
    rig.clock.advance(16_000);
    await rig.look();
    rig.clock.advance(3_601_000);
    await rig.look();
    await expect(rig.workers.get(worker.id)).rejects.toMatchObject({ code: 'WORKER_NOT_FOUND' });
  });
});

describe('a worker that is lost', () => {
  it('its tasks are WORKER_LOST and retried on another one; its late report changes nothing', async () => {
    const worker = await rig.worker();
    const jobId = await rig.submit(one());
    const lease = await worker.lease();
    worker.report(started(lease));
    await expect.poll(async () => (await taskOf(jobId))?.state).toBe('RUNNING');
    await worker.vanish();
    rig.clock.advance(16_000);
    await rig.look();
    await expect.poll(async () => (await taskOf(jobId))?.error?.code).toBe('WORKER_LOST');
    expect(await taskOf(jobId)).toMatchObject({
      state: 'FAILED',
      retryAt: expect.any(String),
      error: { retryable: true },
    });
    const other = await rig.worker();
    rig.clock.advance(2000);
    await rig.check();
    const again = await other.lease();
    expect(again).toMatchObject({ id: lease.id, attempt: 2 });
    const back = await rig.worker({ id: worker.id, running: [{ id: lease.id, attempt: 1 }] });
    expect(await back.next('lost')).toEqual({ t: 'lost', ids: [lease.id], attempts: [lease.attempt] });
    back.report(done(lease, 'old'));
    await back.next('lost');
    other.report(done(again, 'new'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ outputText: '["new"]' });
  });

  it('back in time with its leases, goes on', async () => {
    const worker = await rig.worker();
    const jobId = await rig.submit(one());
    const lease = await worker.lease();
    await worker.vanish();
    rig.clock.advance(5000);
    const back = await rig.worker({ id: worker.id, running: [{ id: lease.id, attempt: 1 }] });
    expect(back.id).toBe(worker.id);
    back.report(done(lease, 'kept'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ outputText: '["kept"]' });
    expect((await taskOf(jobId))?.attempt).toBe(1);
  });

  it('back without a lease that it was given, has lost it', async () => {
    const worker = await rig.worker();
    const jobId = await rig.submit(one());
    await worker.lease();
    await worker.vanish();
    await rig.worker({ id: worker.id, running: [] });
    await expect.poll(async () => (await taskOf(jobId))?.error?.code).toBe('WORKER_LOST');
  });
});

describe('drain', () => {
  it('gives nothing new to a drained worker, also after a restart, until resumed', async () => {
    const worker = await rig.worker();
    expect(rig.workers.overview()).toMatchObject({ operational: 1, drained: 0 });
    expect(await rig.workers.drain(worker.id)).toMatchObject({ drained: true });
    expect(rig.workers.overview()).toMatchObject({ operational: 1, drained: 1 });
    const jobId = await rig.submit(one());
    expect((await taskOf(jobId))?.state).toBe('READY');
    await rig.abandon();
    rig = await openRig({ file: rig.file, clock: rig.clock });
    const back = await rig.worker({ id: worker.id });
    expect(await rig.workers.get(worker.id)).toMatchObject({ drained: true });
    back.beat();
    await rig.check();
    expect((await taskOf(jobId))?.state).toBe('READY');
    await rig.workers.resume(worker.id);
    expect((await back.lease()).jobId).toBe(jobId);
    await expect(rig.workers.drain('x')).rejects.toMatchObject({ code: 'WORKER_NOT_FOUND' });
  });

  it('gives nothing to a worker that says it will end', async () => {
    const worker = await rig.worker();
    worker.send({ t: 'drain' });
    worker.beat();
    await expect.poll(async () => (await rig.workers.get(worker.id)).cpuUsage).toBe(0.5);
    const jobId = await rig.submit(one());
    expect((await taskOf(jobId))?.state).toBe('READY');
  });

  it('lets running tasks end before the master stops', async () => {
    const worker = await rig.worker();
    const jobId = await rig.submit(one());
    const lease = await worker.lease();
    let over = false;
    const drained = rig.workers.drainAll(30).then(() => (over = true));
    await worker.next('drain');
    const queued = await rig.submit(one());
    expect(over).toBe(false);
    worker.report(done(lease, 1));
    await drained;
    expect((await rig.jobs.get(jobId)).status).toBe('COMPLETED');
    expect((await taskOf(queued))?.state).toBe('READY');
  });

  it('waits no longer than told', async () => {
    const worker = await rig.worker();
    await rig.submit(one());
    await worker.lease();
    await rig.workers.drainAll(0.01);
  });
});

describe('the list', () => {
  it('pages, sorts and filters', async () => {
    const capacities = [3, 1, 2];
    const ids: string[] = [];
    for (const capacity of capacities) ids.push((await rig.worker({ capacity })).id);
    const page = await rig.workers.list({ page: 1, size: 2, sort: 'maxTasks,desc' });
    expect(page).toMatchObject({ page: 1, size: 2, totalItems: 3, totalPages: 2, items: [{ maxTasks: 1 }] });
    await rig.submit(one());
    await expect.poll(() => rig.workers.overview().currentTasks).toBe(1);
    expect((await rig.workers.list({ page: 0, size: 20, sort: 'currentTasks,desc' })).items[0]?.id).toBe(ids[0]);
    expect(
      (await rig.workers.list({ page: 0, size: 20, sort: 'createdAt,asc', state: ['Down', 'Maxed'] })).totalItems,
    ).toBe(0);
  });
});
