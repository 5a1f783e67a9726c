import { afterEach, describe, expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import { done } from '../../testing/worker.fake.ts';
import { openRig, submission, workflow, type Rig } from '../../testing/engine.fixture.ts';

const one = () => workflow({ a: {} }, ['input>a', 'a>output']);

let rig: Rig;
afterEach(() => rig.close());

/** How many pages the database may have: a full disk, as SQLite sees it. */
const pragma = (text: string) =>
  rig.store.write((db) => db.query<Record<string, number>>(`PRAGMA ${text}`).get()) as Promise<Record<string, number>>;
async function fill(): Promise<void> {
  const { page_count: pages = 0 } = await pragma('page_count');
  await pragma(`max_page_count = ${pages}`);
}
const room = () => pragma('max_page_count = 1000000');

/** Submits until one is refused; gives the accepted ones and why the last was not. */
async function submitUntilRefused(): Promise<{ accepted: string[]; refusal: unknown }> {
  const accepted: string[] = [];
  const flow = one();
  for (let i = 0; i < 1000; i++) {
    try {
      accepted.push((await rig.jobs.submit(submission(flow, [{ text: 'x'.repeat(5000), i }]))).jobId);
    } catch (refusal) {
      return { accepted, refusal };
    }
  }
  throw new Error('the database never filled up');
}

describe('a full disk', () => {
  it('refuses new jobs with a clear word, keeps what was accepted, and recovers by itself', async () => {
    rig = await openRig();
    await fill();
    const { accepted, refusal } = await submitUntilRefused();
    expect(refusal).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('free disk space in the data folder'),
    });
    expect(rig.store.refusing).toBe(true);
    const before = await rig.jobs.list({ page: 0, size: 500, sort: 'createdAt,desc' });
    expect(before.items.map(({ id }) => id).sort()).toEqual(accepted.sort());
    await room();
    const later = await rig.submit(one());
    await expect.poll(() => rig.store.refusing).toBe(false);
    const worker = await rig.worker({ capacity: 500 });
    for (let i = 0; i <= accepted.length; i++) {
      const lease = await worker.lease();
      worker.report(done(lease, i));
    }
    for (const id of [...accepted, later]) expect((await rig.jobs.wait(id, 60)).status).toBe('COMPLETED');
  });

  it('loses nothing that workers report meanwhile', async () => {
    rig = await openRig();
    const worker = await rig.worker({ capacity: 10 });
    const ids = await Promise.all(Array.from({ length: 5 }, () => rig.submit(one())));
    const leases = [
      await worker.lease(),
      await worker.lease(),
      await worker.lease(),
      await worker.lease(),
      await worker.lease(),
    ];
    await fill();
    await submitUntilRefused();
    leases.forEach((lease, i) => worker.report(done(lease, `${i} ${'y'.repeat(15_000)}`)));
    await expect.poll(() => rig.store.refusing).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await room();
    const outcomes = await Promise.all(ids.map((id) => rig.jobs.wait(id, 60)));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('COMPLETED'));
    expect(outcomes.map(({ outputText }) => JSON.parse(outputText ?? '[]')[0].slice(0, 1)).sort()).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
    ]);
    for (const id of ids)
      expect((await rig.tasks(id))[0]).toMatchObject({ state: 'COMPLETED', attempt: 1, retryEntries: [] });
  });

  it('lets whoever looks see what was written last', async () => {
    rig = await openRig();
    const worker = await rig.worker({ capacity: 1 });
    const ids = [await rig.submit(one()), await rig.submit(one())];
    worker.report(done(await worker.lease(), 'first'));
    // The second is with the worker now, which is written late.
    const lease = await worker.lease();
    const { write } = rig.store;
    rig.store.write = () => Promise.reject(new Fault('STORE_UNAVAILABLE', 'the disk is full'));
    expect(await rig.jobs.get(lease.jobId)).toMatchObject({ id: lease.jobId, status: 'RUNNING' });
    expect(await rig.tasks(lease.jobId)).toMatchObject([{ node: 'a', output: null }]);
    expect((await rig.jobs.list({ page: 0, size: 1, sort: 'createdAt,desc' })).totalItems).toBe(2);
    rig.store.write = write;
    worker.report(done(lease, 'second'));
    for (const id of ids) expect((await rig.jobs.wait(id, 60)).status).toBe('COMPLETED');
  });

  it('has a worker that comes meanwhile wait, and gives it tasks afterwards', async () => {
    rig = await openRig();
    await fill();
    const { accepted } = await submitUntilRefused();
    const worker = await rig.worker({
      capacity: 500,
      running: [{ id: '00000000-0000-7000-8000-000000000000', attempt: 1 }],
    });
    await room();
    for (let i = 0; i < accepted.length; i++) worker.report(done(await worker.lease(), i));
    for (const id of accepted) expect((await rig.jobs.wait(id, 60)).status).toBe('COMPLETED');
  });
});
