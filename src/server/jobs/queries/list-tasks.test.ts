import { afterEach, beforeEach, expect, it } from 'vitest';
import { done, failed } from '../../testing/worker.fake.ts';
import { openRig, type Rig, workflow } from '../../testing/engine.fixture.ts';
import { TASKS_OF_WORKER } from './list-tasks.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

it('lists what a worker holds now, and nothing that it has ended', async () => {
  const worker = await rig.worker({ capacity: 10 });
  const jobId = await rig.submit(workflow({ a: {} }, ['input>a', 'a>output']), [{ i: 0 }, { i: 1 }]);
  const first = await worker.lease();
  const second = await worker.lease();
  const [{ id } = { id: '' }] = (await rig.workers.list({ page: 0, size: 1, sort: 'id,asc' })).items;
  expect((await rig.jobs.workerTasks(id, { page: 0, size: 10 })).items.map((task) => task.id)).toEqual([
    first.id,
    second.id,
  ]);
  worker.report(done(first, 1, undefined, rig.clock.now()));
  await expect.poll(async () => (await rig.jobs.workerTasks(id, { page: 0, size: 10 })).totalItems).toBe(1);
  worker.report(done(second, 1, undefined, rig.clock.now()));
  await rig.jobs.wait(jobId, 60);
  expect(await rig.jobs.workerTasks(id, { page: 0, size: 10 })).toMatchObject({ items: [], totalItems: 0 });
});

it('finds tasks of a job by worker, code and text of the error', async () => {
  const worker = await rig.worker({ capacity: 10 });
  const jobId = await rig.submit(workflow({ a: { retries: 0 } }, ['input>a', 'a>output']), [{ i: 0 }, { i: 1 }]);
  const first = await worker.lease();
  const second = await worker.lease();
  worker.report(failed(first, { code: 'CARD_REFUSED', message: '100% refused', retryable: false }));
  worker.report(done(second, 1, undefined, rig.clock.now()));
  await rig.jobs.wait(jobId, 60);
  const found = async (query: object) => {
    const { items, totalItems } = await rig.jobs.tasks(jobId, { page: 0, size: 10, ...query });
    expect(totalItems).toBe(items.length);
    return items.map(({ id }) => id);
  };
  const [{ id } = { id: '' }] = (await rig.workers.list({ page: 0, size: 1, sort: 'id,asc' })).items;
  expect(await found({ worker: id.slice(-8) })).toEqual([first.id, second.id]);
  expect(await found({ worker: 'nobody' })).toEqual([]);
  expect(await found({ code: 'card_refused' })).toEqual([first.id]);
  expect(await found({ q: '0% REF' })).toEqual([first.id]);
  expect(await found({ q: '0%f' })).toEqual([]);
  expect(await found({ q: '' })).toEqual([first.id, second.id]);
});

it('looks at open tasks alone', () => {
  const plan = rig.store.read
    .query<{ detail: string }>(`EXPLAIN QUERY PLAN ${TASKS_OF_WORKER}`)
    .all('w')
    .map(({ detail }) => detail)
    .join('; ');
  expect(plan).toContain('task_open (state=?)');
});
