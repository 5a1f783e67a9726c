import { afterEach, beforeEach, expect, it } from 'vitest';
import { done, failed, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
let worker: FakeWorker;
const flow = workflow({ a: {} }, ['input>a', 'a>output'], { workflowId: 'pay' });
beforeEach(async () => {
  rig = await openRig({ limits: { workerUnstableSeconds: 1e6, workerDownSeconds: 1e6 } });
  worker = await rig.worker({ capacity: 50 });
  await rig.store.write((db) =>
    db.statement("INSERT INTO workflow (id, name, created_at, updated_at) VALUES ('pay', 'Pay', 0, 0)").run(),
  );
});
afterEach(() => rig.close());

const HOUR = 3_600_000;
let publications = 0;
const publish = (environment: string, hash: string | null = 'a'.repeat(40)) =>
  rig.store.write((db) =>
    db
      .statement(
        'INSERT INTO publication (id, workflow_id, environment, hash, previous_hash, published_at, published_by) VALUES (?, ?, ?, ?, NULL, ?, ?)',
      )
      .run(String(publications++).padStart(8, '0'), 'pay', environment, hash, rig.clock.now(), 'admin'),
  );

/** Jobs one second apart; each takes so many milliseconds. */
async function run(count: number, { ms = 100, fails = 0, environment = 'prod' as 'dev' | 'prod' } = {}): Promise<void> {
  for (let i = 0; i < count; i++) {
    const jobId = await rig.submit(flow, [{ i }], { environment });
    const lease = await worker.lease();
    rig.clock.advance(ms);
    worker.report(
      i < fails
        ? failed(lease, { code: 'NON_RETRYABLE', retryable: false, message: 'no' }, rig.clock.now())
        : done(lease, 1, undefined, rig.clock.now()),
    );
    await rig.jobs.wait(jobId, 60);
    rig.clock.advance(1000 - ms);
  }
}
const impacts = async (query: { environment?: 'dev' | 'prod'; windowMs?: number; size?: number } = {}) =>
  (await rig.jobs.impacts('pay', { page: 0, size: 20, windowMs: HOUR, ...query })).items;

it('compares the jobs of the environment before and after a publication, over the same time', async () => {
  await publish('prod');
  await run(30);
  await run(5, { environment: 'dev', fails: 5 });
  await publish('prod', 'b'.repeat(40));
  await run(20, { ms: 400, fails: 12 });
  const [second, first] = await impacts();
  expect(second).toMatchObject({
    publication: { environment: 'prod', hash: 'b'.repeat(40), publishedBy: 'admin' },
    before: { jobs: 15, finished: 15, failed: 0, failureRate: 0, p95Ms: 100, sampled: false },
    after: {
      jobs: 20,
      finished: 20,
      failed: 12,
      failureRate: 0.6,
      p50Ms: 400,
      p95Ms: 400,
      jobsPerMinute: 60,
      sampled: false,
    },
    verdict: 'worse',
    message: 'more failures: failure rate 0% before, 60% after',
  });
  expect(Date.parse(second?.after.to ?? '') - Date.parse(second?.after.from ?? '')).toBe(20_000);
  expect(second?.before.to).toBe(second?.publication.publishedAt);
  // Ended by the next publication; nothing ran before it.
  expect(first).toMatchObject({
    before: { jobs: 0, failureRate: null, p95Ms: null },
    after: { jobs: 30 },
    verdict: 'unclear',
  });
});

it('looks no further than the window, nor past the publication before', async () => {
  await run(30, { fails: 30 });
  await publish('prod');
  await run(12);
  await publish('prod');
  await run(40);
  expect((await impacts())[0]).toMatchObject({ before: { jobs: 12, failed: 0 }, after: { jobs: 40 }, verdict: 'same' });
  expect((await impacts({ windowMs: 10_000 }))[0]).toMatchObject({ before: { jobs: 10 }, after: { jobs: 10 } });
});

it('lists by environment and page; an unknown workflow is none', async () => {
  await publish('dev');
  await publish('prod');
  expect((await impacts({ environment: 'dev' })).map(({ publication }) => publication.environment)).toEqual(['dev']);
  expect(await rig.jobs.impacts('pay', { page: 1, size: 1, windowMs: HOUR })).toMatchObject({
    totalItems: 2,
    totalPages: 2,
    items: [{ publication: { environment: 'dev' } }],
  });
  await expect(rig.jobs.impacts('none', { page: 0, size: 1, windowMs: HOUR })).rejects.toMatchObject({
    code: 'WORKFLOW_NOT_FOUND',
  });
});
