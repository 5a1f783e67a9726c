import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import { done, failed, items, started, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig();
  worker = await rig.worker({ capacity: 50 });
});
afterEach(() => rig.close());

const calls = (workflowId: string, node: object = {}, more: object = {}) =>
  workflow(
    { call: { type: 'workflow', config: { workflowId, environment: 'dev' }, ...node } },
    ['input>call', 'call>output'],
    more,
  );
const plain = (workflowId: string, more: object = {}) =>
  workflow({ a: {} }, ['input>a', 'a>output'], { workflowId, ...more });
const first = async (jobId: string) => (await rig.tasks(jobId))[0] as NonNullable<Awaited<ReturnType<Rig['tasks']>>[0]>;
const childOf = async (jobId: string) => {
  const task = await first(jobId);
  return rig.jobs.get(task.childJobId ?? 'none');
};

describe('a workflow node', () => {
  it('runs a job of its own, without a slot, and hands on what its endpoint would answer', async () => {
    plain('sub');
    const jobId = await rig.submit(calls('sub'), [{ n: 1 }]);
    const lease = await worker.lease();
    const task = await first(jobId);
    expect(task).toMatchObject({ nodeType: 'workflow', state: 'RUNNING', workerId: null, childJobId: lease.jobId });
    expect(await rig.jobs.get(lease.jobId)).toMatchObject({
      kind: 'child',
      workflowId: 'sub',
      environment: 'dev',
      parentTaskId: task.id,
      inputCount: 1,
    });
    expect(lease.input).toEqual({ n: 1 });
    expect((await rig.workers.get(worker.id)).currentTasks).toBe(1);
    worker.report(done(lease, 'answer'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '[["answer"]]' });
    expect((await first(jobId)).history.map(({ to }) => to)).toEqual(['READY', 'SCHEDULED', 'RUNNING', 'COMPLETED']);
    expect(rig.jobs.queueDepth).toBe(0);
  });

  it('takes an array as inputs, and answers as the workflow does', async () => {
    plain('sub', { response: 'first' });
    const jobId = await rig.submit(
      workflow({ list: {}, call: { type: 'workflow', config: { workflowId: 'sub', environment: 'dev' } }, after: {} }, [
        'input>list',
        'list>call',
        'call>after',
        'after>output',
      ]),
    );
    worker.report(done(await worker.lease(), [{ n: 1 }, { n: 2 }]));
    const leases = [await worker.lease(), await worker.lease()];
    expect(leases.map(({ input, replica }) => [input, replica])).toEqual([
      [{ n: 1 }, 0],
      [{ n: 2 }, 1],
    ]);
    for (const lease of leases) worker.report(done(lease, lease.replica));
    const after = await worker.lease();
    expect(after).toMatchObject({ node: 'after', input: 0 });
    worker.report(done(after, 'end'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED' });
    const none = await rig.submit(
      workflow(
        { list: {}, call: { type: 'workflow', config: { workflowId: 'sub', environment: 'dev' } } },
        ['input>list', 'list>call', 'call>output'],
        { workflowId: 'outer' },
      ),
    );
    worker.report(done(await worker.lease(), []));
    expect(await rig.jobs.wait(none, 60)).toMatchObject({ status: 'COMPLETED', outputText: '[null]' });
  });

  it('calls the commit that is published at that moment', async () => {
    plain('sub');
    const caller = calls('sub');
    const newer = plain('sub');
    await rig.submit(caller);
    expect((await worker.lease()).commit).toBe(newer.commit);
  });

  it.each([
    ['gone', 'workflow gone not found'],
    ['none', 'workflow none is not published to dev'],
  ])('fails for good where %s cannot be called', async (workflowId, message) => {
    const jobId = await rig.submit(calls(workflowId));
    expect((await rig.jobs.wait(jobId, 60)).failure).toMatchObject({
      node: 'call',
      taskCode: 'NON_RETRYABLE',
      taskMessage: expect.stringContaining(message),
    });
    expect(await first(jobId)).toMatchObject({ state: 'FAILED', attempt: 1, childJobId: null });
  });

  it('fails for good where the input is none of the child, or breaks its schema', async () => {
    Object.assign(plain('strict', { input: { type: 'object', required: ['n'] } }), {
      checkInput: (input: object) => ('n' in input ? null : [{ pointer: '/n', message: 'is required' }]),
    });
    const texts: (string | undefined)[] = [];
    for (const output of ['text', [1], {}, { n: 1 }]) {
      const jobId = await rig.submit(
        workflow({ make: {}, call: { type: 'workflow', config: { workflowId: 'strict', environment: 'dev' } } }, [
          'input>make',
          'make>call',
          'call>output',
        ]),
      );
      worker.report(done(await worker.lease(), output));
      await expect.poll(async () => (await rig.tasks(jobId))[1]?.state).toMatch(/RUNNING|FAILED/);
      texts.push((await rig.tasks(jobId))[1]?.error?.message);
    }
    expect(texts).toEqual([
      'the input for strict must be an object, or an array of objects',
      'input 0 for strict must be an object',
      'the input for strict does not match its input schema: /n is required',
      undefined,
    ]);
  });

  it('ends a loop of workflows at the limit of depth, without trying each level again', async () => {
    workflow(
      { call: { type: 'workflow', config: { workflowId: 'b', environment: 'dev' } } },
      ['input>call', 'call>output'],
      { workflowId: 'a' },
    );
    const b = workflow(
      { call: { type: 'workflow', config: { workflowId: 'a', environment: 'dev' } } },
      ['input>call', 'call>output'],
      { workflowId: 'b' },
    );
    const jobId = await rig.submit(b);
    expect((await rig.jobs.wait(jobId, 60)).failure?.taskMessage).toContain('at most 8 deep');
    expect((await rig.jobs.list({ page: 0, size: 50, sort: 'createdAt,asc' })).totalItems).toBe(9);
    expect(await first(jobId)).toMatchObject({ attempt: 1, error: { code: 'TASK_ERROR', retryable: false } });
  });

  it('fails with its child, and calls anew where that may help', async () => {
    plain('sub');
    const jobId = await rig.submit(calls('sub', { retries: 1 }));
    const lease = await worker.lease();
    worker.report(failed(lease, { code: 'NON_RETRYABLE', message: 'no stock', retryable: false }));
    expect((await rig.jobs.wait(jobId, 60)).failure).toMatchObject({
      taskCode: 'TASK_ERROR',
      taskMessage: `child job failed: node a failed with NON_RETRYABLE: no stock`,
    });
    expect(await rig.jobs.retry(jobId)).toMatchObject({ retriedTasks: 1, status: 'RUNNING' });
    const again = await worker.lease();
    expect(again.jobId).not.toBe(lease.jobId);
    expect(await first(jobId)).toMatchObject({ attempt: 2, childJobId: again.jobId });
    worker.report(done(again, 1));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '[[1]]' });
  });

  it('is retried by the periodic check with a new child, after the back-off', async () => {
    workflow({ a: { retries: 0 } }, ['input>a', 'a>output'], { workflowId: 'sub' });
    const jobId = await rig.submit(calls('sub'));
    worker.report(failed(await worker.lease()));
    await expect.poll(async () => (await first(jobId)).state).toBe('FAILED');
    rig.clock.advance(1500);
    worker.beat();
    await rig.check();
    worker.report(done(await worker.lease(), 'ok'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ outputText: '[["ok"]]' });
    expect(await first(jobId)).toMatchObject({ attempt: 2, retryEntries: [{ code: 'TASK_ERROR', workerId: null }] });
  });
});

describe('the end of a task that waits for its child', () => {
  const three = () => {
    plain('leaf');
    workflow(
      { call: { type: 'workflow', config: { workflowId: 'leaf', environment: 'dev' } } },
      ['input>call', 'call>output'],
      { workflowId: 'middle' },
    );
    return calls('middle');
  };

  it('by a kill kills the children, level by level', async () => {
    const jobId = await rig.submit(three());
    const lease = await worker.lease();
    const middle = await childOf(jobId);
    expect(await rig.jobs.kill(jobId, 'ann')).toMatchObject({ killedTasks: 1, status: 'FAILED' });
    expect(await rig.jobs.get(middle.id)).toMatchObject({ status: 'FAILED', killedAt: expect.any(String) });
    expect(await rig.jobs.get(lease.jobId)).toMatchObject({ status: 'FAILED', killedAt: expect.any(String) });
    expect(await worker.next('kill')).toMatchObject({ ids: [lease.id] });
  });

  it('by its run time or that of its replica kills the child', async () => {
    plain('sub');
    const late = await rig.submit(calls('sub', { runTimeoutSeconds: 5 }));
    const replica = await rig.submit(calls('sub'), [{}], { replicaRunTimeoutSeconds: 5 });
    worker.report(started(await worker.lease()), started(await worker.lease()));
    rig.clock.advance(6000);
    worker.beat();
    await rig.check();
    for (const jobId of [late, replica]) {
      expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'TIMEOUT', failure: { taskCode: 'RUN_TIMEOUT' } });
      await expect.poll(async () => (await childOf(jobId)).status).toBe('FAILED');
    }
  });

  it('is no retry where an operator killed the child', async () => {
    plain('sub');
    const jobId = await rig.submit(calls('sub'));
    await rig.jobs.kill((await worker.lease()).jobId, 'ann');
    expect((await rig.jobs.wait(jobId, 60)).failure?.taskMessage).toContain('KILLED: killed by ann');
    expect(await first(jobId)).toMatchObject({ state: 'FAILED', retryAt: null });
  });
});

describe('after a crash of the master', () => {
  async function restart() {
    const file = rig.crash();
    await rig.close();
    rig = await openRig({ file, clock: rig.clock });
  }

  it('a task goes on waiting, and has its output though the child ended meanwhile', async () => {
    plain('sub');
    const jobId = await rig.submit(calls('sub'));
    const lease = await worker.lease();
    worker.report(started(lease));
    await expect.poll(async () => (await rig.tasks(lease.jobId))[0]?.state).toBe('RUNNING');
    await restart();
    expect(await first(jobId)).toMatchObject({ state: 'RUNNING', workerId: null });
    const back = await rig.worker({ id: worker.id, running: [{ id: lease.id, attempt: 1 }] });
    back.report(done(lease, 'late'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '[["late"]]' });
  });

  it('what ended just before is settled', async () => {
    plain('sub');
    const jobId = await rig.submit(calls('sub'));
    const lease = await worker.lease();
    const ended = rig.jobs.wait(lease.jobId, 60);
    worker.report(done(lease, 'in time'));
    await ended;
    // Between the end of the child and that of its parent, which is the next transaction.
    const file = rig.crash();
    await rig.close();
    rig = await openRig({ file, clock: rig.clock });
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '[["in time"]]' });
  });
});

it('starts many children in several turns, and items of a forEach within its concurrency', async () => {
  plain('sub');
  const many = await rig.submit(
    calls('sub'),
    Array.from({ length: 150 }, (_, n) => ({ n })),
  );
  const inner = workflow(
    {
      each: {
        type: 'forEach',
        config: {
          items: 'list',
          node: { type: 'workflow', config: { workflowId: 'sub', environment: 'dev' } },
          concurrency: 3,
        },
      },
    },
    ['input>each', 'each>output'],
    { workflowId: 'outer' },
  );
  const other = await rig.worker({ capacity: 500 });
  const jobId = await rig.submit(inner);
  let over = 0;
  let most = 0;
  const ended = [many, jobId].map((id) => rig.jobs.wait(id, 60).finally(() => over++));
  while (over < 2) {
    for (const from of [worker, other]) {
      while (from.untaken > 0) {
        const lease = await from.lease();
        if (lease.node === 'each')
          from.report(
            items(
              lease,
              Array.from({ length: 12 }, (_, n) => ({ n: n + 1000 })),
            ),
          );
        else from.report(done(lease, lease.input));
      }
    }
    most = Math.max(
      most,
      Number(rig.store.read.query<{ active: number }>('SELECT active FROM fan_out').get()?.active ?? 0),
    );
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await ended[0]).toMatchObject({ status: 'COMPLETED' });
  expect(JSON.parse((await ended[1])?.outputText ?? '')).toEqual([
    Array.from({ length: 12 }, (_, n) => [{ n: n + 1000 }]),
  ]);
  expect(most).toBeLessThanOrEqual(3);
  expect(rig.store.read.query<{ n: number }>('SELECT count(*) AS n FROM child_due').get()?.n).toBe(0);
});

it.each([1, 40, 600])('goes on with what is after a forEach none of whose %i items could be called', async (length) => {
  const jobId = await rig.submit(
    workflow(
      {
        each: {
          type: 'forEach',
          config: {
            items: 'list',
            node: { type: 'workflow', config: { workflowId: 'gone', environment: 'dev' } },
            onError: 'collect',
          },
        },
        after: {},
      },
      ['input>each', 'each>after', 'after>output'],
    ),
  );
  worker.report(
    items(
      await worker.lease(),
      Array.from({ length }, (_, n) => ({ n })),
    ),
  );
  const after = await worker.lease();
  expect(after.node).toBe('after');
  expect(after.input).toEqual(
    Array.from({ length }, () => ({
      error: { code: 'NON_RETRYABLE', message: expect.stringContaining('workflow gone not found') },
    })),
  );
  worker.report(done(after, 'end'));
  expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'FAILED', outputText: '["end"]' });
});

it('starts each child once where tasks are killed and retried while they are due', async () => {
  plain('sub');
  const other = await rig.worker({ capacity: 500 });
  const jobId = await rig.submit(
    calls('sub'),
    Array.from({ length: 150 }, (_, n) => ({ n })),
  );
  // Both take several turns, by turns: the kill has the last word.
  await Promise.all([rig.jobs.kill(jobId, 'ann'), rig.jobs.retry(jobId)]);
  expect(await rig.jobs.get(jobId)).toMatchObject({ status: 'FAILED', taskCounters: { failedTasks: 150 } });
  await rig.jobs.retry(jobId);
  let over = false;
  const ended = rig.jobs.wait(jobId, 60).finally(() => (over = true));
  while (!over) {
    for (const from of [worker, other]) while (from.untaken > 0) from.report(done(await from.lease(), 1));
    await pause(1);
  }
  expect(await ended).toMatchObject({ status: 'COMPLETED' });
  expect(await rig.jobs.get(jobId)).toMatchObject({ taskCounters: { completedTasks: 150 } });
});

it('settles the end of a child that the store refused', async () => {
  plain('sub');
  const jobId = await rig.submit(calls('sub'));
  const lease = await worker.lease();
  const { write } = rig.store;
  const hasEnded = () =>
    rig.store.read.query('SELECT 1 FROM job WHERE id = ? AND finished_at IS NOT NULL').get(lease.jobId) !== undefined;
  rig.store.write = (...command) =>
    hasEnded() ? Promise.reject(new Fault('STORE_UNAVAILABLE', 'the disk is full')) : write(...command);
  worker.report(done(lease, 'kept'));
  await expect.poll(hasEnded).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 20));
  rig.store.write = write;
  expect(await first(jobId)).toMatchObject({ state: 'RUNNING' });
  await rig.check();
  expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '[["kept"]]' });
});

describe('a callee whose input schema is costly', () => {
  const heavy = () => {
    const sub = plain('heavy');
    const asked: ((wrong: string | null) => void)[] = [];
    Object.assign(sub, {
      largeSchema: true,
      definition: { ...sub.definition, input: { type: 'object' } },
      checkInput: () => {
        throw new Error('not in the turn');
      },
    });
    return { asked, checkInThread: () => new Promise<string | null>((resolve) => asked.push(resolve)) };
  };
  const open = async (checkInThread: () => Promise<string | null>, file?: string) => {
    await rig.close();
    rig = await openRig({ checkInThread, ...(file === undefined ? {} : { file }) });
    worker = await rig.worker({ capacity: 50 });
  };

  it('has it checked apart, and is called or not as that comes out', async () => {
    const { asked, checkInThread } = heavy();
    await open(checkInThread);
    const [good, bad, killed] = [
      await rig.submit(calls('heavy')),
      await rig.submit(calls('heavy')),
      await rig.submit(calls('heavy')),
    ];
    expect(await first(good)).toMatchObject({ state: 'RUNNING' });
    await expect.poll(() => asked.length).toBe(3);
    await rig.jobs.kill(killed, 'ann');
    for (const [i, wrong] of [null, '/n must be a number', null].entries()) asked[i]?.(wrong);
    worker.report(done(await worker.lease(), 'A'));
    expect(await rig.jobs.wait(good, 60)).toMatchObject({ status: 'COMPLETED' });
    expect(await rig.jobs.wait(bad, 60)).toMatchObject({
      status: 'FAILED',
      failure: { taskCode: 'NON_RETRYABLE', taskMessage: expect.stringContaining('/n must be a number') },
    });
    expect((await rig.jobs.list({ page: 0, size: 20, sort: 'createdAt,desc', workflowId: 'heavy' })).totalItems).toBe(
      1,
    );
  });

  it('is checked again after the master died meanwhile', async () => {
    const { asked, checkInThread } = heavy();
    await open(checkInThread);
    const jobId = await rig.submit(calls('heavy'));
    await expect.poll(() => asked.length).toBe(1);
    const file = rig.crash();
    asked[0]?.(null);
    await open(checkInThread, file);
    await rig.check();
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.(null);
    worker.report(done(await worker.lease(), 'A'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED' });
  });
});
