import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { done, failed, items, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig({ slice: 200 });
  worker = await rig.worker({ capacity: 500 });
});
afterEach(() => rig.close());

const fan = () => rig.store.read.query<Record<string, number | string>>('SELECT * FROM fan_out').get();

/** A list whose first item is held back. */
async function begin(many: number, concurrency: number) {
  const list = Array.from({ length: many }, (_, i) => i);
  const jobId = await rig.submit(
    workflow(
      {
        each: {
          type: 'forEach',
          config: { items: '$', concurrency, node: { type: 'transform', config: { expression: '$' } } },
        },
      },
      ['input>each', 'each>output'],
    ),
  );
  worker.report(items(await worker.lease(), list));
  while (fan()?.['phase'] !== 'run') await nextTurn();
  return { jobId, list, first: await worker.lease() };
}

const breakItem = (lease: { id: string; attempt: number }) =>
  worker.report(failed(lease, { code: 'NON_RETRYABLE', retryable: false }));

async function answer(until: () => boolean) {
  while (!until()) {
    if (worker.untaken === 0) await pause(1);
    else {
      const lease = await worker.lease();
      worker.report(done(lease, lease.input));
    }
  }
}

async function expectDone(jobId: string, list: readonly number[]) {
  let over = false;
  const ended = rig.jobs.wait(jobId, 60).finally(() => (over = true));
  await answer(() => over);
  const { status, outputText } = await ended;
  expect([status, outputText === JSON.stringify([list])]).toEqual(['COMPLETED', true]);
}

it('a long list that was stopped has its whole output once it is retried', async () => {
  const { jobId, list, first } = await begin(3000, 40);
  breakItem(first);
  while (fan()?.['phase'] !== 'stopped') await nextTurn();
  await rig.jobs.retry(jobId);
  await expectDone(jobId, list);
});

it('a job that is retried while one of its lists is being stopped goes on', async () => {
  const { jobId, list, first } = await begin(9000, 400);
  // Slices of the stop pass over what is done.
  await answer(() => Number(fan()?.['completed']) > 4200);
  breakItem(first);
  while (fan()?.['phase'] === 'run') await nextTurn();
  await rig.jobs.retry(jobId);
  await expectDone(jobId, list);
});

it('a list in which an item fails while the others are made ready again is stopped whole', async () => {
  const { jobId, first } = await begin(9000, 500);
  const leases = [first];
  while (leases.length < 500) leases.push(await worker.lease());
  breakItem(first);
  // Two slices of the stop: the last items that the worker holds are not stopped yet.
  while (Number(fan()?.['failed']) < 401) await nextTurn();
  const retried = rig.jobs.retryTask(first.id);
  while (fan()?.['phase'] !== 'revive') await nextTurn();
  breakItem(leases.at(-1) as typeof first);
  await retried;
  await expect.poll(async () => (await rig.jobs.get(jobId)).finishedAt).not.toBeNull();
  const { taskCounters } = await rig.jobs.get(jobId);
  expect([taskCounters.readyTasks, taskCounters.scheduledTasks, taskCounters.failedTasks]).toEqual([0, 0, 9000]);
  expect(rig.jobs.queueDepth).toBe(0);
});
