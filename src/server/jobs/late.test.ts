import { afterEach, beforeEach, expect, it } from 'vitest';
import { done, started, type FakeWorker } from '../testing/fake-worker.ts';
import { openRig, workflow, type Rig } from '../testing/rig.ts';

let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig();
  worker = await rig.worker({ capacity: 1 });
});
afterEach(() => rig.close());

/** What the rows say, without asking the engine. */
const rows = () => rig.store.read.query<{ state: string }>('SELECT state FROM task ORDER BY seq').all().map(({ state }) => state);

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
  expect((await rig.jobs.get(jobId)).taskCounters).toMatchObject({ readyTasks: 0, scheduledTasks: 1, completedTasks: 1 });
});

it('goes with the end of the task, with no step missing from its history', async () => {
  const { jobId, lease } = await handOutQueued();
  worker.report(started(lease), done(lease, 2));
  await rig.jobs.wait(jobId, 5);
  expect(rows()).toEqual(['COMPLETED', 'COMPLETED']);
  expect((await rig.jobs.task(lease.id)).history.map(({ to }) => to)).toEqual(['READY', 'SCHEDULED', 'RUNNING', 'COMPLETED']);
  expect((await rig.jobs.get(jobId)).taskCounters).toMatchObject({ readyTasks: 0, scheduledTasks: 0, runningTasks: 0, completedTasks: 2 });
});

it('is written when the master stops in order', async () => {
  await handOutQueued();
  await rig.jobs.close();
  expect(rows()).toEqual(['COMPLETED', 'SCHEDULED']);
});
