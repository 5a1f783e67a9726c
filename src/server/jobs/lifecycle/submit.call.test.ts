import { afterEach, expect, it } from 'vitest';
import { openRig, submission, workflow, type Rig } from '../../testing/engine.fixture.ts';
import { heldDisk } from '../../testing/held-disk.fixture.ts';
import { done } from '../../testing/worker.fake.ts';

let rig: Rig;
afterEach(() => rig.close());

const flow = workflow({ a: {} }, ['input>a', 'a>output']);

it('answers with the end of a job that ended before its submission was on the disk, and not before that end is', async () => {
  const disk = heldDisk();
  rig = await openRig({ disk });
  const worker = await rig.worker();
  await rig.store.durable();
  disk.hold();
  // Something else of the same turn is on its way to the disk.
  const other = rig.store.write((db) => db.statement("INSERT INTO setting VALUES ('a', '1')").run());
  let ended: unknown = null;
  const called = rig.jobs.call(submission(flow, [{}]), 60).then((outcome) => (ended = outcome));
  worker.report(done(await worker.lease(), 7));
  const outputs = () => rig.store.read.query('SELECT output FROM task').all();
  await expect.poll(outputs).toEqual([{ output: '7' }]);
  // Its outcome is at hand: rows are not read for it.
  const spoilt = rig.store.write((db) => db.statement("UPDATE task SET output = '8', output_sum = NULL").run());
  await expect.poll(outputs).toEqual([{ output: '8' }]);
  expect(ended).toBeNull();
  disk.release();
  await Promise.all([other, called, spoilt]);
  expect(ended).toMatchObject({ status: 'COMPLETED', outputText: '[7]' });
});

it('answers with what is known once its time is over, or the caller leaves', async () => {
  rig = await openRig();
  await rig.worker();
  expect(await rig.jobs.call(submission(flow, [{}]), 0.01)).toMatchObject({ status: 'RUNNING', outputText: null });
  let leave = () => {};
  const called = rig.jobs.call(submission(flow, [{}]), 60, (end) => (leave = end));
  await expect.poll(async () => (await rig.jobs.list({ page: 0, size: 5, sort: 'createdAt,asc' })).totalItems).toBe(2);
  leave();
  expect(await called).toMatchObject({ status: 'RUNNING', outputText: null });
});

it('waits for the job of the second run where its turn is rolled back', async () => {
  rig = await openRig();
  const worker = await rig.worker();
  const called = rig.jobs.call(submission(flow, [{}]), 60);
  await expect(
    rig.store.write(() => {
      throw new Error('refused');
    }),
  ).rejects.toThrow('refused');
  worker.report(done(await worker.lease(), 7));
  expect(await called).toMatchObject({ status: 'COMPLETED', outputText: '[7]' });
});
