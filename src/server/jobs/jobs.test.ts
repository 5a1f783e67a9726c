import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { done, failed, started } from '../testing/worker.fake.ts';
import { openRig, submission, workflow, type Rig } from '../testing/engine.fixture.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const one = () => workflow({ a: {} }, ['input>a', 'a>output']);
const chain = () => workflow({ a: {}, b: {} }, ['input>a', 'a>b', 'b>output']);

describe('the walk of an event', () => {
  it('leases a task at once to a worker that has room, and answers with its output', async () => {
    const worker = await rig.worker();
    const jobId = await rig.submit(one(), [{ content: 'hi' }]);
    const lease = await worker.lease();
    expect(lease).toMatchObject({
      jobId,
      attempt: 1,
      node: 'a',
      replica: 0,
      item: null,
      environment: 'dev',
      workflowId: 'flow',
      input: { content: 'hi' },
      chain: [],
    });
    expect(await rig.jobs.get(jobId)).toMatchObject({
      status: 'RUNNING',
      taskCounters: { scheduledTasks: 1, readyTasks: 0 },
    });
    const waiting = rig.jobs.wait(jobId, 60);
    worker.report(started(lease), done(lease, 'HI'));
    expect(await waiting).toMatchObject({ jobId, status: 'COMPLETED', outputText: '["HI"]', failure: null });
    expect(await rig.jobs.get(jobId)).toMatchObject({
      status: 'COMPLETED',
      finishedAt: expect.any(String),
      durationMs: expect.any(Number),
      taskCounters: { completedTasks: 1, scheduledTasks: 0, runningTasks: 0 },
    });
  });

  it('records every transition with its worker', async () => {
    const worker = await rig.worker();
    const jobId = await rig.submit(one());
    const lease = await worker.lease();
    worker.report(started(lease));
    await expect.poll(async () => (await rig.tasks(jobId))[0]?.state).toBe('RUNNING');
    worker.report(done(lease, 1));
    await rig.jobs.wait(jobId, 60);
    const [task] = await rig.tasks(jobId);
    expect(task?.history.map(({ from, to, attempt, workerId }) => ({ from, to, attempt, workerId }))).toEqual([
      { from: null, to: 'READY', attempt: 1, workerId: null },
      { from: 'READY', to: 'SCHEDULED', attempt: 1, workerId: worker.id },
      { from: 'SCHEDULED', to: 'RUNNING', attempt: 1, workerId: worker.id },
      { from: 'RUNNING', to: 'COMPLETED', attempt: 1, workerId: worker.id },
    ]);
    expect(task).toMatchObject({ input: { content: 'a' }, output: 1, error: null, retryEntries: [], retryCount: 3 });
  });

  it('sends the nodes of a commit once, before its first lease', async () => {
    const worker = await rig.worker();
    const flow = one();
    await rig.submit(flow);
    await worker.lease();
    await rig.submit(flow);
    await worker.lease();
    expect(worker.frames.map(({ t }) => t)).toEqual(['welcome', 'commit', 'run', 'run']);
    expect(worker.frames[1]).toMatchObject({
      commit: flow.commit,
      nodes: [{ id: 'a', type: 'transform', runTimeoutSeconds: 600 }],
    });
  });

  it('queues what no worker has room for, oldest first, and hands it out as room comes', async () => {
    const jobs = [await rig.submit(one()), await rig.submit(one()), await rig.submit(one())];
    expect(rig.jobs.queueDepth).toBe(3);
    const worker = await rig.worker({ capacity: 1 });
    worker.beat();
    for (const jobId of jobs) {
      const lease = await worker.lease();
      expect(lease.jobId).toBe(jobId);
      expect(worker.untaken).toBe(0);
      worker.report(done(lease, 1));
    }
    expect(await rig.jobs.wait(jobs[2] as string, 60)).toMatchObject({ status: 'COMPLETED' });
    expect(rig.jobs.queueDepth).toBe(0);
  });

  it('makes one replica of each input and answers in their order', async () => {
    const worker = await rig.worker({ capacity: 2 });
    const jobId = await rig.submit(chain(), [{ n: 1 }, { n: 2 }, { n: 3 }]);
    const waiting = rig.jobs.wait(jobId, 60);
    for (let i = 0; i < 3; i++) {
      const lease = await worker.lease();
      const [next] = lease.chain;
      worker.report(done(lease, 'x'), done({ id: next?.id ?? '', attempt: 1 }, lease.replica));
    }
    expect(await waiting).toMatchObject({ status: 'COMPLETED', outputText: '[0,1,2]' });
    expect((await rig.jobs.result(jobId))?.outputText).toBe('[0,1,2]');
  });

  it('gives the output of the first input alone where the workflow says so', async () => {
    const worker = await rig.worker();
    const flow = workflow({ a: {} }, ['input>a', 'a>output'], { response: 'first' });
    const jobId = await rig.submit(flow, [{}, {}]);
    for (const output of ['first', 'second']) worker.report(done(await worker.lease(), output));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ outputText: '"first"' });
  });

  it('keeps numbers that a double cannot hold', async () => {
    const worker = await rig.worker();
    const flow = one();
    const jobId = await rig.submit(flow, [{}]);
    const lease = await worker.lease();
    const text = `{"t":"report","items":[{"e":"done","id":"${lease.id}","attempt":1,"startedAt":1,"at":1,"output":{"n":12345678901234567890}}]}`;
    worker.sendText(text);
    expect((await rig.jobs.wait(jobId, 60)).outputText).toBe('[{"n":12345678901234567890}]');
    const [task] = await rig.tasks(jobId);
    expect(await rig.jobs.payload({ task: task?.id ?? '', of: 'output' })).toBe('{"n":12345678901234567890}');
  });

  it('ends a job without inputs at once, EMPTY', async () => {
    const jobId = await rig.submit(one(), []);
    expect(await rig.jobs.get(jobId)).toMatchObject({ status: 'EMPTY', inputCount: 0, finishedAt: expect.any(String) });
    expect(await rig.jobs.outputText(jobId)).toBe('{"output":[],"error":null}');
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'EMPTY', outputText: '[]' });
  });

  it('answers with the input where the graph leads straight to the output', async () => {
    const straight = workflow({}, ['input>output']);
    expect(await rig.jobs.wait(await rig.submit(straight, [{ a: 1 }]), 60)).toMatchObject({
      status: 'EMPTY',
      outputText: '[{"a":1}]',
    });
    expect(await rig.jobs.wait(await rig.submit(straight, [{ a: 1 }, { a: 2 }]), 60)).toMatchObject({
      outputText: '[{"a":1},{"a":2}]',
    });
  });

  it('tells the failure as soon as one replica has finally failed, while others run', async () => {
    const worker = await rig.worker();
    const jobId = await rig.submit(one(), [{}, {}]);
    const waiting = rig.jobs.wait(jobId, 60);
    const lease = await worker.lease();
    worker.report(failed(lease, { code: 'NON_RETRYABLE', message: 'no', retryable: false }));
    const outcome = await waiting;
    expect(outcome).toMatchObject({
      status: 'PARTIAL_FAILURE',
      finishedAt: null,
      outputText: null,
      failure: { taskId: lease.id, node: 'a', taskCode: 'NON_RETRYABLE', taskMessage: 'no' },
    });
    worker.report(done(await worker.lease(), 1));
    await expect.poll(async () => (await rig.jobs.get(jobId)).status).toBe('FAILED');
    expect(JSON.parse(await rig.jobs.outputText(jobId))).toMatchObject({
      output: null,
      error: { taskCode: 'NON_RETRYABLE' },
    });
  });

  it('gives up waiting after the time allowed, and the job goes on', async () => {
    const jobId = await rig.submit(one());
    expect(await rig.jobs.wait(jobId, 0.01)).toMatchObject({ status: 'RUNNING', finishedAt: null, outputText: null });
    const waiting = rig.jobs.wait(jobId, 60, (leave) => setImmediate(leave));
    expect(await waiting).toMatchObject({ status: 'RUNNING' });
  });
});

it('an operation that fails takes none of the others of its turn with it', async () => {
  await rig.close();
  rig = await openRig({ mayReport: true });
  const worker = await rig.worker({ capacity: 2 });
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const flow = one();
  const calls = await Promise.allSettled(
    [{ n: 1 }, circular, { n: 2 }, { n: 3 }].map((input) => rig.submit(flow, [{ before: true }, input])),
  );
  expect(calls.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(await rig.jobs.overview()).toMatchObject({ jobs: { running: 3 }, tasks: { ready: 4, scheduled: 2 } });
  expect((await rig.jobs.list({ page: 0, size: 20, sort: 'createdAt,asc' })).totalItems).toBe(3);
  for (let i = 0; i < 6; i++) worker.report(done(await worker.lease(), i));
  for (const call of calls)
    if (call.status === 'fulfilled') expect((await rig.jobs.wait(call.value, 60)).status).toBe('COMPLETED');
  expect(await rig.workers.get(worker.id)).toMatchObject({ currentTasks: 0 });
  expect(await rig.jobs.overview()).toMatchObject({
    jobs: { running: 0 },
    tasks: { ready: 0, scheduled: 0, running: 0 },
  });
});

describe('idempotency', () => {
  const call = (key: string, bodyHash = 'h') => ({ idempotency: { keyId: 'k', key, bodyHash } });
  const scope = { keyId: 'k', workflowId: 'flow', environment: 'dev' as const, key: 'x' };

  it('makes one job of repeated calls, also in one turn', async () => {
    const flow = one();
    const answers = await Promise.all([1, 2, 3].map(() => rig.jobs.submit(submission(flow, [{}], call('x')))));
    expect(answers.map(({ kind }) => kind)).toEqual(['created', 'repeated', 'repeated']);
    expect(new Set(answers.map(({ jobId }) => jobId)).size).toBe(1);
    expect((await rig.jobs.list({ page: 0, size: 20, sort: 'createdAt,desc' })).totalItems).toBe(1);
    expect(rig.jobs.findIdempotent(scope)).toEqual({ jobId: answers[0]?.jobId, bodyHash: 'h', accepted: 'RUNNING' });
  });

  it('forgets a key after its time', async () => {
    const flow = one();
    const first = await rig.submit(flow, [{}], call('x'));
    rig.clock.advance(24 * 3_600_000 + 1);
    expect(rig.jobs.findIdempotent(scope)).toBeNull();
    expect(await rig.submit(flow, [{}], call('x'))).not.toBe(first);
  });
});

describe('a long queue', () => {
  it('is handed out whole, also what is read in from the database or too long to be kept', async () => {
    const flow = one();
    const long = 'x'.repeat(20_000);
    const wanted: string[] = [];
    for (let i = 0; i < 3; i++)
      wanted.push(
        await rig.submit(
          flow,
          Array.from({ length: 1000 }, () => ({ i })),
        ),
      );
    wanted.push(await rig.submit(flow, [{ long }, { after: 1 }]));
    await expect.poll(() => rig.jobs.queueDepth).toBe(3002);
    const worker = await rig.worker({ capacity: 500 });
    worker.beat();
    const seen: string[] = [];
    const replicas = new Set<string>();
    for (let i = 0; i < 3002; i++) {
      const lease = await worker.lease();
      seen.push(lease.jobId);
      replicas.add(`${lease.jobId} ${lease.replica}`);
      worker.report(done(lease, 1));
    }
    expect(replicas.size).toBe(3002);
    expect([...new Set(seen)].sort()).toEqual(wanted);
    for (const jobId of wanted) expect((await rig.jobs.wait(jobId, 60)).status).toBe('COMPLETED');
    expect(rig.jobs.queueDepth).toBe(0);
    expect(await rig.jobs.overview()).toMatchObject({
      jobs: { running: 0 },
      tasks: { ready: 0, scheduled: 0, running: 0, retrying: 0 },
    });
  });
});
