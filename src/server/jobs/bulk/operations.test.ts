import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Operation, OperationResult } from '../../../contract/operations.ts';
import type { Report } from '../../../contract/worker-protocol.ts';
import type { FakeWorker } from '../../testing/worker.fake.ts';
import { knownCommit, openRig, workflow, type Rig, type RigOptions } from '../../testing/engine.fixture.ts';
import type { BulkRequest } from './port.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const flow = (workflowId = 'flow', retries = 0) =>
  workflow({ a: { retries } }, ['input>a', 'a>output'], { workflowId });
const kill = (target: BulkRequest['target']): BulkRequest => ({ kind: 'kill', target, nonRetryable: false });
const retry = (target: BulkRequest['target'], nonRetryable = false): BulkRequest => ({
  kind: 'retry',
  target,
  nonRetryable,
});
const ended = async (id: string, of: Rig = rig): Promise<Operation> => {
  await expect.poll(async () => (await of.jobs.operations.get(id)).status).not.toBe('RUNNING');
  return of.jobs.operations.get(id);
};
const results = async (id: string, ok?: boolean, of: Rig = rig): Promise<OperationResult[]> =>
  (await of.jobs.operations.results(id, { page: 0, size: 500, ...(ok === undefined ? {} : { ok }) })).items;

/** Ends leases as they come: with an error of this code, or well. */
function answer(worker: FakeWorker, code: string | null, times = Number.POSITIVE_INFINITY): { stop(): void } {
  let stopped = false;
  void (async () => {
    for (let i = 0; i < times && !stopped; i++) {
      const lease = await worker.lease();
      if (stopped) return;
      const at = rig.clock.now();
      const report: Report =
        code === null
          ? ({ e: 'done', id: lease.id, attempt: lease.attempt, startedAt: at, at, output: 1 } as Report)
          : ({
              e: 'fail',
              id: lease.id,
              attempt: lease.attempt,
              startedAt: at,
              at,
              error: { code, message: 'no', retryable: code === 'TASK_ERROR' },
            } as Report);
      worker.report(report);
    }
  })().catch(() => undefined);
  return { stop: () => void (stopped = true) };
}

/** Jobs that failed with this code. */
async function failedJobs(count: number, code = 'TASK_ERROR', workflowId = 'flow'): Promise<string[]> {
  const runnable = flow(workflowId);
  const worker = await rig.worker({ capacity: 50 });
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await rig.submit(runnable));
  answer(worker, code, count);
  for (const id of ids) await expect.poll(async () => (await rig.jobs.get(id)).status).toBe('FAILED');
  await worker.vanish();
  return ids;
}

describe('a dry run', () => {
  it('counts what would be done, says why not, and changes nothing', async () => {
    const failed = await failedJobs(2);
    const auth = await failedJobs(1, 'AUTHENTICATION_FAILED');
    const open = await rig.submit(flow('other'));
    const empty = await rig.submit(flow(), []);
    const ids = [...failed, ...auth, open, empty, 'unknown'];
    expect(await rig.jobs.operations.dryRun(kill({ ids }))).toEqual({
      count: 6,
      eligible: 1,
      ineligible: [
        { reason: 'TERMINAL', count: 4 },
        { reason: 'NOT_FOUND', count: 1 },
      ],
      snapshot: expect.any(String),
    });
    const retried = await rig.jobs.operations.dryRun(retry({ ids }));
    expect(retried).toMatchObject({ count: 6, eligible: 2 });
    expect(retried.ineligible.toSorted((a, b) => a.reason.localeCompare(b.reason))).toEqual(
      ['NON_RETRYABLE', 'NOT_FOUND', 'NOTHING_FAILED', 'TERMINAL']
        .toSorted((a, b) => a.localeCompare(b))
        .map((reason) => ({ reason, count: 1 })),
    );
    expect(await rig.jobs.operations.dryRun(retry({ ids }, true))).toMatchObject({ eligible: 3 });
    expect(await rig.jobs.operations.dryRun(retry({ filter: { status: ['FAILED'], workflowId: 'flow' } }))).toEqual({
      count: 3,
      eligible: 2,
      ineligible: [{ reason: 'NON_RETRYABLE', count: 1 }],
      snapshot: expect.any(String),
    });
    expect((await rig.jobs.operations.list({ page: 0, size: 20 })).totalItems).toBe(0);
    expect((await rig.jobs.get(open)).status).toBe('RUNNING');
  });

  it('leaves out what is retried by itself', async () => {
    const worker = await rig.worker();
    const jobId = await rig.submit(flow('flow', 3));
    answer(worker, 'TASK_ERROR', 1);
    await expect.poll(async () => (await rig.jobs.get(jobId)).status).toBe('FAILED');
    expect(await rig.jobs.operations.dryRun(retry({ filter: { status: ['FAILED'] } }))).toEqual({
      count: 1,
      eligible: 0,
      ineligible: [{ reason: 'RETRIES_LEFT', count: 1 }],
      snapshot: expect.any(String),
    });
    expect(await rig.jobs.operations.dryRun(kill({ filter: {} }))).toMatchObject({ eligible: 1 });
  });
});

describe('a bulk operation', () => {
  it('kills the jobs that matched when it was submitted, and no later ones', async () => {
    const before: string[] = [];
    for (let i = 0; i < 30; i++) before.push(await rig.submit(flow('one')));
    const other = await rig.submit(flow('two'));
    const submitted = rig.jobs.operations.submit(kill({ filter: { workflowId: 'one' } }), 'ann');
    const { operationId, status, total, createdBy, filter } = await submitted;
    const after = await rig.submit(flow('one'));
    expect({ status, total, createdBy, filter }).toEqual({
      status: 'RUNNING',
      total: 30,
      createdBy: 'ann',
      filter: { workflowId: 'one' },
    });
    expect(await ended(operationId)).toMatchObject({
      status: 'DONE',
      done: 30,
      failed: 0,
      finishedAt: expect.any(String),
    });
    for (const id of before)
      expect(await rig.jobs.get(id)).toMatchObject({ status: 'FAILED', killedAt: expect.any(String) });
    for (const id of [other, after]) expect((await rig.jobs.get(id)).status).toBe('RUNNING');
    expect((await rig.tasks(before[0] as string))[0]?.error).toEqual({
      code: 'KILLED',
      message: 'killed by ann',
      retryable: false,
    });
    expect(rig.changes.some(({ kind, id }) => kind === 'operation' && id === operationId)).toBe(true);
  });

  it('acts on what it froze, though it would not match any more', async () => {
    const [a, b] = await failedJobs(2);
    const { operationId } = await rig.jobs.operations.submit(retry({ filter: { status: ['FAILED'] } }), 'ann');
    await ended(operationId);
    expect((await rig.jobs.get(a as string)).status).toBe('RUNNING');
    // The second operation finds nothing that matches; by ids it tells why each is left alone.
    expect(await rig.jobs.operations.submit(retry({ filter: { status: ['FAILED'] } }), 'ann')).toMatchObject({
      status: 'DONE',
      total: 0,
      finishedAt: expect.any(String),
    });
    const again = await rig.jobs.operations.submit(retry({ ids: [a as string, b as string, 'gone'] }), 'ann');
    expect(await ended(again.operationId)).toMatchObject({ done: 3, failed: 3 });
    expect((await results(again.operationId)).map(({ jobId, ok, code }) => [jobId, ok, code])).toEqual([
      [a, false, 'NOTHING_FAILED'],
      [b, false, 'NOTHING_FAILED'],
      ['gone', false, 'NOT_FOUND'],
    ]);
  });

  it('tells of each job, in pages and by how it went', async () => {
    const open: string[] = [];
    for (let i = 0; i < 7; i++) open.push(await rig.submit(flow()));
    const empty: string[] = [];
    for (let i = 0; i < 5; i++) empty.push(await rig.submit(flow(), []));
    const { operationId } = await rig.jobs.operations.submit(kill({ filter: { workflowId: 'flow' } }), 'ann');
    await ended(operationId);
    const all = await results(operationId);
    expect(all.map(({ jobId }) => jobId)).toEqual([...open, ...empty]);
    expect(all[0]).toEqual({ jobId: open[0], ok: true, code: null, message: '1 task killed' });
    expect(await rig.jobs.operations.results(operationId, { page: 1, size: 2, ok: false })).toMatchObject({
      totalItems: 5,
      totalPages: 3,
      items: empty.slice(2, 4).map((jobId) => ({ jobId, ok: false, code: 'TERMINAL' })),
    });
    expect(
      (await rig.jobs.operations.results(operationId, { page: 2, size: 3, ok: true })).items.map(({ jobId }) => jobId),
    ).toEqual(open.slice(6));
    expect(
      (await rig.jobs.operations.results(operationId, { page: 3, size: 3 })).items.map(({ jobId }) => jobId),
    ).toEqual(empty.slice(2));
    expect((await rig.jobs.operations.results(operationId, { page: 9, size: 3 })).items).toEqual([]);
  });

  it('takes jobs that are large in several turns', async () => {
    const jobId = await rig.submit(
      flow(),
      Array.from({ length: 950 }, (_, i) => ({ i })),
    );
    const { operationId } = await rig.jobs.operations.submit(kill({ ids: [jobId] }), 'ann');
    await ended(operationId);
    expect(await results(operationId)).toEqual([{ jobId, ok: true, code: null, message: '950 tasks killed' }]);
    const back = await rig.jobs.operations.submit(retry({ ids: [jobId] }, true), 'ann');
    await ended(back.operationId);
    expect(await results(back.operationId)).toEqual([{ jobId, ok: true, code: null, message: '950 tasks retried' }]);
    expect((await rig.jobs.get(jobId)).taskCounters.readyTasks).toBe(950);
  });

  it('is stopped by an abort; what it did stays done', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++)
      ids.push(
        await rig.submit(
          flow(),
          Array.from({ length: 600 }, () => ({})),
        ),
      );
    const { operationId } = await rig.jobs.operations.submit(kill({ ids }), 'ann');
    await expect
      .poll(async () => (await rig.jobs.get(ids[0] as string)).taskCounters.failedTasks, { interval: 5 })
      .toBeGreaterThan(0);
    const aborted = await rig.jobs.operations.abort(operationId);
    expect(aborted).toMatchObject({ status: 'ABORTED', total: 3, finishedAt: expect.any(String) });
    expect(aborted.done).toBeLessThan(3);
    const [last] = (await results(operationId, false)).slice(-1);
    if (last)
      expect(last).toMatchObject({
        code: 'ABORTED',
        message: expect.stringMatching(/^aborted after \d+ tasks killed$/),
      });
    expect(await rig.jobs.operations.abort(operationId)).toEqual(aborted);
    expect((await rig.jobs.get(ids[2] as string)).status).toBe('RUNNING');
  });

  it('runs beside others, up to a limit', async () => {
    await rig.close();
    rig = await openRig({ limits: { bulkOperations: 3 } });
    const jobs: string[] = [];
    for (let i = 0; i < 3; i++)
      jobs.push(
        await rig.submit(
          flow(`w${i}`),
          Array.from({ length: 800 }, () => ({})),
        ),
      );
    const started = await Promise.all(jobs.map((id) => rig.jobs.operations.submit(kill({ ids: [id] }), 'ann')));
    await expect(rig.jobs.operations.submit(kill({ ids: jobs }), 'ann')).rejects.toMatchObject({ code: 'OVERLOADED' });
    for (const { operationId } of started) expect(await ended(operationId)).toMatchObject({ done: 1, failed: 0 });
    expect((await rig.jobs.operations.list({ page: 0, size: 2 })).items.map(({ operationId }) => operationId)).toEqual(
      started
        .toReversed()
        .slice(0, 2)
        .map(({ operationId }) => operationId),
    );
  });

  it('passes over a job that cannot be dealt with', async () => {
    await rig.close();
    const broken = flow('broken');
    const options: RigOptions = { mayReport: true };
    rig = await openRig(options);
    const ids = [await rig.submit(flow()), await rig.submit(broken), await rig.submit(flow())];
    const copy = await copyOf(rig);
    await rig.close();
    rig = await openRig({
      file: copy,
      mayReport: true,
      runnable: (commit) => (commit === broken.commit ? workflow({}, ['input>output']) : knownCommit(commit)),
    });
    const { operationId } = await rig.jobs.operations.submit(kill({ ids }), 'ann');
    expect(await ended(operationId)).toMatchObject({ done: 3, failed: 1 });
    expect((await results(operationId)).map(({ ok, code }) => [ok, code])).toEqual([
      [true, null],
      [false, 'INTERNAL'],
      [true, null],
    ]);
  });

  it('that retries slows down while the queue is long', async () => {
    await rig.close();
    rig = await openRig({ limits: { bulkReadyTasks: 100 } });
    const ids = await Promise.all(Array.from({ length: 900 }, () => rig.submit(flow())));
    await ended((await rig.jobs.operations.submit(kill({ ids }), 'ann')).operationId);
    const { operationId } = await rig.jobs.operations.submit(retry({ ids }, true), 'ann');
    await expect
      .poll(async () => (await rig.jobs.operations.get(operationId)).done, { interval: 20 })
      .toBeGreaterThanOrEqual(100);
    expect((await rig.jobs.operations.get(operationId)).status).toBe('RUNNING');
    expect(rig.jobs.queueDepth).toBeLessThan(500);
    // A retry of few does not wait for the many, nor does a kill.
    const few = await rig.submit(flow('few'));
    await ended((await rig.jobs.operations.submit(kill({ ids: [few] }), 'ann')).operationId);
    expect(
      await ended((await rig.jobs.operations.submit(retry({ ids: [few] }, true), 'ann')).operationId),
    ).toMatchObject({ done: 1, failed: 0 });
    answer(await rig.worker({ capacity: 50 }), null);
    expect(await ended(operationId)).toMatchObject({ done: 900 });
  });

  it('is noted in the audit log with the transaction that accepts it', async () => {
    const noted: unknown[] = [];
    const { operationId } = await rig.jobs.operations.submit(
      kill({ ids: ['x'] }),
      'ann',
      (_db, item) => void noted.push(item),
    );
    await rig.jobs.operations.abort((await ended(operationId)).operationId, (_db, item) => void noted.push(item));
    expect(noted).toEqual([
      { action: 'job.bulk-kill', target: `operation:${operationId}`, before: null, after: { ids: 1, total: 1 } },
    ]);
  });

  it('that is unknown is a 404', async () => {
    for (const call of [
      rig.jobs.operations.get('x'),
      rig.jobs.operations.abort('x'),
      rig.jobs.operations.results('x', { page: 0, size: 1 }),
    ])
      await expect(call).rejects.toMatchObject({ code: 'OPERATION_NOT_FOUND' });
  });
});

/** The database as it is now: what a master that is killed leaves. */
async function copyOf(of: Rig): Promise<string> {
  const copy = join(temporaryFolder('ym-copy'), 'yardmaster.db');
  await of.jobs.list({ page: 0, size: 1, sort: 'createdAt,desc' });
  const db = new Database(of.file, { readonly: true });
  db.prepare('VACUUM INTO ?').run(copy);
  db.close();
  return copy;
}

describe('after a crash', () => {
  const limits = { bulkReadyTasks: 0 };
  beforeEach(async () => {
    await rig.close();
    rig = await openRig({ limits });
  });

  it('goes on behind the last job, and does none twice', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 60; i++)
      ids.push(
        await rig.submit(
          flow(),
          Array.from({ length: 20 }, () => ({})),
        ),
      );
    const killed = await rig.jobs.operations.submit(kill({ ids }), 'ann');
    await ended(killed.operationId);
    const { operationId } = await rig.jobs.operations.submit(retry({ filter: { status: ['FAILED'] } }, true), 'ann');
    await expect
      .poll(async () => (await rig.jobs.operations.get(operationId)).done, { interval: 1 })
      .toBeGreaterThan(0);
    const copy = await copyOf(rig);
    await rig.close();
    rig = await openRig({ file: copy, limits });
    expect((await rig.jobs.operations.get(operationId)).done).toBeLessThan(60);
    expect(await ended(operationId)).toMatchObject({ done: 60, failed: 0, total: 60 });
    expect((await results(operationId)).map(({ jobId, message }) => [jobId, message])).toEqual(
      ids.map((id) => [id, '20 tasks retried']),
    );
    for (const id of ids)
      expect(new Set((await rig.tasks(id)).map(({ attempt, state }) => `${state} ${attempt}`))).toEqual(
        new Set(['READY 2']),
      );
  });

  it('goes on within a large job: a task that was retried and failed again is not retried once more', async () => {
    const jobId = await rig.submit(
      flow(),
      Array.from({ length: 450 }, (_, i) => ({ i })),
    );
    await ended((await rig.jobs.operations.submit(kill({ ids: [jobId] }), 'ann')).operationId);
    const { operationId } = await rig.jobs.operations.submit(retry({ ids: [jobId] }, true), 'ann');
    await expect
      .poll(async () => (await rig.jobs.get(jobId)).taskCounters.readyTasks, { interval: 1 })
      .toBeGreaterThan(0);
    const copy = await copyOf(rig);
    await rig.close();
    // What was retried runs and fails again before the operation gets further: the runner of the new master is held up by nothing.
    rig = await openRig({ file: copy, limits });
    const before = (await rig.jobs.get(jobId)).taskCounters;
    expect(before.readyTasks).toBeGreaterThan(0);
    const worker = await rig.worker({ capacity: 400 });
    answer(worker, 'TASK_ERROR');
    await ended(operationId);
    await expect.poll(async () => (await rig.jobs.get(jobId)).taskCounters.failedTasks).toBe(450);
    expect(await results(operationId)).toEqual([{ jobId, ok: true, code: null, message: '450 tasks retried' }]);
    expect(
      rig.store.read
        .query<{ attempt: number; n: number }>('SELECT attempt, count(*) AS n FROM task GROUP BY attempt')
        .all(),
    ).toEqual([{ attempt: 2, n: 450 }]);
  });

  it('forgets jobs that were taken for an operation that was never accepted', async () => {
    await rig.store.write((db) =>
      db.statement('INSERT INTO operation_chunk (operation, first, jobs) VALUES (?, ?, ?)').run(1, 0, '[1]'),
    );
    const copy = await copyOf(rig);
    await rig.close();
    rig = await openRig({ file: copy, limits });
    const { operationId } = await rig.jobs.operations.submit(kill({ ids: ['x'] }), 'ann');
    expect(await ended(operationId)).toMatchObject({ done: 1, failed: 1 });
  });
});

it('takes a snapshot of thousands of jobs in parts, and takes them in the order of their creation', async () => {
  const ids = await Promise.all(Array.from({ length: 4500 }, () => rig.submit(flow(), [])));
  const { operationId } = await rig.jobs.operations.submit(kill({ filter: {} }), 'ann');
  expect(
    rig.store.read
      .query<{ first: number }>('SELECT first FROM operation_chunk ORDER BY first')
      .all()
      .map(({ first }) => first),
  ).toEqual([0, 2000, 4000]);
  expect(await ended(operationId)).toMatchObject({ total: 4500, done: 4500, failed: 4500 });
  for (const page of [0, 7, 8])
    expect(
      (await rig.jobs.operations.results(operationId, { page, size: 500 })).items.map(({ jobId }) => jobId),
    ).toEqual(ids.slice(page * 500, (page + 1) * 500));
  await expect(
    rig.jobs.operations.dryRun(kill({ filter: { q: (ids[0] as string).slice(0, 8) } })),
  ).resolves.toMatchObject({ count: 4500 });
});

it('refuses a filter that matches more than one operation may', async () => {
  await rig.close();
  rig = await openRig({ limits: { bulkJobs: 2 } });
  for (let i = 0; i < 3; i++) await rig.submit(flow(), []);
  await expect(rig.jobs.operations.submit(kill({ filter: {} }), 'ann')).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ pointer: '/filter' }],
  });
  expect((await rig.jobs.operations.list({ page: 0, size: 1 })).totalItems).toBe(0);
});
