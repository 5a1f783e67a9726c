import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { done, failed, type FakeWorker } from '../../testing/worker.fake.ts';
import { handClock, openRig, workflow, type Rig, type RigOptions } from '../../testing/engine.fixture.ts';
import { appendToArchive } from './archive-file.ts';
import { JOB_TABLES, OLDEST_FINISHED, deleteRows, deleteSomeRows } from './sql.ts';

const DAY_MS = 86_400_000;
let rig: Rig;
afterEach(() => rig.close());
const open = async (limits: RigOptions['limits'] = {}, more: RigOptions = {}) =>
  (rig = await openRig({
    limits: { retentionStepMs: 4, ...limits },
    clock: handClock(Date.UTC(2026, 0, 10)),
    ...more,
  }));

const one = (workflowId = 'flow') => workflow({ a: {} }, ['input>a', 'a>output'], { workflowId });
const big = 'x'.repeat(20_000);
async function finish(
  worker: FakeWorker,
  many: number,
  inputs: unknown[] = [{ content: 'a' }],
  runnable = one(),
): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < many; i++) {
    ids.push(await rig.submit(runnable, inputs));
    for (let k = 0; k < inputs.length; k++) worker.report(done(await worker.lease(), big));
    await expect.poll(async () => (await rig.jobs.get(ids.at(-1) as string)).finishedAt).not.toBeNull();
    rig.clock.advance(1000);
  }
  return ids;
}
const present = async () =>
  (await rig.jobs.list({ page: 0, size: 500, sort: 'createdAt,asc' })).items.map(({ id }) => id);
const rows = (table: string) => rig.store.read.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n;
const archived = () =>
  readdirSync(rig.archive).flatMap((name) =>
    gunzipSync(readFileSync(join(rig.archive, name)))
      .toString()
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            kind: string;
            job?: { id: string };
            result?: unknown;
            task?: { jobId: string; output: unknown };
          },
      ),
  );

describe('jobs', () => {
  it('stay where nothing is said', async () => {
    await open();
    const ids = await finish(await rig.worker(), 2);
    rig.clock.advance(1000 * DAY_MS);
    expect(await rig.tidy()).toBe(0);
    expect(await present()).toEqual(ids);
  });

  it('go by age, with all that belongs to them, but for those that are not finished and the newest', async () => {
    await open({ jobRetentionDays: 2 });
    const worker = await rig.worker({ capacity: 10 });
    const running = await rig.submit(one());
    await worker.lease();
    const old = await finish(worker, 3, [{ content: big }, { content: 'b' }]);
    rig.clock.advance(DAY_MS);
    worker.beat();
    const young = await finish(worker, 1);
    rig.clock.advance(DAY_MS + 60_000);
    worker.beat();
    expect(await rig.tidy()).toBe(3);
    expect(await present()).toEqual([running, ...young]);
    await expect(rig.jobs.get(old[0] as string)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    await expect(rig.jobs.retry(old[0] as string)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    expect([rows('job'), rows('task'), rows('replica'), rows('payload')]).toEqual([2, 2, 0, 1]);
    rig.clock.advance(10 * DAY_MS);
    // The newest one gives the next its number.
    expect(await rig.tidy()).toBe(0);
    expect(rows('job')).toBe(2);
  });

  it('go by count, those that finished first first; the counts of lists stay right', async () => {
    await open({ jobRetentionCount: 3 });
    const worker = await rig.worker();
    const ids = await finish(worker, 7);
    const other = await rig.submit(one('other'));
    worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', retryable: false }));
    await expect.poll(async () => (await rig.jobs.get(other)).status).toBe('FAILED');
    expect(await rig.tidy()).toBe(5);
    expect(await present()).toEqual([...ids.slice(5), other]);
    const total = async (filter = {}) =>
      (await rig.jobs.list({ page: 0, size: 1, sort: 'createdAt,asc', ...filter })).totalItems;
    expect([await total(), await total({ status: ['COMPLETED'] }), await total({ workflowId: 'other' })]).toEqual([
      3, 2, 1,
    ]);
    expect(rig.store.read.query('SELECT * FROM job_block WHERE jobs <= 0').all()).toEqual([]);
  });

  it('with very many tasks are gone at once, and what they leave is taken away in steps, after a crash too', async () => {
    await open({ jobRetentionCount: 1, retentionStepMs: 0.2 });
    const worker = await rig.worker({ capacity: 500 });
    const [large] = await finish(
      worker,
      1,
      Array.from({ length: 450 }, (_, i) => ({ i })),
    );
    await finish(worker, 1);
    const removing = rig.tidy();
    while (rows('removed_job') === 0) await new Promise(setImmediate);
    await expect(rig.jobs.get(large as string)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    await removing;
    expect([rows('removed_job'), rows('task'), rows('replica'), rows('payload')]).toEqual([0, 1, 0, 1]);

    // As if a master had been killed half way: another one goes on.
    await rig.store.write((db) => {
      db.statement('INSERT INTO removed_job (seq) VALUES (77)').run();
      for (let i = 0; i < 300; i++)
        db.statement(`INSERT INTO payload (id, job, text) VALUES (?, 77, 'x')`).run(10_000 + i);
    });
    const { file } = rig;
    await rig.close();
    await open({}, { file });
    await rig.tidy();
    expect([rows('removed_job'), rows('payload')]).toEqual([0, 1]);
  });

  it('that were called with an idempotency key take it with them', async () => {
    await open({ jobRetentionCount: 1 });
    const worker = await rig.worker();
    const jobId = await rig.submit(one(), [{ content: 'a' }], {
      idempotency: { keyId: 'k', key: 'once', bodyHash: 'h' },
    });
    worker.report(done(await worker.lease(), 1));
    await expect.poll(async () => (await rig.jobs.get(jobId)).finishedAt).not.toBeNull();
    await finish(worker, 1);
    expect(await rig.tidy()).toBe(1);
    expect(rig.jobs.findIdempotent({ keyId: 'k', workflowId: 'flow', environment: 'dev', key: 'once' })).toBeNull();
  });
});

describe('the archive', () => {
  it('has each job with its tasks and whole payloads before it goes, a file for each day', async () => {
    await open({ jobRetentionDays: 2 }, { retention: 'archive' });
    const worker = await rig.worker();
    const first = await finish(worker, 2, [{ content: big }]);
    rig.clock.advance(DAY_MS);
    worker.beat();
    const second = await finish(worker, 1);
    await finish(worker, 1);
    rig.clock.advance(3 * DAY_MS);
    expect(await rig.tidy()).toBe(3);
    expect(readdirSync(rig.archive)).toEqual(['jobs-2026-01-10.ndjson.gz', 'jobs-2026-01-11.ndjson.gz']);
    const lines = archived();
    expect(lines.filter(({ kind }) => kind === 'job').map(({ job }) => job?.id)).toEqual([...first, ...second]);
    expect(lines[0]).toMatchObject({ job: { status: 'COMPLETED' }, result: { output: [big], error: null } });
    expect(lines[1]).toMatchObject({ kind: 'task', task: { jobId: first[0], input: { content: big }, output: big } });
  });

  it('holds each job once, though a master was killed after it wrote and before it removed', async () => {
    await open({ jobRetentionCount: 1 }, { retention: 'archive' });
    const worker = await rig.worker();
    const ids = await finish(worker, 2);
    await rig.tidy();
    const file = join(rig.archive, 'jobs-2026-01-10.ndjson.gz');
    // What such a master left behind the valid part.
    writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.from('half of a member')]));
    ids.push(...(await finish(worker, 1)));
    await rig.tidy();
    expect(
      archived()
        .filter(({ kind }) => kind === 'job')
        .map(({ job }) => job?.id),
    ).toEqual(ids.slice(0, 2));
    expect(existsSync(file)).toBe(true);
    // Whoever took the file away begins a new one.
    truncateSync(file, 0);
    await finish(worker, 1);
    await rig.tidy();
    expect(
      archived()
        .filter(({ kind }) => kind === 'job')
        .map(({ job }) => job?.id),
    ).toEqual([ids[2]]);
  });
});

it('a job that is retried while it is being archived is in the archive once, when it goes', async () => {
  await open({ jobRetentionDays: 2 }, { retention: 'archive' });
  const worker = await rig.worker();
  const first = await rig.submit(one());
  worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', retryable: false }));
  await rig.jobs.wait(first, 60);
  const others = await finish(worker, 2);
  await daysLater(worker);
  // The thread that archives takes longer to start than a retry.
  const [removed] = await Promise.all([rig.tidy(), rig.jobs.retry(first)]);
  expect([removed, await present()]).toEqual([0, [first, ...others]]);
  worker.report(done(await worker.lease(), 'mended'));
  await rig.jobs.wait(first, 60);
  rig.clock.advance(3 * DAY_MS);
  worker.beat();
  await finish(worker, 1);
  expect(await rig.tidy()).toBe(3);
  expect(
    archived()
      .filter(({ kind }) => kind === 'job')
      .map(({ job }) => job?.id)
      .sort(),
  ).toEqual([first, ...others].sort());
});

it('an archive that could not be written whole, as on a full disk, holds nothing of it', async () => {
  await open();
  const worker = await rig.worker();
  await finish(
    worker,
    4,
    Array.from({ length: 20 }, () => ({ content: big })),
  );
  const { read } = rig.store;
  const file = join(dirname(rig.archive), 'some.gz');
  const seqs = read
    .query<{ seq: number }>('SELECT seq FROM job')
    .all()
    .map(({ seq }) => seq);
  const valid = appendToArchive(read, file, 0, seqs);
  let most = 0;
  const failing: typeof read = {
    ...read,
    query: (sql) => ({
      ...read.query(sql),
      get: (...values) => {
        most = Math.max(most, statSync(file).size);
        if (values[0] === -1) throw new Error('disk full');
        return read.query<never>(sql).get(...values);
      },
    }),
  };
  expect(() => appendToArchive(failing, file, valid, [...seqs, -1])).toThrow('disk full');
  expect(most).toBeGreaterThan(valid);
  expect(statSync(file).size).toBe(valid);
});

/** A failed job of the first day, and others that finished on it. */
async function failedAmong(others: number): Promise<{ worker: FakeWorker; first: string; rest: string[] }> {
  const worker = await rig.worker();
  const first = await rig.submit(one());
  worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', retryable: false }));
  await rig.jobs.wait(first, 60);
  return { worker, first, rest: await finish(worker, others) };
}
async function daysLater(worker: FakeWorker): Promise<void> {
  // The first round looks at the files before it chooses jobs.
  await rig.tidy();
  rig.clock.advance(3 * DAY_MS);
  worker.beat();
  await expect
    .poll(async () => (await rig.workers.get(worker.id)).lastHeartbeatAt)
    .toBe(new Date(rig.clock.now()).toISOString());
}
const archivedJobs = () =>
  archived()
    .filter(({ kind }) => kind === 'job')
    .map(({ job }) => job?.id)
    .sort();

it('the first round cuts off what a master that was killed left behind', async () => {
  await open({ jobRetentionCount: 1 }, { retention: 'archive' });
  const ids = await finish(await rig.worker(), 2);
  await rig.tidy();
  const { file, archive } = rig;
  await rig.close();
  appendFileSync(join(archive, 'jobs-2026-01-10.ndjson.gz'), 'half of a member');
  await open({ jobRetentionCount: 1 }, { retention: 'archive', file });
  expect(await rig.tidy()).toBe(0);
  expect(archivedJobs()).toEqual(ids.slice(0, 1));
});

it('a job that is retried while it is being archived, and ends on another day, is in the file of that day alone', async () => {
  await open({ jobRetentionDays: 2 }, { retention: 'archive' });
  const { worker, first } = await failedAmong(0);
  await daysLater(worker);
  const [newest] = await finish(worker, 1);
  expect((await Promise.all([rig.tidy(), rig.jobs.retry(first)]))[0]).toBe(0);
  worker.report(done(await worker.lease(), 'mended'));
  await rig.jobs.wait(first, 60);
  await daysLater(worker);
  const [last] = await finish(worker, 1);
  expect([await rig.tidy(), await present()]).toEqual([2, [last]]);
  expect(readdirSync(rig.archive)).toEqual(['jobs-2026-01-13.ndjson.gz']);
  expect(archivedJobs()).toEqual([first, newest].sort());
});

it('what a master that was killed wrote into a new file, begun as the old one was taken away, does not count', async () => {
  await open({ jobRetentionDays: 2 }, { retention: 'archive' });
  const { worker, first, rest } = await failedAmong(2);
  await daysLater(worker);
  await finish(worker, 1);
  // As if this day had had far more jobs.
  await rig.store.write((db) =>
    db
      .statement(`INSERT INTO archive_file (name, bytes, jobs) VALUES ('jobs-2026-01-10.ndjson.gz', 1000000, 5000)`)
      .run(),
  );
  // Archived and then not removed: as after a kill between the two.
  expect((await Promise.all([rig.tidy(), rig.jobs.retry(first)]))[0]).toBe(0);
  worker.report(done(await worker.lease(), 'mended'));
  await rig.jobs.wait(first, 60);
  expect(await rig.tidy()).toBe(2);
  expect(archivedJobs()).toEqual([...rest].sort());
});

it('a file that another master left there stays as it is', async () => {
  await open({ jobRetentionCount: 1 }, { retention: 'archive' });
  const ids = await finish(await rig.worker(), 3);
  mkdirSync(rig.archive);
  const theirs = join(rig.archive, 'jobs-2026-01-10.ndjson.gz');
  const member = gzipSync('{"kind":"job","job":{"id":"theirs"}}\n');
  writeFileSync(theirs, member);
  expect(await rig.tidy()).toBe(2);
  expect(readFileSync(theirs)).toEqual(member);
  expect(readdirSync(rig.archive)).toEqual(['jobs-2026-01-10-2.ndjson.gz', 'jobs-2026-01-10.ndjson.gz']);
  expect(archivedJobs()).toEqual([...ids.slice(0, 2), 'theirs'].sort());
});

describe('the statements', () => {
  const plan = (sql: string) =>
    rig.store.read
      .query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from({ length: (sql.match(/\?/g) ?? []).length }, () => 1))
      .map(({ detail }) => detail)
      .join('\n');

  it('walk indexes', async () => {
    await open();
    expect(plan(OLDEST_FINISHED)).toMatch(/^SEARCH job USING INDEX job_by_finished/);
    expect(plan(OLDEST_FINISHED)).not.toContain('TEMP B-TREE');
    for (const table of JOB_TABLES)
      for (const sql of [deleteRows(table), deleteSomeRows(table)])
        expect([sql, plan(sql)]).toEqual([sql, expect.not.stringMatching(new RegExp(`SCAN ${table.table}\\b`))]);
  });

  it('know every table that has rows of jobs', async () => {
    await open();
    const named = new Set(JOB_TABLES.map(({ table, column }) => `${table}.${column}`));
    const columns = rig.store.read
      .query<{ name: string }>(
        `SELECT t.name || '.' || c.name AS name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table' AND c.name IN ('job', 'parent', 'job_seq') AND c.type = 'INTEGER'`,
      )
      .all()
      .map(({ name }) => name);
    // Only jobs that are not finished have rows there.
    expect(columns.filter((name) => !named.has(name))).toEqual(['child_due.job']);
  });
});
