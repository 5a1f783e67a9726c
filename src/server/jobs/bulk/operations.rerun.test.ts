import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../contract/jobs.ts';
import type { Operation, OperationResult } from '../../../contract/operations.ts';
import { Fault } from '../../../lib/fault.ts';
import { unpackChunk } from '../../../lib/packed-inputs.ts';
import { done, failed, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, unpublish, workflow, type Rig } from '../../testing/engine.fixture.ts';
import type { Runnable } from '../../workflows/port.ts';
import type { BulkRequest, RerunChoice } from './port.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

const limits = { bulkReadyTasks: 0 };
/** A schema that asks for one field, checked as the thread does. */
const checkInputs = async ({ definition }: Runnable, inputs: { chunks: readonly { texts: Uint8Array }[] }) => {
  const [field = ''] = (definition.input as { required: string[] }).required;
  for (const text of inputs.chunks.flatMap((chunk) => unpackChunk(chunk)))
    if (!(field in (JSON.parse(text) as object)))
      throw new Fault('INPUT_INVALID', 'the inputs are not valid; see errors', {
        errors: [{ pointer: `/inputs/0/${field}`, message: 'is missing' }],
      });
};

let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig({ limits, checkInputs });
  worker = await rig.worker({ capacity: 50 });
});
afterEach(() => rig.close());

const flow = (more: object = {}, workflowId = 'flow') =>
  workflow({ a: { retries: 0 } }, ['input>a', 'a>output'], { workflowId, ...more });
const CHOICE: RerunChoice = { commit: 'published', completed: false, again: false };
const rerun = (target: BulkRequest['target'], choice: Partial<RerunChoice> = {}): BulkRequest => ({
  kind: 'rerun',
  target,
  choice: { ...CHOICE, ...choice },
});
const ended = async (id: string, of: Rig = rig): Promise<Operation> => {
  await expect.poll(async () => (await of.jobs.operations.get(id)).status).not.toBe('RUNNING');
  return of.jobs.operations.get(id);
};
const results = async (id: string): Promise<OperationResult[]> =>
  (await rig.jobs.operations.results(id, { page: 0, size: 500 })).items;
const run = async (request: BulkRequest): Promise<OperationResult[]> => {
  const { operationId } = await rig.jobs.operations.submit(request, 'ann');
  await ended(operationId);
  return results(operationId);
};
const rerunsOf = async (id: string): Promise<Job[]> =>
  (await rig.jobs.list({ page: 0, size: 50, sort: 'createdAt,desc', rerunOf: id })).items;

async function failOne(
  runnable: Runnable,
  input: unknown = { n: 1 },
  more: Parameters<Rig['submit']>[2] = {},
): Promise<string> {
  const jobId = await rig.submit(runnable, [input], more);
  worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', message: 'no tariff', retryable: false }));
  await rig.jobs.wait(jobId, 60);
  await expect.poll(async () => (await rig.jobs.get(jobId)).finishedAt).not.toBeNull();
  return jobId;
}
async function succeedOne(runnable: Runnable): Promise<string> {
  const jobId = await rig.submit(runnable, [{ n: 1 }]);
  worker.report(done(await worker.lease(), 1));
  await rig.jobs.wait(jobId, 60);
  return jobId;
}

describe('a bulk rerun', () => {
  it('starts a new job for each that failed, with what it was given, on what is published now', async () => {
    const broken = flow();
    const ids = [
      await failOne(
        broken,
        { n: 1 },
        { externalId: 'order-1', labels: { team: 'x' }, priority: 7, replicaRunTimeoutSeconds: 90 },
      ),
      await failOne(broken, { n: 2 }, { environment: 'prod' }),
    ];
    const fixed = flow();
    const found = await run(rerun({ filter: { workflowId: 'flow' } }));
    expect(found.map(({ jobId, ok, code }) => [jobId, ok, code])).toEqual(ids.map((id) => [id, true, null]));
    expect(found[0]?.message).toBe(`rerun as ${found[0]?.newJobId} on ${fixed.commit.slice(0, 10)}`);
    expect(await rig.jobs.get(found[0]?.newJobId ?? '')).toMatchObject({
      rerunOf: ids[0],
      commit: fixed.commit,
      environment: 'dev',
      kind: 'batch',
      externalId: 'order-1',
      labels: { team: 'x' },
      priority: 7,
      replicaRunTimeoutSeconds: 90,
      inputCount: 1,
    });
    expect(await rig.jobs.get(found[1]?.newJobId ?? '')).toMatchObject({
      rerunOf: ids[1],
      environment: 'prod',
      priority: 0,
    });
    expect((await rerunsOf(ids[1] as string)).map(({ id }) => id)).toEqual([found[1]?.newJobId]);
    expect([(await worker.lease()).input, (await worker.lease()).input]).toEqual([{ n: 1 }, { n: 2 }]);
    expect((await rig.jobs.get(ids[0] as string)).status).toBe('FAILED');
  });

  it('runs each on its own version where none is named, or all on the one that is', async () => {
    const first = flow();
    const id = await failOne(first);
    const second = flow();
    flow();
    const [own] = await run(rerun({ ids: [id] }, { commit: null }));
    expect((await rig.jobs.get(own?.newJobId ?? '')).commit).toBe(first.commit);
    const [named] = await run(rerun({ ids: [id] }, { commit: second.commit, again: true }));
    expect((await rig.jobs.get(named?.newJobId ?? '')).commit).toBe(second.commit);
  });

  it('counts first what it would do, on which version, and says why not', async () => {
    const broken = flow();
    const two = [await failOne(broken), await failOne(broken)];
    const well = await succeedOne(broken);
    const open = await rig.submit(broken);
    await worker.lease();
    const loose = await failOne(broken, {}, { environment: null });
    const unpublished = await failOne(workflow({ a: { retries: 0 } }, ['input>a', 'a>output'], { workflowId: 'none' }));
    unpublish('none');
    const archived = await failOne(flow({}, 'gone'));
    unpublish('gone');
    const calls = flow({}, 'callee');
    const parent = await rig.submit(
      workflow(
        { call: { type: 'workflow', config: { workflowId: 'callee', environment: 'dev' }, retries: 0 } },
        ['input>call', 'call>output'],
        { workflowId: 'caller' },
      ),
      [{}],
    );
    worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', retryable: false }));
    await rig.jobs.wait(parent, 60);
    const child =
      (await rig.jobs.list({ page: 0, size: 1, sort: 'createdAt,desc', parentJobId: parent })).items[0]?.id ?? '';
    expect((await rig.jobs.get(child)).commit).toBe(calls.commit);
    const fixed = flow();
    const reasons = {
      NOTHING_FAILED: well,
      NOT_FINISHED: open,
      NO_ENVIRONMENT: loose,
      NOT_PUBLISHED: unpublished,
      WORKFLOW_NOT_FOUND: archived,
      CHILD_JOB: child,
      NOT_FOUND: 'unknown',
    };
    const ids = [...two, ...Object.values(reasons)];
    const dry = await rig.jobs.operations.dryRun(rerun({ ids }));
    expect(dry).toMatchObject({
      count: 9,
      eligible: 2,
      unchecked: 0,
      versions: [{ workflowId: 'flow', environment: 'dev', commit: fixed.commit, jobs: 2, same: 0 }],
    });
    expect(Object.fromEntries(dry.ineligible.map(({ reason, count }) => [reason, count]))).toEqual(
      Object.fromEntries(Object.keys(reasons).map((reason) => [reason, 1])),
    );
    expect((await rig.jobs.operations.list({ page: 0, size: 1 })).totalItems).toBe(0);
    expect((await rig.jobs.operations.dryRun(rerun({ ids }, { completed: true }))).eligible).toBe(3);
    // The operation says the same of each.
    const found = await run(rerun({ ids }));
    expect(Object.fromEntries(found.filter(({ ok }) => !ok).map(({ jobId, code }) => [code, jobId]))).toEqual(reasons);
  });

  it('says how many inputs the new schema refuses, and leaves these alone', async () => {
    const broken = flow({ input: { required: ['n'] } });
    const ids = [await failOne(broken, { n: 1 }), await failOne(broken, { n: 2, country: 'DE' })];
    flow({ input: { required: ['country'] } });
    expect(await rig.jobs.operations.dryRun(rerun({ ids }))).toMatchObject({
      eligible: 1,
      unchecked: 0,
      ineligible: [{ reason: 'INPUT_INVALID', count: 1 }],
      versions: [{ jobs: 1 }],
    });
    expect((await run(rerun({ ids }))).map(({ code, message }) => [code, message])).toEqual([
      ['INPUT_INVALID', expect.stringContaining('/0/country is missing')],
      [null, expect.any(String)],
    ]);
    // Without time for it none is looked at, and that is said.
    await rig.close();
    rig = await openRig({ file: rig.file, limits: { ...limits, bulkCheckSeconds: 0 }, checkInputs });
    expect(await rig.jobs.operations.dryRun(rerun({ ids }, { again: true }))).toMatchObject({
      eligible: 2,
      unchecked: 2,
    });
  });

  it('takes a job that was run again only where it is told to; a rerun that failed stands for the first', async () => {
    const id = await failOne(flow());
    flow();
    const [first] = await run(rerun({ ids: [id] }));
    worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', message: 'no tariff', retryable: false }));
    await expect.poll(async () => (await rig.jobs.get(first?.newJobId ?? '')).finishedAt).not.toBeNull();
    const [group] = (await rig.jobs.failures.list({ page: 0, size: 1 })).items;
    // Both are in the group, and one of them is run.
    expect(await rig.jobs.operations.dryRun(rerun({ filter: { failureGroup: group?.id ?? '' } }))).toMatchObject({
      count: 2,
      eligible: 1,
      ineligible: [{ reason: 'RERUN_EXISTS', count: 1 }],
    });
    expect(
      (await run(rerun({ filter: { failureGroup: group?.id ?? '' } }))).map(({ jobId, code }) => [jobId, code]),
    ).toEqual([
      [id, 'RERUN_EXISTS'],
      [first?.newJobId, null],
    ]);
    expect((await run(rerun({ ids: [id] }, { again: true })))[0]).toMatchObject({ ok: true });
    expect(await rerunsOf(id)).toHaveLength(2);
  });

  it('is stopped by an abort, and shows what it was asked for', async () => {
    const broken = flow();
    const ids: string[] = [];
    for (let i = 0; i < 120; i++)
      ids.push(
        await rig.submit(
          broken,
          Array.from({ length: 3 }, () => ({})),
        ),
      );
    await ended(
      (await rig.jobs.operations.submit({ kind: 'kill', target: { ids }, nonRetryable: false }, 'ann')).operationId,
    );
    const noted: unknown[] = [];
    const { operationId, ...asked } = await rig.jobs.operations.submit(
      rerun({ ids }),
      'ann',
      (_db, note) => void noted.push(note),
    );
    expect(asked).toMatchObject({ kind: 'rerun', status: 'RUNNING', total: 120, commit: 'published', filter: null });
    expect(noted).toEqual([
      {
        action: 'job.bulk-rerun',
        target: `operation:${operationId}`,
        before: null,
        after: { ids: 120, total: 120, commit: 'published' },
      },
    ]);
    const aborted = await rig.jobs.operations.abort(operationId);
    expect(aborted).toMatchObject({ status: 'ABORTED', total: 120 });
    expect(aborted.done).toBeLessThan(120);
    expect((await results(operationId)).length).toBe(aborted.done);
    expect(
      rig.store.read.query<{ n: number }>('SELECT count(*) AS n FROM job WHERE rerun_of IS NOT NULL').get()?.n,
    ).toBe(aborted.done);
  });

  it('of a job with many inputs makes it whole', async () => {
    const jobId = await rig.submit(
      flow(),
      Array.from({ length: 900 }, (_, n) => ({ n })),
    );
    await rig.jobs.kill(jobId, 'ann');
    const [found] = await run(rerun({ ids: [jobId] }));
    await expect
      .poll(
        async () =>
          (await rig.jobs.get(found?.newJobId ?? '')).taskCounters.readyTasks +
          (await rig.jobs.get(found?.newJobId ?? '')).taskCounters.scheduledTasks,
      )
      .toBe(900);
    expect(await rig.jobs.inputText(found?.newJobId ?? '', { node: null, replica: 899 })).toBe('{"n":899}');
  });

  it('slows down while the queue is long', async () => {
    await rig.close();
    rig = await openRig({ limits: { bulkReadyTasks: 50 } });
    const broken = flow();
    const ids: string[] = [];
    for (let i = 0; i < 300; i++) ids.push(await rig.submit(broken));
    await ended(
      (await rig.jobs.operations.submit({ kind: 'kill', target: { ids }, nonRetryable: false }, 'ann')).operationId,
    );
    const { operationId } = await rig.jobs.operations.submit(rerun({ ids }), 'ann');
    await expect
      .poll(async () => (await rig.jobs.operations.get(operationId)).done, { interval: 20 })
      .toBeGreaterThanOrEqual(50);
    expect(rig.jobs.queueDepth).toBeLessThan(200);
    worker = await rig.worker({ capacity: 50 });
    let over = false;
    const all = ended(operationId).finally(() => (over = true));
    while (!over) {
      if (worker.untaken > 0) worker.report(done(await worker.lease(), 1));
      else await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await all).toMatchObject({ done: 300, failed: 0 });
  });

  it('goes on after a crash behind the last job, and runs none again twice', async () => {
    const broken = flow();
    const ids: string[] = [];
    for (let i = 0; i < 150; i++) ids.push(await rig.submit(broken, [{ i }, {}]));
    await ended(
      (await rig.jobs.operations.submit({ kind: 'kill', target: { ids }, nonRetryable: false }, 'ann')).operationId,
    );
    const fixed = flow();
    const { operationId } = await rig.jobs.operations.submit(rerun({ filter: { status: ['FAILED'] } }), 'ann');
    await expect
      .poll(async () => (await rig.jobs.operations.get(operationId)).done, { interval: 1 })
      .toBeGreaterThan(0);
    const copy = join(temporaryFolder('ym-copy'), 'yardmaster.db');
    const db = new Database(rig.file, { readonly: true });
    db.prepare('VACUUM INTO ?').run(copy);
    db.close();
    await rig.close();
    rig = await openRig({ file: copy, limits });
    expect((await rig.jobs.operations.get(operationId)).done).toBeLessThan(150);
    expect(await ended(operationId)).toMatchObject({ done: 150, failed: 0, total: 150 });
    expect((await results(operationId)).map(({ jobId }) => jobId)).toEqual(ids);
    const made = rig.store.read
      .query<{ rerun_of: string; commit_hash: string; n: number }>(
        'SELECT rerun_of, commit_hash, count(*) AS n FROM job WHERE rerun_of IS NOT NULL GROUP BY rerun_of',
      )
      .all();
    expect(made.length).toBe(150);
    expect(made.every(({ n, commit_hash }) => n === 1 && commit_hash === fixed.commit)).toBe(true);
  });
});

it('a group says what its jobs came to by now, each by its last rerun', async () => {
  const broken = flow();
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push(await failOne(broken, { i }));
  const [group] = (await rig.jobs.failures.list({ page: 0, size: 1 })).items;
  const standing = async () => (await rig.jobs.failures.get(group?.id ?? '')).standing;
  expect(await standing()).toEqual({ jobs: 4, succeeded: 0, running: 0, failed: 4 });
  flow();
  await run(rerun({ ids: ids.slice(0, 3) }));
  expect(await standing()).toEqual({ jobs: 4, succeeded: 0, running: 3, failed: 1 });
  worker.report(done(await worker.lease(), 1));
  worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', message: 'no tariff', retryable: false }));
  worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', message: 'something else', retryable: false }));
  await expect.poll(standing).toEqual({ jobs: 4, succeeded: 1, running: 0, failed: 3 });
});
