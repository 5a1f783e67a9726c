import { afterEach, beforeEach, expect, it } from 'vitest';
import { done, failed, started, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig();
  worker = await rig.worker({ capacity: 1 });
});
afterEach(() => rig.close());

/** What the rows say, without asking the engine. */
const rows = () =>
  rig.store.read
    .query<{ state: string }>('SELECT state FROM task ORDER BY seq')
    .all()
    .map(({ state }) => state);

/** Two replicas for one slot: the second is queued, and handed out when the first ends. */
async function handOutQueued() {
  const jobId = await rig.submit(workflow({ a: {} }, ['input>a', 'a>output']), [{}, {}]);
  worker.report(done(await worker.lease(), 1));
  return { jobId, lease: await worker.lease() };
}

it('writes it a moment later by itself', async () => {
  await handOutQueued();
  await expect.poll(rows).toEqual(['COMPLETED', 'SCHEDULED']);
});

it('writes it first for whoever asks', async () => {
  const { jobId, lease } = await handOutQueued();
  expect((await rig.jobs.task(lease.id)).state).toBe('SCHEDULED');
  expect((await rig.jobs.get(jobId)).taskCounters).toMatchObject({
    readyTasks: 0,
    scheduledTasks: 1,
    completedTasks: 1,
  });
});

it('goes with the end of the task, with no step missing from its history', async () => {
  const { jobId, lease } = await handOutQueued();
  worker.report(started(lease), done(lease, 2));
  await rig.jobs.wait(jobId, 60);
  expect(rows()).toEqual(['COMPLETED', 'COMPLETED']);
  expect((await rig.jobs.task(lease.id)).history.map(({ to }) => to)).toEqual([
    'READY',
    'SCHEDULED',
    'RUNNING',
    'COMPLETED',
  ]);
  expect((await rig.jobs.get(jobId)).taskCounters).toMatchObject({
    readyTasks: 0,
    scheduledTasks: 0,
    runningTasks: 0,
    completedTasks: 2,
  });
});

it('is written when the master stops in order', async () => {
  await handOutQueued();
  await rig.jobs.close();
  expect(rows()).toEqual(['COMPLETED', 'SCHEDULED']);
});

/** A job whose caller waits. */
const awaited = (nodes: Parameters<typeof workflow>[0] = { a: {} }, more = { awaited: true }) =>
  rig.submit(workflow(nodes, ['input>a', 'a>output']), [{}], more);

it('writes a job whose caller waits once, with its end', async () => {
  const jobId = await awaited();
  const lease = await worker.lease();
  expect(rows()).toEqual([]);
  worker.report(started(lease), done(lease, 1));
  expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '[1]' });
  expect(rows()).toEqual(['COMPLETED']);
  expect((await rig.jobs.task(lease.id)).history.map(({ to }) => to)).toEqual([
    'READY',
    'SCHEDULED',
    'RUNNING',
    'COMPLETED',
  ]);
});

it('writes it at once where its nodes have effects outside, its caller is told now, or no worker has room', async () => {
  await awaited({ a: { type: 'http', config: { method: 'GET', url: 'http://localhost' } } });
  expect(rows()).toHaveLength(1);
  await awaited({ a: {} });
  expect(rows()).toEqual([expect.anything(), 'READY']);
  worker.report(done(await worker.lease(), 1));
  await worker.lease();
  await awaited({ a: {} }, { awaited: false });
  expect(rows()).toHaveLength(3);
});

it('writes it soon where it runs on, and first for whoever asks', async () => {
  await awaited();
  await expect.poll(rows).toEqual(['SCHEDULED']);
  const lease = await worker.lease();
  worker.report(started(lease), done(lease, 1));
  const asked = await awaited({ a: { name: 'asked' } });
  expect((await rig.jobs.get(asked)).taskCounters).toMatchObject({ scheduledTasks: 1 });
});

it('writes all that was done of it when a step of it has to be written', async () => {
  const wide = await rig.worker({ capacity: 8 });
  const jobId = await rig.submit(
    workflow({ a: {}, b: {}, c: {} }, ['input>a', 'input>b', 'a>c', 'b>c', 'c>output']),
    [{}],
    { awaited: true },
  );
  const leases = [await wide.lease(), await wide.lease()];
  expect(rows()).toEqual([]);
  const of = (node: string) => leases.find((lease) => lease.node === node) ?? expect.fail(`no lease of ${node}`);
  wide.report(failed(of('a')));
  await expect.poll(rows).toEqual(['FAILED', 'SCHEDULED']);
  expect((await rig.jobs.get(jobId)).taskCounters).toMatchObject({ failedTasks: 1, scheduledTasks: 1 });
});

it('is handed out again after a crash, and counted as its row says', async () => {
  const { jobId } = await handOutQueued();
  const file = rig.crash();
  expect(rows()).toEqual(['COMPLETED', 'READY']);
  await rig.close();
  rig = await openRig({ file, clock: rig.clock });
  expect((await rig.jobs.get(jobId)).taskCounters).toMatchObject({
    readyTasks: 1,
    scheduledTasks: 0,
    completedTasks: 1,
  });
  expect(rig.jobs.queueDepth).toBe(1);
  worker = await rig.worker();
  worker.report(done(await worker.lease(), 2));
  expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '[1,2]' });
  expect((await rig.jobs.get(jobId)).taskCounters).toMatchObject({
    readyTasks: 0,
    scheduledTasks: 0,
    runningTasks: 0,
    completedTasks: 2,
  });
});

it("is its worker's again after a crash, which goes on where it is", async () => {
  const { jobId, lease } = await handOutQueued();
  const file = rig.crash();
  await rig.close();
  rig = await openRig({ file, clock: rig.clock });
  const back = await rig.worker({ id: worker.id, capacity: 1, running: [{ id: lease.id, attempt: 1 }] });
  back.report(started(lease), done(lease, 2));
  expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '[1,2]' });
  expect(back.frames.map(({ t }) => t)).toEqual(['welcome']);
  expect(await rig.jobs.task(lease.id)).toMatchObject({ attempt: 1, workerId: worker.id });
});

it('stays with the worker that has it by now, where another comes back that had it before the crash', async () => {
  const { jobId, lease } = await handOutQueued();
  const file = rig.crash();
  await rig.close();
  rig = await openRig({ file, clock: rig.clock });
  const other = await rig.worker({ capacity: 1 });
  const again = await other.lease();
  expect(again).toMatchObject({ id: lease.id, attempt: 1 });
  const back = await rig.worker({ id: worker.id, capacity: 1, running: [{ id: lease.id, attempt: 1 }] });
  expect(await back.next('lost')).toMatchObject({ ids: [lease.id], attempts: [1] });
  back.report(done(lease, 'from the first'));
  await back.next('lost');
  other.report(done(again, 'from the second'));
  expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ outputText: '[1,"from the second"]' });
});

it('leaves no long text behind of a job that a crash took before it was written', async () => {
  const counts = (of: Rig) =>
    ['job', 'payload'].map(
      (table) => of.store.read.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n,
    );
  const other = await rig.worker({ capacity: 1 });
  const flow = workflow({ a: {} }, ['input>a', 'a>output']);
  await rig.submit(flow, [{ text: 'k'.repeat(20_000) }]);
  await rig.submit(flow, [{ text: 'x'.repeat(20_000) }], { awaited: true });
  const file = rig.crash();
  expect(counts(rig)).toEqual([1, 2]);
  const again = await openRig({ file, clock: rig.clock });
  expect(counts(again)).toEqual([1, 1]);
  await again.close();
  await other.vanish();
});
