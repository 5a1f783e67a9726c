import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { done, started } from '../../testing/worker.fake.ts';
import { openRig, workflow } from '../../testing/engine.fixture.ts';

const one = () => workflow({ a: { retries: 1, retryBackoffSeconds: 1 } }, ['input>a', 'a>output']);

it('a worker found silent once all is closed leaves nothing going round', async () => {
  const rig = await openRig({ mayReport: true });
  const worker = await rig.worker();
  const jobId = await rig.submit(one());
  worker.report(started(await worker.lease()));
  await expect.poll(async () => (await rig.tasks(jobId))[0]?.state).toBe('RUNNING');
  await rig.close();
  rig.clock.advance(20_000);
  await rig.look().catch(() => {});
  const told = rig.errors.length;
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  expect(rig.errors.length).toBe(told);
});

it('takes a task from a worker that does not begin it in time, and heeds no late report of it', async () => {
  const rig = await openRig();
  const idle = await rig.worker();
  const jobId = await rig.submit(one());
  const first = await idle.lease();
  rig.clock.advance(59_999);
  idle.beat();
  await expect.poll(() => rig.workerPool.worker(idle.id)?.state).toBe('Operational');
  await rig.check();
  expect((await rig.tasks(jobId))[0]).toMatchObject({ state: 'SCHEDULED', attempt: 1 });

  rig.clock.advance(1);
  await rig.check();
  expect((await rig.tasks(jobId))[0]).toMatchObject({ state: 'FAILED', error: { code: 'WORKER_LOST' } });
  expect((await idle.next('lost')).ids).toEqual([first.id]);
  rig.clock.advance(1000);
  await rig.check();
  const again = await idle.lease();
  expect(again).toMatchObject({ id: first.id, attempt: 2 });
  idle.report(done(first, 'late'), done(again, 'again'));
  expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ outputText: '["again"]' });
  expect((await rig.tasks(jobId))[0]?.retryEntries).toMatchObject([
    { code: 'WORKER_LOST', message: expect.stringContaining('did not start the task within 60 s') },
  ]);
  await rig.close();
});

it('leaves one alone that was begun, and counts anew for a worker that has come back with it', async () => {
  const rig = await openRig();
  const worker = await rig.worker();
  const [begun, waiting] = [await rig.submit(one()), await rig.submit(one())];
  const leases = [await worker.lease(), await worker.lease()];
  worker.report(started(leases[0]!));
  await expect.poll(async () => (await rig.tasks(begun))[0]?.state).toBe('RUNNING');
  rig.clock.advance(59_000);
  worker.beat();
  const back = await rig.worker({ id: worker.id, running: leases.map(({ id, attempt }) => ({ id, attempt })) });
  rig.clock.advance(2000);
  back.beat();
  await rig.check();
  expect((await rig.tasks(begun))[0]).toMatchObject({ state: 'RUNNING', attempt: 1 });
  expect((await rig.tasks(waiting))[0]).toMatchObject({ state: 'SCHEDULED', attempt: 1 });
  await rig.close();
});
