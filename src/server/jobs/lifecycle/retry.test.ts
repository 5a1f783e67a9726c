import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { done, failed, started, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig();
  worker = await rig.worker({ capacity: 1 });
});
afterEach(() => rig.close());

const one = (node = {}) => workflow({ a: node }, ['input>a', 'a>output']);
const first = async (jobId: string) => {
  const [task] = await rig.tasks(jobId);
  if (!task) throw new Error('no task');
  return task;
};
const state = (jobId: string, wanted: string) => expect.poll(async () => (await first(jobId)).state).toBe(wanted);
/** Lets time pass with the worker alive, then checks. */
async function pass(seconds: number) {
  rig.clock.advance(seconds * 1000);
  worker.beat();
  await expect.poll(() => rig.workers.overview().operational + rig.workers.overview().maxed).toBe(1);
  await expect
    .poll(async () => (await rig.workers.get(worker.id)).lastHeartbeatAt)
    .toBe(new Date(rig.clock.now()).toISOString());
  await rig.check();
}

describe('a failure that may be retried', () => {
  it('waits for its back-off, then is the next attempt, with an entry for the failed one', async () => {
    const jobId = await rig.submit(one());
    const lease = await worker.lease();
    worker.report(started(lease), failed(lease, { code: 'TASK_ERROR', message: 'boom' }));
    await state(jobId, 'FAILED');
    expect(await rig.jobs.get(jobId)).toMatchObject({
      status: 'FAILED',
      finishedAt: null,
      taskCounters: { failedTasks: 1 },
    });
    expect(await rig.jobs.overview()).toMatchObject({ tasks: { retrying: 1 }, jobs: { running: 1 } });
    expect(
      new Date((await first(jobId)).retryAt ?? 0).getTime() - new Date((await first(jobId)).finishedAt ?? 0).getTime(),
    ).toBe(1000);
    await pass(0.5);
    expect((await first(jobId)).state).toBe('FAILED');
    await pass(0.6);
    const again = await worker.lease();
    expect(again).toMatchObject({ id: lease.id, attempt: 2, input: { content: 'a' } });
    worker.report(done(again, 'ok'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '["ok"]', failure: null });
    expect(await first(jobId)).toMatchObject({
      attempt: 2,
      retryAt: null,
      error: null,
      retryEntries: [{ attempt: 1, workerId: worker.id, code: 'TASK_ERROR', message: 'boom', retryable: true }],
    });
  });

  it('does not wait for as long as the clock was set back, nor without its back-off for a step of some seconds', async () => {
    const jobId = await rig.submit(one({ retryBackoffSeconds: 3600 }));
    worker.report(failed(await worker.lease()));
    await state(jobId, 'FAILED');
    await pass(-50);
    expect((await first(jobId)).state).toBe('FAILED');
    await pass(-5 * 3600);
    const again = await worker.lease();
    expect(again).toMatchObject({ attempt: 2 });
    // What fails now has its back-off, by the clock as it is.
    worker.report(failed(again));
    await state(jobId, 'FAILED');
    await pass(3599);
    expect((await first(jobId)).state).toBe('FAILED');
    await pass(3602);
    expect(await worker.lease()).toMatchObject({ attempt: 3 });
  });

  it('does not wait so either where the clock was set back while no master ran', async () => {
    const jobId = await rig.submit(one());
    worker.report(failed(await worker.lease()));
    await state(jobId, 'FAILED');
    const { file, clock } = rig;
    await rig.close();
    clock.advance(-5 * 3_600_000);
    rig = await openRig({ file, clock });
    worker = await rig.worker({ capacity: 1 });
    await rig.check();
    expect(await worker.lease()).toMatchObject({ attempt: 2 });
  });

  it('doubles the back-off, and is final after the last retry', async () => {
    const jobId = await rig.submit(one({ retries: 2, retryBackoffSeconds: 3 }));
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      const lease = await worker.lease();
      expect(lease.attempt).toBe(attempt);
      worker.report(failed(lease));
      await state(jobId, 'FAILED');
      const { retryAt, finishedAt } = await first(jobId);
      if (retryAt === null) break;
      waits.push((Date.parse(retryAt) - Date.parse(finishedAt ?? '')) / 1000);
      await pass(10);
    }
    expect(waits).toEqual([3, 6]);
    expect(await first(jobId)).toMatchObject({
      attempt: 3,
      retryCount: 2,
      retryEntries: [{ attempt: 1 }, { attempt: 2 }],
      retryAt: null,
    });
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'FAILED', failure: { taskCode: 'TASK_ERROR' } });
  });

  it('waits as long as the upstream asked', async () => {
    const jobId = await rig.submit(one());
    worker.report(failed(await worker.lease(), { code: 'UPSTREAM_UNAVAILABLE', retryAfterSeconds: 120 }));
    await state(jobId, 'FAILED');
    await pass(61);
    expect((await first(jobId)).state).toBe('FAILED');
    await pass(60);
    expect((await worker.lease()).attempt).toBe(2);
  });

  it('waits for a worker that is healthy and available', async () => {
    const jobId = await rig.submit(one());
    worker.report(failed(await worker.lease()));
    await state(jobId, 'FAILED');
    await rig.workers.drain(worker.id);
    await pass(5);
    expect((await first(jobId)).state).toBe('FAILED');
    await rig.workers.resume(worker.id);
    await pass(1);
    expect((await worker.lease()).attempt).toBe(2);
  });
});

it.each(['INVALID_DAG', 'AUTHENTICATION_FAILED', 'NON_RETRYABLE'])('never retries %s', async (code) => {
  const jobId = await rig.submit(one());
  worker.report(failed(await worker.lease(), { code, retryable: true }));
  expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'FAILED', failure: { taskCode: code } });
  expect(await first(jobId)).toMatchObject({ retryAt: null, error: { code, retryable: false } });
});

describe('time limits', () => {
  it('SCHEDULE_TIMEOUT: nobody took the task in time', async () => {
    const busy = await rig.submit(one());
    await worker.lease();
    const jobId = await rig.submit(one({ scheduleTimeoutSeconds: 30 }));
    expect((await first(jobId)).state).toBe('READY');
    await pass(29);
    expect((await first(jobId)).state).toBe('READY');
    await pass(2);
    expect(await first(jobId)).toMatchObject({ state: 'SCHEDULE_TIMEOUT', error: { code: 'SCHEDULE_TIMEOUT' } });
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({
      status: 'TIMEOUT',
      failure: { taskCode: 'SCHEDULE_TIMEOUT' },
      finishedAt: expect.any(Number),
    });
    expect((await first(busy)).state).toBe('SCHEDULED');
  });

  it('RUN_TIMEOUT: the worker is told to stop, and its late report changes nothing', async () => {
    const jobId = await rig.submit(one({ runTimeoutSeconds: 20 }));
    const lease = await worker.lease();
    worker.report(started(lease));
    await state(jobId, 'RUNNING');
    await pass(21);
    expect(await worker.next('kill')).toMatchObject({ ids: [lease.id], reason: 'RUN_TIMEOUT' });
    expect(await first(jobId)).toMatchObject({ state: 'RUN_TIMEOUT' });
    expect((await rig.jobs.get(jobId)).status).toBe('TIMEOUT');
    worker.report(done(lease, 'late'));
    expect(await worker.next('lost')).toEqual({ t: 'lost', ids: [lease.id], attempts: [lease.attempt] });
    expect((await first(jobId)).output).toBeNull();
  });

  it('a replica out of time: RUNNING becomes RUN_TIMEOUT, what is open else FAILED, REPLICA_TIMEOUT', async () => {
    const jobId = await rig.submit(one(), [{}, {}], { replicaRunTimeoutSeconds: 10 });
    worker.report(started(await worker.lease()));
    await state(jobId, 'RUNNING');
    await pass(11);
    const tasks = await rig.tasks(jobId);
    expect(tasks.map(({ state, error }) => [state, error?.code])).toEqual([
      ['RUN_TIMEOUT', 'RUN_TIMEOUT'],
      ['FAILED', 'REPLICA_TIMEOUT'],
    ]);
    expect(await rig.jobs.get(jobId)).toMatchObject({
      status: 'MIXED',
      finishedAt: expect.any(String),
      replicaRunTimeoutSeconds: 10,
    });
    expect((await worker.next('kill')).ids).toHaveLength(1);
  });
});

describe('retry by hand', () => {
  it('reopens failed tasks with a fresh allowance; attempts never go back', async () => {
    const jobId = await rig.submit(one({ retries: 1 }));
    const lease = await worker.lease();
    worker.report(failed(lease, { code: 'NON_RETRYABLE', message: 'no', retryable: false }));
    await rig.jobs.wait(jobId, 60);
    expect(await rig.jobs.retry(jobId)).toEqual({ jobId, retriedTasks: 1, status: 'RUNNING' });
    const again = await worker.lease();
    expect(again).toMatchObject({ id: lease.id, attempt: 2 });
    expect(await first(jobId)).toMatchObject({
      retryCount: 2,
      retryEntries: [{ attempt: 1, code: 'NON_RETRYABLE' }],
      state: 'SCHEDULED',
    });
    worker.report(done(lease, 'under the old lease'));
    await worker.next('lost');
    worker.report(done(again, 'new'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '["new"]', failure: null });
    expect(await rig.jobs.retry(jobId)).toEqual({ jobId, retriedTasks: 0, status: 'COMPLETED' });
  });

  it('grants the retries of the node anew: with one retry, it is tried twice more by itself, from the first back-off on', async () => {
    const jobId = await rig.submit(one({ retries: 1, backoffSeconds: 10 }));
    const fail = async (attempt: number) => {
      const lease = await worker.lease();
      expect(lease).toMatchObject({ attempt });
      worker.report(failed(lease, { code: 'TASK_ERROR', message: 'no', retryable: true }));
      await state(jobId, 'FAILED');
    };
    await fail(1);
    await pass(11);
    await fail(2);
    await rig.jobs.wait(jobId, 60);
    await rig.jobs.retry(jobId);
    await fail(3);
    await pass(11);
    await fail(4);
    expect(await first(jobId)).toMatchObject({ attempt: 4, retryCount: 3, error: { code: 'TASK_ERROR' } });
    expect((await rig.jobs.wait(jobId, 60)).status).toBe('FAILED');
  });

  it('reopens timed-out tasks', async () => {
    const jobId = await rig.submit(one({ runTimeoutSeconds: 5 }));
    worker.report(started(await worker.lease()));
    await state(jobId, 'RUNNING');
    await pass(6);
    expect(await rig.jobs.retry(jobId)).toMatchObject({ retriedTasks: 1 });
    expect(await first(jobId)).toMatchObject({ attempt: 2, retryEntries: [{ code: 'RUN_TIMEOUT' }] });
    expect(await rig.jobs.get(jobId)).toMatchObject({ finishedAt: null, status: 'RUNNING' });
  });
});

it('a job that is retried by hand is counted from then on, and says how long it took in all too', async () => {
  const jobId = await rig.submit(one());
  worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', retryable: false }));
  await rig.jobs.wait(jobId, 60);
  rig.clock.advance(3_500_000);
  worker.beat();
  await expect.poll(() => rig.workerPool.worker(worker.id)?.state).toBe('Operational');
  await rig.jobs.retry(jobId);
  expect(await rig.jobs.get(jobId)).toMatchObject({ retriedAt: new Date(rig.clock.now()).toISOString() });
  const lease = await worker.lease();
  rig.clock.advance(50);
  worker.report(done(lease, 'x', undefined, rig.clock.now()));
  await rig.jobs.wait(jobId, 60);
  expect((await rig.jobs.get(jobId)).durationMs).toBeGreaterThanOrEqual(3_500_000);
  expect((await rig.jobs.overview()).jobs.p95Ms).toBeLessThan(1000);
});

describe('kill', () => {
  it('ends READY, SCHEDULED, RUNNING and waiting tasks, tells workers, and is idempotent', async () => {
    const jobId = await rig.submit(one(), [{}, {}, {}]);
    worker.report(failed(await worker.lease()));
    const running = await worker.lease();
    worker.report(started(running));
    await expect
      .poll(async () => (await rig.tasks(jobId)).map((task) => task.state))
      .toEqual(['FAILED', 'RUNNING', 'READY']);
    expect(await rig.jobs.kill(jobId, 'ann')).toEqual({ jobId, killedTasks: 3, status: 'FAILED' });
    expect(await worker.next('kill')).toMatchObject({ ids: [running.id], reason: 'KILLED' });
    const tasks = await rig.tasks(jobId);
    expect(tasks.map(({ state, error }) => [state, error])).toEqual(
      Array.from({ length: 3 }, () => ['FAILED', { code: 'KILLED', message: 'killed by ann', retryable: false }]),
    );
    expect(await rig.jobs.get(jobId)).toMatchObject({
      status: 'FAILED',
      killedAt: expect.any(String),
      finishedAt: expect.any(String),
    });
    expect(await rig.jobs.kill(jobId, 'ann')).toEqual({ jobId, killedTasks: 0, status: 'FAILED' });
    worker.report(done(running, 'late'));
    await worker.next('lost');
    expect(rig.jobs.queueDepth).toBe(0);
  });

  it('leaves finally failed tasks as they are', async () => {
    const jobId = await rig.submit(one(), [{}, {}]);
    worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', retryable: false }));
    await worker.lease();
    expect(await rig.jobs.kill(jobId, 'ann')).toMatchObject({ killedTasks: 1 });
    expect((await rig.tasks(jobId)).map(({ error }) => error?.code)).toEqual(['NON_RETRYABLE', 'KILLED']);
  });

  it('takes a job of many tasks in several turns', async () => {
    const jobId = await rig.submit(
      one(),
      Array.from({ length: 1000 }, () => ({})),
    );
    expect(await rig.jobs.kill(jobId, 'ann')).toMatchObject({ killedTasks: 1000, status: 'FAILED' });
    expect(await rig.jobs.retry(jobId)).toMatchObject({ retriedTasks: 1000 });
    expect(rig.jobs.queueDepth).toBe(999);
  });

  it('refuses an unknown job', async () => {
    await expect(rig.jobs.kill('x', 'ann')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    await expect(rig.jobs.retry('x')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    await expect(rig.jobs.get('x')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    await expect(rig.jobs.task('x')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await expect(rig.jobs.payload({ task: 'x', of: 'input' })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });
});
