import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openPoolRig, type PoolRig } from '../../../testing/worker-pool.fixture.ts';
import { submission, workflow } from '../../../testing/engine.fixture.ts';
import { READY_BEFORE_JOB, READY_BEFORE_TASK, READY_OF_HIGHER_PRIORITY, ROUNDS_OF_OTHERS } from './queue-position.ts';

let rig: PoolRig;
beforeEach(async () => {
  rig = await openPoolRig();
});
afterEach(() => rig.close());

const one = (workflowId = 'flow', node = {}) => workflow({ a: node }, ['input>a', 'a>output'], { workflowId });
const submit = async (runnable = one(), count = 1, more = {}) =>
  (
    await rig.jobs.submit(
      submission(
        runnable,
        Array.from({ length: count }, () => ({})),
        more,
      ),
    )
  ).jobId;
const tasks = async (jobId: string) => (await rig.jobs.tasks(jobId, { page: 0, size: 500 })).items;
const task = async (jobId: string, replica = 0) => (await tasks(jobId))[replica]?.id ?? '';
const why = async (jobId: string, replica = 0) => rig.jobs.why(await task(jobId, replica));

describe('a READY task', () => {
  it('waits for any worker', async () => {
    const jobId = await submit();
    expect(await why(jobId)).toMatchObject({
      state: 'READY',
      reason: 'NO_WORKERS',
      queue: { position: 1, total: 1 },
      slots: { used: 0, total: 0, workers: 0, accepting: 0 },
      scheduleTimeoutAt: new Date(rig.clock.now() + 300_000).toISOString(),
    });
    expect((await why(jobId)).message).toBe(
      'No worker is online (SCHEDULE_TIMEOUT in 300 s). Start one with `yardmaster worker`, or check why the workers are Down.',
    );
  });

  it('waits for a handler', async () => {
    await rig.addWorker('w', 2, ['other']);
    const jobId = await submit(one('flow', { type: 'handler', config: { handler: 'mail' } }));
    expect(await why(jobId)).toMatchObject({
      reason: 'HANDLER_NOT_REGISTERED',
      handler: { name: 'mail', workers: [] },
      slots: { total: 2, accepting: 1 },
    });
    expect((await why(jobId)).message).toContain('The only worker has not registered the handler mail');
  });

  it('waits for a worker of its environment', async () => {
    await rig.addWorker('w', 2, [], ['dev']);
    const jobId = await submit(one(), 1, { environment: 'prod' });
    expect(await why(jobId)).toMatchObject({
      reason: 'ENVIRONMENT_NOT_SERVED',
      slots: { total: 0, workers: 0 },
      message:
        'The token of the only worker does not allow tasks of prod (SCHEDULE_TIMEOUT in 300 s). Start a worker with a token that serves prod.',
    });
    const draft = await submit(one(), 1, { environment: null });
    expect((await why(draft)).message).toBe(
      'The token of the only worker does not allow runs outside environments (SCHEDULE_TIMEOUT in 300 s). Drafts and runs of a commit need a worker whose token has no environments.',
    );
    await rig.addWorker('v', 2, ['other'], ['prod']);
    const mail = await submit(one('flow', { type: 'handler', config: { handler: 'mail' } }), 1, {
      environment: 'prod',
    });
    expect(await why(mail)).toMatchObject({
      reason: 'HANDLER_NOT_REGISTERED',
      message: expect.stringContaining('The only worker for prod has not registered the handler mail'),
    });
  });

  it('waits for a worker that takes tasks', async () => {
    await rig.addWorker('w', 2);
    const poolWorker = rig.poolWorkers.get('w');
    if (!poolWorker) throw new Error('no worker');
    Object.assign(poolWorker, { accepting: false, drained: true });
    const jobId = await submit();
    expect(await why(jobId)).toMatchObject({
      reason: 'ALL_DRAINED',
      message: expect.stringContaining('The only worker is draining'),
    });
    Object.assign(poolWorker, { drained: false, state: 'Unstable' });
    expect(await why(jobId)).toMatchObject({ reason: 'ALL_UNHEALTHY' });
  });

  it('waits for a slot, and knows its place', async () => {
    await rig.addWorker('w', 1);
    await submit();
    const jobs = [await submit(one(), 3), await submit(one(), 2), await submit(one(), 3)];
    const places = await Promise.all(
      jobs.map(async (jobId) =>
        Promise.all((await tasks(jobId)).map(async ({ id }) => (await rig.jobs.why(id)).queue?.position)),
      ),
    );
    // Round by round one of each job.
    expect(places).toEqual([
      [1, 4, 7],
      [2, 5],
      [3, 6, 8],
    ]);
    expect(await why(jobs[0] ?? '')).toMatchObject({
      reason: 'NEXT',
      slots: { used: 1, total: 1 },
      queue: { position: 1, total: 8 },
      message: 'The task is next in the queue. It will run on the first free slot (1 slot on 1 worker).',
    });
    expect(await why(jobs[1] ?? '', 1)).toMatchObject({
      reason: 'ALL_MAXED',
      message: expect.stringContaining(
        'The task is number 5 of 8 in the queue, and all slots are in use (1 slot on 1 worker)',
      ),
    });
    const urgent = await submit(one(), 2, { priority: 9 });
    expect((await why(urgent, 1)).queue?.position).toBe(2);
    expect((await why(jobs[0] ?? '')).queue?.position).toBe(3);
  });

  it.each([600, 1200])(
    'knows its place among %i, far behind what is in memory; of many it is counted on a thread',
    async (count) => {
      await rig.addWorker('w', 1);
      await submit();
      const [huge, late] = [await submit(one(), count), await submit(one(), 2)];
      await vi.waitFor(async () => expect((await rig.jobs.overview()).tasks.ready).toBe(count + 2));
      const { items } = await rig.jobs.tasks(huge, { page: 1, size: 500 });
      expect((await rig.jobs.why(items[9]?.id ?? '')).queue?.position).toBe(510 + 2);
      expect((await why(late, 1)).queue?.position).toBe(4);
    },
  );

  it('waits for the limit of its workflow or key', async () => {
    await rig.addWorker('w', 9);
    await rig.jobs.limit({ scope: 'key', id: 3, name: 'shop', most: 2 });
    const jobId = await submit(one(), 3, { keySeq: 3 });
    await rig.settled();
    expect(await why(jobId, 2)).toMatchObject({
      reason: 'CONCURRENCY_LIMIT',
      limit: { scope: 'key', name: 'shop', most: 2, used: 2 },
      message:
        'The API key shop may run at most 2 tasks at the same time, and 2 are running. Raise its concurrency limit to run more.',
    });
  });
});

it('a task that runs, that waits for its back-off, that has ended', async () => {
  await rig.addWorker('w', 1);
  const jobId = await submit();
  const [held] = rig.leases;
  if (!held) throw new Error('no lease');
  expect(await why(jobId)).toMatchObject({
    state: 'SCHEDULED',
    reason: 'RUNNING',
    queue: null,
    scheduleTimeoutAt: null,
    message: expect.stringContaining('The task was assigned to worker w'),
  });
  rig.events.report('w', [{ e: 'start', id: held.id, attempt: 1, at: rig.clock.now() }]);
  await rig.settled();
  expect(await why(jobId)).toMatchObject({
    state: 'RUNNING',
    reason: 'RUNNING',
    runTimeoutAt: new Date(rig.clock.now() + 600_000).toISOString(),
  });
  await rig.fail(held);
  const retryAt = new Date(rig.clock.now() + 1000).toISOString();
  expect(await why(jobId)).toMatchObject({
    state: 'FAILED',
    reason: 'BACK_OFF',
    retryAt,
    message: `The task is waiting for its back-off: attempt 1 of 4 failed with TASK_ERROR. The next attempt starts at ${retryAt}.`,
  });
  rig.clock.advance(2000);
  await rig.check();
  await rig.settled();
  await rig.finish([...rig.open.values()]);
  expect(await why(jobId)).toMatchObject({ state: 'COMPLETED', reason: 'FINISHED' });
  await expect(rig.jobs.why('nobody')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
});

describe('a retry needs a worker that has the handler', () => {
  it('those without are passed over, and hold nobody up', async () => {
    await rig.addWorker('m', 300, ['mail']);
    const mail = await submit(one('flow', { type: 'handler', config: { handler: 'mail' } }), 250);
    await rig.settled();
    for (const { workerId, id, attempt } of [...rig.open.values()])
      rig.events.report(workerId, [
        { e: 'fail', id, attempt, startedAt: 1, at: 1, error: { code: 'TASK_ERROR', message: 'm', retryable: true } },
      ]);
    rig.open.clear();
    await rig.settled();
    Object.assign(rig.poolWorkers.get('m') ?? {}, { accepting: false, state: 'Down' });
    await rig.addWorker('w', 5);
    const other = await submit(one());
    const held = rig.leases.at(-1);
    if (!held) throw new Error('no lease');
    await rig.fail(held);
    rig.clock.advance(5000);
    await rig.check();
    await rig.settled();
    expect((await tasks(other))[0]).toMatchObject({ state: 'SCHEDULED', attempt: 2 });
    expect((await rig.jobs.get(mail)).taskCounters.failedTasks).toBe(250);
    expect(await why(mail)).toMatchObject({
      reason: 'BACK_OFF',
      message: expect.stringContaining('Start one that registers the handler mail'),
    });
    await rig.addWorker('n', 300, ['mail']);
    await rig.check();
    await rig.settled();
    expect((await rig.jobs.get(mail)).taskCounters.scheduledTasks).toBe(250);
  });
});

it('reads indexes alone', () => {
  const plan = (sql: string) =>
    rig.store.read
      .query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from({ length: sql.split('?').length - 1 }, () => 0))
      .map(({ detail }) => detail)
      .join(' | ');
  for (const sql of [READY_OF_HIGHER_PRIORITY, ROUNDS_OF_OTHERS, READY_BEFORE_JOB])
    expect(plan(sql)).toContain('COVERING INDEX job_waiting');
  expect(plan(READY_BEFORE_TASK)).toContain('INDEX task_claimable (job=? AND rowid>? AND rowid<?)');
});
