import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FailureGroup } from '../../../contract/failures.ts';
import { done, failed, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, submission, workflow, type Rig } from '../../testing/engine.fixture.ts';
import { fingerprint } from './fingerprint.ts';

let rig: Rig;
let worker: FakeWorker;
const flow = workflow({ a: {} }, ['input>a', 'a>output'], { workflowId: 'pay' });
const other = workflow({ a: {} }, ['input>a', 'a>output'], { workflowId: 'ship' });
const limits = { workerUnstableSeconds: 1e6, workerDownSeconds: 1e6 };
beforeEach(async () => {
  rig = await openRig({ limits });
  worker = await rig.worker({ capacity: 50 });
});
afterEach(() => rig.close());

const FINAL = { code: 'NON_RETRYABLE', retryable: false };
async function fail(
  message: string,
  {
    runnable = flow,
    environment = 'dev' as 'dev' | 'prod',
    code = 'NON_RETRYABLE',
    input = { content: 'a' } as unknown,
  } = {},
): Promise<string> {
  rig.clock.advance(1000);
  const jobId = await rig.submit(runnable, [input], { environment });
  worker.report(failed(await worker.lease(), { ...FINAL, code, message }, rig.clock.now()));
  await rig.jobs.wait(jobId, 60);
  return jobId;
}
async function succeed(input: unknown): Promise<void> {
  const jobId = await rig.submit(flow, [input]);
  worker.report(done(await worker.lease(), 1, undefined, rig.clock.now()));
  await rig.jobs.wait(jobId, 60);
}
const groups = async (query = {}) => (await rig.jobs.failures.list({ page: 0, size: 50, ...query })).items;
const only = async (): Promise<FailureGroup> => {
  const found = await groups();
  expect(found).toHaveLength(1);
  return found[0] as FailureGroup;
};

it('puts failures that are alike into one group, with where they happened', async () => {
  const first = await fail('card 1 refused');
  const last = await fail('card 22 refused', { environment: 'prod' });
  await fail('card 3 refused', { runnable: other });
  await fail('card 4 refused', { code: 'AUTHENTICATION_FAILED' });
  const found = await groups();
  expect(found).toHaveLength(3);
  const group = found.find(({ count }) => count === 2) as FailureGroup;
  expect(group).toMatchObject({
    status: 'OPEN',
    workflowId: 'pay',
    node: 'a',
    code: 'NON_RETRYABLE',
    message: 'card <n> refused',
    sample: 'card 22 refused',
    lastJobId: last,
    decidedAt: null,
    decidedBy: null,
    reopenedAt: null,
    environments: [
      { environment: 'dev', count: 1 },
      { environment: 'prod', count: 1 },
    ],
    commits: [{ commit: flow.commit, count: 2 }],
  });
  expect(group.histogram).toMatchObject({ stepSeconds: 60 });
  expect(group.histogram?.counts.reduce((a, b) => a + b, 0)).toBe(2);
  expect(group.workers).toEqual([{ workerId: worker.id, count: 2 }]);
  expect(Date.parse(group.lastSeenAt) - Date.parse(group.firstSeenAt)).toBe(1000);
  const detail = await rig.jobs.failures.get(group.id);
  expect(detail.jobs.map(({ id, message }) => [id, message])).toEqual([
    [last, 'card 22 refused'],
    [first, 'card 1 refused'],
  ]);
  await expect(rig.jobs.failures.get('0000000000000000')).rejects.toMatchObject({ code: 'FAILURE_NOT_FOUND' });
});

it('lists by status, workflow, environment and text, in each order', async () => {
  await fail('alpha');
  await fail('beta', { environment: 'prod' });
  await fail('beta');
  await fail('gamma', { runnable: other });
  const messages = async (query: object) => (await groups(query)).map(({ message }) => message);
  expect(await messages({})).toEqual(['gamma', 'beta', 'alpha']);
  expect(await messages({ sort: 'firstSeenAt,asc' })).toEqual(['alpha', 'beta', 'gamma']);
  expect(await messages({ sort: 'count,desc', size: 1 })).toEqual(['beta']);
  expect(await messages({ workflowId: 'ship' })).toEqual(['gamma']);
  expect(await messages({ environment: 'prod' })).toEqual(['beta']);
  expect(await messages({ q: 'LPH' })).toEqual(['alpha']);
  expect(await messages({ q: '%' })).toEqual([]);
  const [{ node, code } = { node: '', code: '' }] = await groups({ workflowId: 'ship' });
  expect(await messages({ node, code: code.toLowerCase() })).toContain('gamma');
  expect(await messages({ node: `${node}x` })).toEqual([]);
  expect(await messages({ code: `${code}X` })).toEqual([]);
  expect(await messages({ status: ['RESOLVED'] })).toEqual([]);
});

it('opens a resolved group again at the next occurrence, an ignored one never', async () => {
  await fail('x 1');
  const { id } = await only();
  const audited: unknown[] = [];
  const resolved = await rig.jobs.failures.decide(id, 'resolve', 'ann', (_db, entry) => void audited.push(entry));
  expect(resolved).toMatchObject({ status: 'RESOLVED', decidedBy: 'ann' });
  expect(audited).toEqual([
    { action: 'failure.resolve', target: `failure:${id}`, before: { status: 'OPEN' }, after: { status: 'RESOLVED' } },
  ]);
  await fail('x 2');
  expect(await only()).toMatchObject({ status: 'OPEN', count: 2, decidedAt: null, decidedBy: null });
  expect((await only()).reopenedAt).not.toBeNull();
  await rig.jobs.failures.decide(id, 'ignore', 'ann');
  await fail('x 3');
  expect(await only()).toMatchObject({ status: 'IGNORED', count: 3, decidedBy: 'ann' });
  expect(await rig.jobs.failures.decide(id, 'reopen', 'ann')).toMatchObject({ status: 'OPEN', decidedBy: null });
  await expect(rig.jobs.failures.decide('0000000000000000', 'ignore', 'ann')).rejects.toMatchObject({
    code: 'FAILURE_NOT_FOUND',
  });
});

it('counts what failed for good: neither what waits for a retry nor what was killed', async () => {
  const jobId = await rig.submit(flow);
  worker.report(failed(await worker.lease(), { code: 'TASK_ERROR', retryable: true }));
  await expect.poll(async () => (await rig.jobs.get(jobId)).taskCounters.failedTasks).toBe(1);
  expect(await groups()).toEqual([]);
  await rig.jobs.kill(jobId, 'ann');
  expect(await groups()).toEqual([]);
});

it('shows open groups of the last day on the overview', async () => {
  const jobId = await fail('x 1');
  const { id } = await only();
  expect((await rig.jobs.overview()).failures).toMatchObject([
    { id, workflowId: 'pay', node: 'a', code: 'NON_RETRYABLE', message: 'x 1', count: 1, lastJobId: jobId },
  ]);
  await rig.jobs.failures.decide(id, 'ignore', 'ann');
  expect((await rig.jobs.overview()).failures).toEqual([]);
});

it('filters jobs and bulk operations by the group', async () => {
  const jobId = await fail('x 1');
  await fail('other');
  const group = (await groups()).find(({ message }) => message === 'x <n>') as FailureGroup;
  const { items, totalItems } = await rig.jobs.list({
    page: 0,
    size: 5,
    sort: 'createdAt,desc',
    failureGroup: group.id,
  });
  expect([totalItems, items.map(({ id }) => id)]).toEqual([1, [jobId]]);
  expect(
    await rig.jobs.operations.dryRun({
      kind: 'retry',
      target: { filter: { failureGroup: group.id } },
      nonRetryable: true,
    }),
  ).toMatchObject({ count: 1, eligible: 1 });
});

it('survives a restart of the master', async () => {
  await fail('x 1');
  const before = await only();
  const { file, clock } = rig;
  await rig.close();
  rig = await openRig({ file, clock, limits });
  worker = await rig.worker({ capacity: 50 });
  expect(await only()).toEqual(before);
  await fail('x 2');
  expect(await only()).toMatchObject({ id: before.id, count: 2 });
});

it('keeps as many groups, commits and workers as the limits say', async () => {
  await rig.close();
  rig = await openRig({ limits: { ...limits, failureGroups: 3, failureParts: 2 } });
  worker = await rig.worker({ capacity: 50 });
  for (const word of ['one', 'two', 'three', 'four', 'five']) await fail(word);
  expect((await groups()).map(({ message }) => message)).toEqual(['five', 'four', 'three']);
  for (let i = 0; i < 4; i++)
    await fail('five', { runnable: workflow({ a: {} }, ['input>a', 'a>output'], { workflowId: 'pay' }) });
  expect((await groups())[0]).toMatchObject({ count: 5, commits: [{ count: 1 }, { count: 1 }] });
  const rows = (table: string) =>
    rig.store.read.query<{ n: number }>(`SELECT count(DISTINCT group_id) AS n FROM ${table}`).get()?.n;
  expect([rows('failure_part'), rows('failure_job')]).toEqual([3, 3]);
});

it('names the field of the input that failures have and successes have not', async () => {
  for (let i = 0; i < 12; i++) {
    await succeed({ country: i % 2 === 0 ? 'DE' : 'IT', amount: i });
    await fail(`refused ${i}`, { input: { country: 'FR', amount: i } });
    await succeed({ country: 'DE', amount: i });
  }
  const { causes } = await rig.jobs.failures.get((await only()).id);
  expect(causes).toEqual([{ kind: 'input', path: 'country', value: 'FR', failures: 1, successes: 0 }]);
});

it('names the field that three failures lack and seven successes have, and how few were compared', async () => {
  for (let i = 0; i < 7; i++) await succeed({ id: i, items: [{ sku: 'a' }] });
  for (let i = 0; i < 3; i++) await fail(`refused ${i}`, { input: { id: i } });
  expect((await rig.jobs.failures.get((await only()).id)).causes).toEqual([
    { kind: 'missing', path: 'items', value: '', failures: 1, successes: 0, fewRuns: { failures: 3, successes: 7 } },
  ]);
});

it('names the version that brought it, where earlier ones succeeded and never failed so', async () => {
  for (let i = 0; i < 6; i++) await succeed({ n: i });
  const fresh = workflow({ a: {} }, ['input>a', 'a>output'], { workflowId: 'pay' });
  await fail('broken', { runnable: fresh });
  expect((await rig.jobs.failures.get((await only()).id)).introducedBy).toBe(fresh.commit);
  // It was there before after all.
  await fail('broken');
  expect((await rig.jobs.failures.get((await only()).id)).introducedBy).toBeNull();
});

it('names no cause where there are too few to compare', async () => {
  for (let i = 0; i < 4; i++) await fail(`refused ${i}`, { input: { country: 'FR' } });
  expect((await rig.jobs.failures.get((await only()).id)).causes).toEqual([]);
});

it('costs nothing where nothing fails: its statements go by their keys', () => {
  const plan = (sql: string) =>
    rig.store.read
      .query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
      .join(' | ');
  expect(
    plan(
      "SELECT * FROM failure_group INDEXED BY failure_group_by_seen WHERE last_seen_at > 0 AND status = 'OPEN' ORDER BY last_seen_at DESC LIMIT 10",
    ),
  ).toBe('SEARCH failure_group USING INDEX failure_group_by_seen (last_seen_at>?)');
  expect(plan("UPDATE failure_part SET count = 1 WHERE group_id = 'a' AND kind = 'worker' AND value = 'w'")).toContain(
    'PRIMARY KEY (group_id=? AND kind=? AND value=?)',
  );
});

it('keeps the statuses of answers apart, and says whether all messages were one', async () => {
  const down = 'GET https://pay.example/ answered 503 Service Unavailable';
  await fail(down);
  await fail(down);
  await fail('GET https://pay.example/ answered 404 Not Found');
  await fail('card 1 refused');
  await fail('card 2 refused');
  await fail('card 2 refused');
  const found = await groups({ sort: 'count,asc' });
  expect(found.map(({ message, count, sameMessage }) => [message, count, sameMessage])).toEqual([
    ['GET https://pay.example/ answered 404 Not Found', 1, true],
    [down, 2, true],
    ['card <n> refused', 3, false],
  ]);
});

it('ignores what a group of an earlier release was ignored for, and no other status', async () => {
  const before = {
    message: 'pay answered <n> Away',
    sample: 'pay answered 503 Away',
    id: fingerprint('pay', 'a', 'NON_RETRYABLE', 'pay answered <n> Away'),
  };
  await rig.store.write((db) => {
    db.statement(
      "INSERT INTO failure_group (id, workflow_id, node, code, message, sample, status, count, first_seen_at, last_seen_at, last_job, last_task, decided_at, decided_by) VALUES (?, 'pay', 'a', 'NON_RETRYABLE', ?, ?, 'IGNORED', 9, 1, 1, 'j', 't', 5, 'ann')",
    ).run(before.id, before.message, before.sample);
  });
  await fail('pay answered 503 Away');
  await fail('pay answered 500 Away');
  expect((await groups()).map(({ message, status, decidedBy, count }) => [message, status, decidedBy, count])).toEqual([
    ['pay answered 500 Away', 'OPEN', null, 1],
    ['pay answered 503 Away', 'IGNORED', 'ann', 1],
    ['pay answered <n> Away', 'IGNORED', 'ann', 9],
  ]);
});

it('goes on with a group of an earlier release that counted one failure alone', async () => {
  const jobId = await fail('pay answered 503 Away');
  const now = await only();
  const earlier = fingerprint('pay', 'a', 'NON_RETRYABLE', 'pay answered <n> Away');
  await rig.store.write((db) => {
    db.statement(
      "UPDATE failure_group SET id = ?, message = 'pay answered <n> Away', status = 'RESOLVED', decided_at = 5, decided_by = 'ann'",
    ).run(earlier);
    for (const table of ['failure_part', 'failure_job']) db.statement(`UPDATE ${table} SET group_id = ?`).run(earlier);
  });
  await fail('pay answered 404 Away');
  expect(await groups()).toHaveLength(2);
  const again = await fail('pay answered 503 Away');
  const found = (await groups()).find(({ id }) => id === now.id);
  expect(found).toMatchObject({
    message: now.message,
    count: 2,
    firstSeenAt: now.firstSeenAt,
    status: 'OPEN',
    reopenedAt: expect.any(String),
    environments: [{ environment: 'dev', count: 2 }],
    sameMessage: true,
  });
  expect((await rig.jobs.failures.get(now.id)).jobs.map(({ id }) => id)).toEqual([again, jobId]);
  expect(await groups()).toHaveLength(2);
});

it('leads from a task to its group and the other jobs in it', async () => {
  const taskOf = async (jobId: string) => (await rig.jobs.tasks(jobId, { page: 0, size: 1 })).items[0]?.id ?? '';
  const first = await fail('card 1 refused');
  expect(await rig.jobs.failures.ofTask(await taskOf(first))).toMatchObject({
    group: { message: 'card <n> refused' },
    otherJobs: 0,
  });
  await fail('card 2 refused');
  await fail('other');
  expect(await rig.jobs.failures.ofTask(await taskOf(first))).toMatchObject({
    group: { sample: 'card 2 refused', count: 2 },
    otherJobs: 1,
  });
  await succeed({});
  const { items } = await rig.jobs.list({ page: 0, size: 1, sort: 'createdAt,desc' });
  expect(await rig.jobs.failures.ofTask(await taskOf(items[0]?.id ?? ''))).toEqual({ group: null, otherJobs: 0 });
  await expect(rig.jobs.failures.ofTask('none')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
});

it('stays open when its only job was run again with success, and says so', async () => {
  const jobId = await fail('card 1 refused');
  expect((await only()).haveSucceeded).toBe(false);
  const { jobId: again } = await rig.jobs.rerun({
    ...submission(flow, [{ content: 'a' }], { kind: 'batch' }),
    lineage: { rerunOf: jobId, rerunNode: null, parentTaskId: null, parentJobId: null, depth: 0 },
  });
  const { id } = await only();
  expect((await rig.jobs.failures.get(id)).jobs[0]).toMatchObject({
    id: jobId,
    lastRerun: { id: again, status: 'RUNNING' },
  });
  expect((await only()).haveSucceeded).toBe(false);
  worker.report(done(await worker.lease(), 1, undefined, rig.clock.now()));
  await rig.jobs.wait(again, 60);
  expect(await only()).toMatchObject({ status: 'OPEN', haveSucceeded: true });
  const { jobs, standing } = await rig.jobs.failures.get(id);
  expect([jobs[0]?.lastRerun, standing]).toEqual([
    { id: again, status: 'COMPLETED' },
    { jobs: 1, succeeded: 1, running: 0, failed: 0 },
  ]);
  await fail('card 2 refused');
  expect((await only()).haveSucceeded).toBe(false);
});
