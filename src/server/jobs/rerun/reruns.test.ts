import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseJson } from '../../../lib/json.ts';
import { packTexts } from '../../../lib/packed-inputs.ts';
import type { Runnable } from '../../workflows/port.ts';
import { done, failed, items, started, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, submission, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig();
  worker = await rig.worker({ capacity: 50 });
});
afterEach(() => rig.close());

const texts = (values: unknown[]) => packTexts(values.map((value) => JSON.stringify(value)));
/** As the route does. */
async function rerun(
  jobId: string,
  runnable: Runnable,
  from: string | null = null,
  inputs: unknown[] | null = null,
): Promise<string> {
  const lineage = { rerunOf: jobId, rerunNode: from, parentTaskId: null, parentJobId: null, depth: 0 };
  return (
    await rig.jobs.rerun({
      ...submission(runnable, inputs ? texts(inputs) : await rig.jobs.inputs(jobId, from), { kind: 'batch' }),
      lineage,
    })
  ).jobId;
}
const tasks = async (jobId: string) => (await rig.tasks(jobId)).map(({ node, state, output }) => [node, state, output]);
/** Leases of a chain come at once. */
async function answer(outputs: Record<string, unknown>): Promise<string[]> {
  const ran: string[] = [];
  const lease = await worker.lease();
  for (const { id, node, attempt } of [{ ...lease }, ...lease.chain.map((next) => ({ ...next, attempt: 1 }))]) {
    ran.push(node);
    worker.report(done({ id, attempt }, outputs[node]));
  }
  return ran;
}

it('takes what was made good, and what was killed, out of the failed jobs of the overview', async () => {
  const flow = workflow({ a: {} }, ['input>a', 'a>output']);
  const failing = async () => (await rig.jobs.overview()).jobs.failedLastHour;
  const first = await rig.submit(flow, [{ n: 1 }]);
  worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', retryable: false }));
  await rig.jobs.wait(first, 60);
  expect(await failing()).toBe(1);
  const again = await rerun(first, flow);
  await answer({ a: 1 });
  await rig.jobs.wait(again, 60);
  await expect.poll(failing).toBe(0);
  // Once is enough.
  const more = await rerun(first, flow);
  await answer({ a: 1 });
  await rig.jobs.wait(more, 60);
  expect(await failing()).toBe(0);

  const waiting = await rig.submit(flow, [{ n: 1 }]);
  expect(await rig.jobs.get(waiting)).toMatchObject({ status: 'RUNNING', displayStatus: 'QUEUED' });
  await rig.jobs.kill(waiting, 'ann');
  expect(await rig.jobs.get(waiting)).toMatchObject({ status: 'FAILED', displayStatus: 'CANCELLED' });
  expect(await failing()).toBe(0);
});

describe('a rerun', () => {
  it('runs the same inputs on the same commit, and says of what it is one', async () => {
    const flow = workflow({ a: {} }, ['input>a', 'a>output']);
    const jobId = await rig.submit(flow, [{ n: 1 }, { n: 2 }], { externalId: 'order-7' });
    for (let i = 0; i < 2; i++) await answer({ a: i });
    await rig.jobs.wait(jobId, 60);
    const again = await rerun(jobId, flow);
    expect(await rig.jobs.get(again)).toMatchObject({
      rerunOf: jobId,
      kind: 'batch',
      inputCount: 2,
      commit: flow.commit,
    });
    expect([(await worker.lease()).input, (await worker.lease()).input]).toEqual([{ n: 1 }, { n: 2 }]);
    expect(
      (await rig.jobs.list({ page: 0, size: 5, sort: 'createdAt,desc', rerunOf: jobId })).items.map(({ id }) => id),
    ).toEqual([again]);
  });

  it('finds the inputs of a workflow that begins with a list, or that only hands on', async () => {
    const each = workflow(
      { each: { type: 'forEach', config: { items: '$', node: { type: 'transform', config: { expression: '$' } } } } },
      ['input>each', 'each>output'],
    );
    const jobId = await rig.submit(each, [{ list: 'x' }]);
    worker.report(items(await worker.lease(), []));
    await rig.jobs.wait(jobId, 60);
    await rerun(jobId, each);
    expect((await worker.lease()).input).toEqual({ list: 'x' });
    const handsOn = workflow({}, ['input>output']);
    const second = await rerun(await rig.submit(handsOn, [{ n: 1 }, { n: 2 }]), handsOn);
    expect(await rig.jobs.wait(second, 60)).toMatchObject({ outputText: '[{"n":1},{"n":2}]' });
  });
});

describe('the input of a job', () => {
  const whole = { node: null, replica: null };

  it('is what it was given, to the digit, also where its first node is a list', async () => {
    const each = workflow(
      {
        each: { type: 'forEach', config: { items: '$', node: { type: 'transform', config: { expression: '$' } } } },
        last: {},
      },
      ['input>each', 'each>last', 'last>output'],
    );
    const jobId = await rig.submit(each, [parseJson('{"id":12345678901234567890.10}'), [1, 2]]);
    const given = '[{"id":12345678901234567890.10},[1,2]]';
    expect(await rig.jobs.inputText(jobId, whole)).toBe(given);
    for (let n = 0; n < 2; n++) worker.report(items(await worker.lease(), []));
    expect([(await worker.lease()).node, (await worker.lease()).node]).toEqual(['last', 'last']);
    expect(await rig.jobs.inputText(jobId, whole)).toBe(given);
    expect(await rig.jobs.inputText(jobId, { node: null, replica: 1 })).toBe('[1,2]');
    expect(await rig.jobs.inputText(jobId, { node: 'last', replica: null })).toBe('[[],[]]');
  });

  it('says what it does not know', async () => {
    const jobId = await rig.submit(workflow({ a: {}, b: {} }, ['input>a', 'a>b', 'b>output']), [1]);
    for (const [which, pointer] of [
      [{ node: 'b', replica: null }, '/node'],
      [{ node: 'no', replica: null }, '/node'],
      [{ node: null, replica: 1 }, '/replica'],
    ] as const)
      await expect(rig.jobs.inputText(jobId, which)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ pointer }],
      });
    await expect(rig.jobs.inputText('none', whole)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    expect(
      await rig.jobs.inputText(await rig.submit(workflow({}, ['input>output']), [1, 'x']), { node: null, replica: 1 }),
    ).toBe('"x"');
    expect(await rig.jobs.inputText(await rig.submit(workflow({ a: {} }, ['input>a', 'a>output']), []), whole)).toBe(
      '[]',
    );
  });
});

describe('a rerun from a node', () => {
  // a → (b, c) → join → last
  const flow = () =>
    workflow({ a: {}, b: {}, c: {}, join: {}, last: {} }, [
      'input>a',
      'a>b',
      'a>c',
      'b>join',
      'c>join',
      'join>last',
      'last>output',
    ]);

  async function failedAt(node: string, outputs: Record<string, unknown>) {
    const runnable = flow();
    const jobId = await rig.submit(runnable, [{ n: 1 }]);
    let over = false;
    const ended = rig.jobs.wait(jobId, 60).finally(() => (over = true));
    while (!over) {
      if (worker.untaken === 0) {
        await pause(1);
        continue;
      }
      const lease = await worker.lease();
      let alive = true;
      for (const step of [{ id: lease.id, node: lease.node }, ...lease.chain]) {
        if (!alive) break;
        alive = step.node !== node;
        worker.report(
          alive
            ? done({ id: step.id, attempt: 1 }, outputs[step.node])
            : failed({ id: step.id, attempt: 1 }, { code: 'NON_RETRYABLE', retryable: false }),
        );
      }
    }
    await ended;
    await expect.poll(async () => (await rig.jobs.get(jobId)).finishedAt).not.toBeNull();
    return { runnable, jobId };
  }

  it('takes over what finished and does not depend on it', async () => {
    const { runnable, jobId } = await failedAt('b', { a: 'A', c: 'C' });
    const again = await rerun(jobId, runnable, 'b');
    expect(await tasks(again)).toEqual([
      ['a', 'COMPLETED', 'A'],
      ['c', 'COMPLETED', 'C'],
      ['b', 'SCHEDULED', null],
    ]);
    expect((await rig.tasks(again))[0]?.history[0]).toMatchObject({
      from: null,
      to: 'COMPLETED',
      reason: expect.stringContaining('reused from task'),
    });
    expect(await answer({ b: 'B' })).toEqual(['b']);
    const join = await worker.lease();
    expect(join.input).toEqual({ b: 'B', c: 'C' });
    worker.report(done(join, 'J'), done({ id: join.chain[0]?.id ?? '', attempt: 1 }, 'L'));
    expect(await rig.jobs.wait(again, 60)).toMatchObject({ status: 'COMPLETED', outputText: '["L"]' });
    expect(await rig.jobs.get(again)).toMatchObject({ taskCounters: { completedTasks: 5 } });
  });

  it('begins with another input, and runs what had not finished beside it', async () => {
    const { runnable, jobId } = await failedAt('c', { a: 'A', b: 'B' });
    const again = await rerun(jobId, runnable, 'b', ['edited']);
    const leases = [await worker.lease(), await worker.lease()];
    expect(leases.map(({ node, input }) => [node, input]).sort()).toEqual([
      ['b', 'edited'],
      ['c', 'A'],
    ]);
    for (const lease of leases) worker.report(done(lease, lease.node));
    expect((await worker.lease()).input).toEqual({ b: 'b', c: 'c' });
    expect((await tasks(again)).map(([node]) => node)).toEqual(['a', 'b', 'c', 'join']);
  });

  it('is refused where what comes before has not finished, or its input is not known', async () => {
    const { runnable, jobId } = await failedAt('b', { a: 'A', c: 'C' });
    await expect(rerun(jobId, runnable, 'last', [1])).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [
        {
          pointer: '/fromNode',
          message: expect.stringContaining('node b, which last depends on, has not finished'),
        },
      ],
    });
    await expect(rerun(jobId, runnable, 'last')).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/inputs' }],
    });
  });

  it('takes over the joined list of a forEach as one task, and the way that a condition took', async () => {
    const runnable = workflow(
      {
        each: { type: 'forEach', config: { items: '$', node: { type: 'transform', config: { expression: '$' } } } },
        if: { type: 'condition' },
        yes: {},
        no: {},
        last: {},
      },
      ['input>each', 'each>if', 'if>yes:true', 'if>no:false', 'yes>last', 'no>last', 'last>output'],
    );
    const jobId = await rig.submit(runnable, [[1]]);
    worker.report(items(await worker.lease(), [1]));
    worker.report(done(await worker.lease(), 10));
    const condition = await worker.lease();
    worker.report(done(condition, [10], 'true'));
    await answer({ yes: 'Y' });
    worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', retryable: false }));
    await rig.jobs.wait(jobId, 60);
    const again = await rerun(jobId, runnable, 'last');
    expect(await tasks(again)).toEqual([
      ['each', 'COMPLETED', [10]],
      ['if', 'COMPLETED', [10]],
      ['yes', 'COMPLETED', 'Y'],
      ['last', 'SCHEDULED', null],
    ]);
    await answer({ last: 'L' });
    expect(await rig.jobs.wait(again, 60)).toMatchObject({ status: 'COMPLETED', outputText: '["L"]' });
  });

  it('runs the new commit from there, and survives the loss of the master', async () => {
    const { jobId } = await failedAt('b', { a: 'A', c: 'C' });
    const newer = workflow({ a: {}, b: {}, c: { type: 'delay', config: { seconds: 0 } }, extra: {}, join: {} }, [
      'input>a',
      'a>b',
      'a>c',
      'b>join',
      'c>join',
      'a>extra',
      'extra>join',
      'join>output',
    ]);
    const again = await rerun(jobId, newer, 'b');
    // c is another type of node now, and extra is new: both run.
    const leases = [await worker.lease(), await worker.lease(), await worker.lease()];
    expect(leases.map(({ node, input }) => [node, input]).sort()).toEqual([
      ['b', 'A'],
      ['c', 'A'],
      ['extra', 'A'],
    ]);
    const file = rig.crash();
    await rig.close();
    rig = await openRig({ file, clock: rig.clock });
    const back = await rig.worker({ id: worker.id, running: leases.map(({ id, attempt }) => ({ id, attempt })) });
    for (const lease of leases) back.report(done(lease, lease.node));
    expect((await back.lease()).input).toEqual({ b: 'b', c: 'c', extra: 'extra' });
    expect(await rig.jobs.get(again)).toMatchObject({ rerunOf: jobId, finishedAt: null });
  });

  it('of many replicas is made in slices', async () => {
    const runnable = workflow({ a: {}, b: {} }, ['input>a', 'a>b', 'b>output']);
    const many = Array.from({ length: 500 }, (_, n) => ({ n }));
    const finish = async (jobId: string, each: (lease: Awaited<ReturnType<FakeWorker['lease']>>) => void) => {
      let over = false;
      const ended = rig.jobs.wait(jobId, 60).finally(() => (over = true));
      while (!over)
        if (worker.untaken > 0) each(await worker.lease());
        else await pause(1);
      return ended;
    };
    const jobId = await rig.submit(runnable, many);
    await finish(jobId, (lease) =>
      worker.report(
        done(lease, { ...(lease.input as object), a: 1 }),
        done({ id: lease.chain[0]?.id ?? '', attempt: 1 }, 0),
      ),
    );
    const again = await rerun(jobId, runnable, 'b');
    const outcome = await finish(again, (lease) => worker.report(done(lease, lease.input)));
    expect(JSON.parse(outcome.outputText ?? '')).toEqual(many.map((input) => ({ ...input, a: 1 })));
    expect(await rig.jobs.get(again)).toMatchObject({ status: 'COMPLETED', taskCounters: { completedTasks: 1000 } });
  });
});

describe('the retry of one task', () => {
  const two = () => workflow({ a: {}, b: {} }, ['input>a', 'input>b', 'a>output']);

  it('makes it READY with a fresh allowance, and no other', async () => {
    const jobId = await rig.submit(two());
    for (let i = 0; i < 2; i++)
      worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', retryable: false }));
    await expect.poll(async () => (await rig.jobs.get(jobId)).finishedAt).not.toBeNull();
    const [a, b] = await rig.tasks(jobId);
    expect(await rig.jobs.retryTask(a?.id ?? '')).toMatchObject({
      id: a?.id,
      state: 'SCHEDULED',
      attempt: 2,
      retryCount: 4,
      retryEntries: [{ code: 'NON_RETRYABLE' }],
    });
    expect(await rig.jobs.get(jobId)).toMatchObject({ finishedAt: null, status: 'PARTIAL_FAILURE' });
    worker.report(done(await worker.lease(), 1));
    // The other failure is that of the job now.
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ failure: { taskId: b?.id }, outputText: null });
    await rig.jobs.retryTask(b?.id ?? '');
    worker.report(done(await worker.lease(), 2));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', failure: null });
  });

  it('is refused for one that has not failed', async () => {
    const jobId = await rig.submit(two());
    const lease = await worker.lease();
    worker.report(started(lease));
    await expect.poll(async () => (await rig.jobs.task(lease.id)).state).toBe('RUNNING');
    await expect(rig.jobs.retryTask(lease.id)).rejects.toMatchObject({
      code: 'TASK_NOT_FAILED',
      extra: { state: 'RUNNING' },
    });
    worker.report(done(lease, 1));
    await expect.poll(async () => (await rig.jobs.task(lease.id)).state).toBe('COMPLETED');
    await expect(rig.jobs.retryTask(lease.id)).rejects.toMatchObject({ code: 'TASK_NOT_FAILED' });
    await expect(rig.jobs.retryTask('x')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    expect(jobId).toBeDefined();
  });

  it('of a failed item brings back the items that were stopped with it', async () => {
    const each = workflow(
      {
        each: {
          type: 'forEach',
          config: { items: '$', node: { type: 'transform', config: { expression: '$' } }, concurrency: 2 },
        },
      },
      ['input>each', 'each>output'],
    );
    const jobId = await rig.submit(each);
    worker.report(items(await worker.lease(), [0, 1, 2, 3]));
    worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', retryable: false }));
    await worker.lease();
    await expect.poll(async () => (await rig.jobs.get(jobId)).finishedAt).not.toBeNull();
    const [first] = await rig.tasks(jobId);
    expect(await rig.jobs.retryTask(first?.id ?? '')).toMatchObject({ item: 0, attempt: 2 });
    for (let i = 0; i < 4; i++) {
      const lease = await worker.lease();
      worker.report(done(lease, lease.item));
    }
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({
      status: 'COMPLETED',
      outputText: '[[0,1,2,3]]',
      failure: null,
    });
  });
});
