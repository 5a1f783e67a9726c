import { afterEach, describe, expect, it } from 'vitest';
import { packTexts } from '../../../lib/packed-inputs.ts';
import { done, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, submission, workflow, type Rig } from '../../testing/engine.fixture.ts';

const one = () => workflow({ a: {} }, ['input>a', 'a>output']);
const inputs = (count: number) => Array.from({ length: count }, (_, i) => ({ i }));

let rig: Rig;
afterEach(() => rig.close());

/** Works off all that is handed out until so many tasks are done; gives what each replica was given. */
async function work(count: number, worker?: FakeWorker): Promise<Map<string, unknown>> {
  worker ??= await rig.worker({ capacity: 300 });
  const seen = new Map<string, unknown>();
  for (let i = 0; i < count; i++) {
    const lease = await worker.lease();
    seen.set(`${lease.node} ${lease.replica}`, lease.input);
    worker.report(done(lease, lease.input));
  }
  return seen;
}

describe('a job of many inputs', () => {
  it('is accepted with all of them, and born in steps', async () => {
    rig = await openRig();
    const jobId = await rig.submit(one(), inputs(1000), { kind: 'batch' });
    const job = await rig.jobs.get(jobId);
    expect(job).toMatchObject({ inputCount: 1000, status: 'RUNNING', finishedAt: null });
    expect(job.taskCounters.readyTasks).toBeLessThan(1000);
    expect(rig.jobs.queueDepth).toBe(1000);
    expect(rig.store.read.query('SELECT 1 FROM unborn').get()).toBeDefined();
    expect(await rig.jobs.inputText(jobId, { node: null, replica: null })).toBe(JSON.stringify(inputs(1000)));
    const seen = await work(1000);
    expect(seen.size).toBe(1000);
    expect((await rig.jobs.wait(jobId, 60)).outputText).toBe(JSON.stringify(inputs(1000)));
    expect(rig.store.read.query('SELECT 1 FROM unborn').get()).toBeUndefined();
  });

  it('goes on where it was after the master died', async () => {
    rig = await openRig();
    const jobId = await rig.submit(one(), inputs(2500), { kind: 'batch' });
    const file = rig.crash();
    const born = rig.store.read.query<{ n: number }>('SELECT count(*) AS n FROM task').get()?.n ?? 0;
    expect(born).toBeGreaterThan(0);
    expect(born).toBeLessThan(2500);
    await rig.close();
    rig = await openRig({ file });
    expect(rig.jobs.queueDepth).toBe(2500);
    const seen = await work(2500);
    expect([...seen].every(([name, input]) => name === `a ${(input as { i: number }).i}`)).toBe(true);
    await expect
      .poll(async () => (await rig.jobs.get(jobId)).taskCounters)
      .toMatchObject({ readyTasks: 0, completedTasks: 2500 });
  });

  it('never looks done while some are still to come', async () => {
    rig = await openRig();
    const worker = await rig.worker({ capacity: 1000 });
    worker.beat();
    let settled = false;
    const job = rig.submit(one(), inputs(1500), { kind: 'batch' });
    void job.then(async (id) => {
      expect((await rig.jobs.wait(id, 60)).status).toBe('COMPLETED');
      settled = true;
    });
    const seen: string[] = [];
    for (let i = 0; i < 1500; i++) {
      const lease = await worker.lease();
      worker.report(done(lease, 1));
      if (i % 50 !== 0) continue;
      const { status, finishedAt } = await rig.jobs.get(await job);
      seen.push(`${status} ${finishedAt === null}`);
    }
    expect(new Set(seen)).toEqual(new Set(['RUNNING true']));
    await expect.poll(() => settled).toBe(true);
  });

  it('is killed whole, also what was still to come', async () => {
    rig = await openRig();
    const jobId = await rig.submit(one(), inputs(1200), { kind: 'batch' });
    expect(await rig.jobs.kill(jobId, 'tester')).toMatchObject({ killedTasks: 1200, status: 'FAILED' });
    const job = await rig.jobs.get(jobId);
    expect(job.taskCounters).toMatchObject({ readyTasks: 0, failedTasks: 1200 });
    expect(job.finishedAt).not.toBeNull();
    expect(rig.jobs.queueDepth).toBe(0);
  });

  it('runs out of time whole', async () => {
    rig = await openRig();
    const jobId = await rig.submit(one(), inputs(900), { kind: 'batch', replicaRunTimeoutSeconds: 5 });
    rig.clock.advance(6000);
    await rig.check();
    expect((await rig.jobs.get(jobId)).taskCounters).toMatchObject({ readyTasks: 0, failedTasks: 900 });
  });

  it('of wide graphs is born node by node, and an input that is kept apart is kept once', async () => {
    rig = await openRig();
    const ids = Array.from({ length: 250 }, (_, i) => `n${i}`);
    const wide = workflow(
      Object.fromEntries(ids.map((id) => [id, {}])),
      ids.flatMap((id) => [`input>${id}`, `${id}>output`]),
    );
    const long = { text: 'x'.repeat(20_000) };
    const jobId = await rig.submit(wide, [long, long], { kind: 'batch' });
    const seen = await work(500);
    expect(seen.size).toBe(500);
    expect([...seen.values()].every((input) => JSON.stringify(input) === JSON.stringify(long))).toBe(true);
    await rig.jobs.wait(jobId, 60);
    expect(
      rig.store.read
        .query<{ n: number }>('SELECT count(*) AS n FROM payload WHERE text LIKE \'{"text"%\' AND length(text) < 25000')
        .get()?.n,
    ).toBeLessThanOrEqual(502);
  });

  it('ends where its graph makes no task', async () => {
    rig = await openRig();
    const jobId = await rig.submit(workflow({}, ['input>output']), inputs(1000), { kind: 'batch' });
    const outcome = await rig.jobs.wait(jobId, 60);
    expect(outcome.status).toBe('EMPTY');
    expect(JSON.parse(outcome.outputText ?? '')).toEqual(inputs(1000));
  });
});

describe('packed inputs', () => {
  it('are as good as values, few or many', async () => {
    rig = await openRig();
    const flow = one();
    const worker = await rig.worker({ capacity: 300 });
    for (const count of [1, 3, 700]) {
      const { jobId } = await rig.jobs.submit(
        submission(flow, packTexts(inputs(count).map((input) => JSON.stringify(input))), { kind: 'batch' }),
      );
      expect((await rig.jobs.get(jobId)).inputCount).toBe(count);
      await work(count, worker);
      expect(JSON.parse((await rig.jobs.wait(jobId, 60)).outputText ?? '')).toEqual(inputs(count));
    }
  });

  it('keep numbers that a double cannot hold', async () => {
    rig = await openRig();
    const { jobId } = await rig.jobs.submit(submission(one(), packTexts(['{"n":12345678901234567890}'])));
    const [task] = await rig.tasks(jobId);
    expect(JSON.stringify(task?.input)).toBe('{"n":12345678901234567890}');
  });
});
