import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { done, failed, items, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig({ limits: { bulkReadyTasks: 0 }, slice: 50 });
});
afterEach(() => rig.close());

const FINAL = { code: 'NON_RETRYABLE', retryable: false };
const each = (onError: 'failFast' | 'collect' = 'failFast') =>
  ({
    type: 'forEach',
    config: { items: '$', node: { type: 'transform', config: { expression: '$' } }, concurrency: 20_000, onError },
    retries: 0,
  }) as const;
const one = () => workflow({ a: { retries: 0 } }, ['input>a', 'a>output']);
const count = (n: number) => Array.from({ length: n }, (_, i) => i);

/** Ends what a worker is given, as `how` says; as long as it is connected. */
function answer(
  worker: FakeWorker,
  how: (lease: { replica: number; item: number | null; attempt: number }) => boolean,
): void {
  void (async () => {
    for (;;) {
      const lease = await worker.lease();
      worker.report(how(lease) ? done(lease, lease.replica) : failed(lease, FINAL));
    }
  })().catch(() => undefined);
}

async function killed(inputs: number): Promise<string> {
  const jobId = await rig.submit(
    one(),
    count(inputs).map((i) => ({ i })),
    { kind: 'batch' },
  );
  await rig.jobs.kill(jobId, 'ann');
  return jobId;
}

describe('the retry of a job that takes many turns', () => {
  it('leaves it failed by what failed again while the rest was still being retried', async () => {
    const jobId = await killed(700);
    answer(await rig.worker({ capacity: 1000 }), ({ replica }) => replica > 100);
    const { operationId } = await rig.jobs.operations.submit(
      { kind: 'retry', target: { ids: [jobId] }, nonRetryable: true },
      'ann',
    );
    await expect.poll(async () => (await rig.jobs.operations.get(operationId)).status).toBe('DONE');
    await expect.poll(async () => (await rig.jobs.get(jobId)).finishedAt).not.toBeNull();
    expect(await rig.jobs.get(jobId)).toMatchObject({
      status: 'FAILED',
      taskCounters: { completedTasks: 599, failedTasks: 101 },
    });
    expect(JSON.parse(await rig.jobs.outputText(jobId))).toMatchObject({
      output: null,
      error: { node: 'a', taskCode: 'NON_RETRYABLE' },
    });
  });

  it('ends where the job is killed meanwhile', async () => {
    const jobId = await killed(1200);
    const { operationId } = await rig.jobs.operations.submit(
      { kind: 'retry', target: { ids: [jobId] }, nonRetryable: true },
      'ann',
    );
    await expect
      .poll(async () => (await rig.jobs.get(jobId)).taskCounters.readyTasks, { interval: 1 })
      .toBeGreaterThan(0);
    const { taskCounters: before } = await rig.jobs.get(jobId);
    expect(before.failedTasks).toBeGreaterThan(0);
    expect((await rig.jobs.kill(jobId, 'ann')).status).toBe('FAILED');
    await expect.poll(async () => (await rig.jobs.operations.get(operationId)).status).toBe('DONE');
    expect(await rig.jobs.get(jobId)).toMatchObject({
      status: 'FAILED',
      finishedAt: expect.any(String),
      killedAt: expect.any(String),
      taskCounters: { readyTasks: 0, failedTasks: 1200 },
    });
  });

  it('is not failed any more where nothing fails again', async () => {
    const jobId = await killed(300);
    answer(await rig.worker({ capacity: 500 }), () => true);
    await rig.jobs.retry(jobId);
    await expect.poll(async () => (await rig.jobs.get(jobId)).status).toBe('COMPLETED');
    expect(JSON.parse(await rig.jobs.outputText(jobId)).error).toBeNull();
  });
});

describe('the retry of one task', () => {
  /** Lists of so many items in each replica, of which one failed and stopped the others. */
  async function stopped(replicas: number, length: number): Promise<{ jobId: string; worker: FakeWorker }> {
    const worker = await rig.worker({ capacity: 10_000 });
    const jobId = await rig.submit(
      workflow({ each: each() }, ['input>each', 'each>output']),
      count(replicas).map(() => ({})),
    );
    for (let i = 0; i < replicas; i++) worker.report(items(await worker.lease(), count(length)));
    const seen = new Set<number>();
    while (seen.size < replicas) {
      const lease = await worker.lease();
      if (seen.has(lease.replica)) continue;
      seen.add(lease.replica);
      worker.report(failed(lease, FINAL));
    }
    await expect.poll(async () => (await rig.jobs.get(jobId)).finishedAt).not.toBeNull();
    return { jobId, worker };
  }
  const failedFirst = async (jobId: string, replica: number) => {
    const { items: tasks } = await rig.jobs.tasks(jobId, { page: 0, size: 500, state: ['FAILED'] });
    return tasks.find((task) => task.replica === replica && task.error?.code === 'NON_RETRYABLE')?.id ?? '';
  };

  it('of a long list that was stopped makes the job go on, with no failure left', async () => {
    const { jobId } = await stopped(1, 2200);
    await rig.jobs.retryTask(await failedFirst(jobId, 0));
    expect(JSON.parse(await rig.jobs.outputText(jobId)).error).toBeNull();
    await expect.poll(async () => (await rig.jobs.get(jobId)).taskCounters.failedTasks).toBe(0);
  });

  it('finds another failure behind thousands that do not count', async () => {
    const worker = await rig.worker({ capacity: 10_000 });
    const flow = workflow({ each: each('collect'), last: { retries: 0 } }, [
      'input>each',
      'input>last',
      'each>output',
      'last>output',
    ]);
    const jobId = await rig.submit(flow, [{}]);
    const leases = [await worker.lease(), await worker.lease()];
    const list = leases.find(({ node }) => node === 'each');
    const last = leases.find(({ node }) => node === 'last');
    if (!list || !last) throw new Error('two tasks were expected');
    worker.report(items(list, count(2100)));
    for (let i = 0; i < 2100; i++) worker.report(failed(await worker.lease(), FINAL));
    await expect.poll(async () => (await rig.jobs.get(jobId)).taskCounters.failedTasks).toBe(2100);
    worker.report(failed(last, { ...FINAL, message: 'the last word' }));
    await expect.poll(async () => (await rig.jobs.get(jobId)).finishedAt).not.toBeNull();
    // What fails the job is itself looked for anew, as it is the one that is retried.
    expect(JSON.parse(await rig.jobs.outputText(jobId)).error).toMatchObject({ node: 'last' });
    await rig.jobs.retryTask(last.id);
    expect(JSON.parse(await rig.jobs.outputText(jobId)).error).toBeNull();
    worker.report(failed(await worker.lease(), { ...FINAL, message: 'again' }));
    await expect.poll(async () => JSON.parse(await rig.jobs.outputText(jobId)).error?.taskMessage).toBe('again');
    // Another one is retried: it stays.
    const { items: tasks } = await rig.jobs.tasks(jobId, { page: 3, size: 500, node: 'each' });
    await rig.jobs.retryTask(tasks[0]?.id ?? '');
    expect(JSON.parse(await rig.jobs.outputText(jobId)).error).toMatchObject({ node: 'last', taskMessage: 'again' });
  });

  it('leaves the failure of another replica', async () => {
    const { jobId } = await stopped(2, 60);
    await rig.jobs.retryTask(await failedFirst(jobId, 0));
    const { error } = JSON.parse(await rig.jobs.outputText(jobId));
    expect((await rig.jobs.task(error.taskId)).replica).toBe(1);
  });
});
