import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lease } from '../../../contract/worker-protocol.ts';
import { done, failed, items, started, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig();
  worker = await rig.worker({ capacity: 50 });
});
afterEach(() => rig.close());

const each = (config: object = {}, node: object = {}) =>
  workflow(
    {
      each: {
        type: 'forEach',
        config: { items: 'list', node: { type: 'transform', config: { expression: '$' } }, ...config },
        ...node,
      },
    },
    ['input>each', 'each>output'],
  );
const states = async (jobId: string) => (await rig.tasks(jobId)).map(({ item, state }) => `${item}:${state}`);
const fan = (jobId: string) =>
  rig.store.read
    .query<Record<string, number | string>>('SELECT f.* FROM fan_out f JOIN job j ON j.seq = f.job WHERE j.id = ?')
    .get(jobId);
/** Takes leases and answers each of them until the job has ended. */
async function work(jobId: string, answer: (lease: Lease) => Parameters<FakeWorker['report']>[0], by = worker) {
  let over = false;
  const ended = rig.jobs.wait(jobId, 60).then((outcome) => {
    over = true;
    return outcome;
  });
  while (!over) {
    if (by.untaken > 0) by.report(answer(await by.lease()));
    else await pause(1);
  }
  return ended;
}

/** Periodic checks, by hand, while `run` runs. */
async function checking<T>(run: () => Promise<T>, seconds: number, by: () => FakeWorker): Promise<T> {
  let on = true;
  const checks = (async () => {
    while (on) {
      rig.clock.advance(seconds * 1000);
      by().beat();
      await rig.check();
      await nextTurn();
    }
  })();
  return run().finally(async () => {
    on = false;
    await checks;
  });
}

describe('a forEach', () => {
  it('evaluates its list as a task that goes away, makes a task of each item, and joins what they gave in order', async () => {
    const jobId = await rig.submit(each(), [{ list: ['a', 'b', 'c'] }]);
    const list = await worker.lease();
    expect(list).toMatchObject({ node: 'each', item: null, input: { list: ['a', 'b', 'c'] }, chain: [] });
    expect(await states(jobId)).toEqual(['null:SCHEDULED']);
    worker.report(items(list, ['a', 'b', 'c']));
    const leases = [await worker.lease(), await worker.lease(), await worker.lease()];
    expect(leases).toMatchObject([
      { node: 'each', item: 0, input: 'a' },
      { item: 1, input: 'b' },
      { item: 2, input: 'c' },
    ]);
    expect(await states(jobId)).toEqual(['0:SCHEDULED', '1:SCHEDULED', '2:SCHEDULED']);
    expect((await rig.workers.get(worker.id)).currentTasks).toBe(3);
    for (const lease of leases.reverse()) worker.report(done(lease, `${String(lease.input)}!`));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '[["a!","b!","c!"]]' });
    expect(await rig.jobs.get(jobId)).toMatchObject({ taskCounters: { completedTasks: 3, readyTasks: 0 } });
    await expect(rig.jobs.task(list.id)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });

  it('goes on in the graph with the joined list', async () => {
    const flow = workflow(
      {
        each: { type: 'forEach', config: { items: '$', node: { type: 'transform', config: { expression: '$' } } } },
        after: {},
        beside: {},
        join: {},
      },
      ['input>each', 'input>beside', 'each>after', 'after>join', 'beside>join', 'each>join', 'join>output'],
    );
    const jobId = await rig.submit(flow, [[1, 2]]);
    const inputs: Record<string, unknown> = {};
    const outcome = await work(jobId, (lease) => {
      if (lease.item === null) inputs[lease.node] = lease.input;
      return lease.node === 'each' && lease.item === null
        ? items(lease, [1, 2])
        : done(lease, lease.item === null ? lease.node : Number(lease.input) * 10);
    });
    expect(inputs).toEqual({
      each: [1, 2],
      beside: [1, 2],
      after: [10, 20],
      join: { after: 'after', beside: 'beside', each: [10, 20] },
    });
    expect(outcome).toMatchObject({ status: 'COMPLETED', outputText: '["join"]' });
  });

  it('keeps the input of the workflow for a join when it is the first node', async () => {
    const flow = workflow(
      {
        each: { type: 'forEach', config: { items: '$', node: { type: 'transform', config: { expression: '$' } } } },
        join: {},
      },
      ['input>each', 'each>join', 'input>join', 'join>output'],
    );
    const jobId = await rig.submit(flow, [{ a: 1 }]);
    worker.report(items(await worker.lease(), [7]));
    worker.report(done(await worker.lease(), 8));
    const join = await worker.lease();
    expect(join.input).toEqual({ each: [8], input: { a: 1 } });
    worker.report(done(join, 'x'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED' });
  });

  it('takes the list in several reports, also when some come twice', async () => {
    const jobId = await rig.submit(each());
    const list = await worker.lease();
    const part = (first: number, values: number[], more: boolean) => ({
      e: 'items' as const,
      id: list.id,
      attempt: 1,
      startedAt: 1,
      at: 1,
      first,
      items: values,
      more,
    });
    worker.report(part(0, [0, 1, 2], true));
    worker.report(part(0, [0, 1, 2], true), part(3, [3, 4], false), part(3, [3, 4], false));
    expect(await work(jobId, (lease) => done(lease, lease.input))).toMatchObject({
      status: 'COMPLETED',
      outputText: '[[0,1,2,3,4]]',
    });
  });

  it('fails as one task with item null where the list cannot be had, by the usual rules of retry', async () => {
    const jobId = await rig.submit(each({}, { retries: 1 }));
    worker.report(failed(await worker.lease(), { message: 'not a list' }));
    await expect.poll(async () => (await rig.tasks(jobId))[0]?.state).toBe('FAILED');
    rig.clock.advance(2000);
    worker.beat();
    await rig.check();
    const again = await worker.lease();
    expect(again).toMatchObject({ item: null, attempt: 2 });
    worker.report(failed(again, { message: 'not a list' }));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({
      status: 'FAILED',
      failure: { node: 'each', taskCode: 'TASK_ERROR' },
    });
    expect(await rig.tasks(jobId)).toMatchObject([{ item: null, state: 'FAILED', attempt: 2 }]);
    expect(await rig.jobs.retry(jobId)).toMatchObject({ retriedTasks: 1 });
    worker.report(items(await worker.lease(), [1]));
    worker.report(done(await worker.lease(), 2));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '[[2]]' });
  });

  it('refuses a list beyond the limit, and outputs that are too long together', async () => {
    await rig.close();
    rig = await openRig({ limits: { forEachItems: 3, taskOutputBytes: 60 } });
    worker = await rig.worker();
    const tooMany = await rig.submit(each());
    worker.report(items(await worker.lease(), [1, 2, 3, 4]));
    expect((await rig.jobs.wait(tooMany, 60)).failure).toMatchObject({
      taskCode: 'NON_RETRYABLE',
      taskMessage: expect.stringContaining('more than 3 items'),
    });
    const tooLong = await rig.submit(each());
    worker.report(items(await worker.lease(), [1, 2, 3]));
    const outcome = await work(tooLong, (lease) => done(lease, 'x'.repeat(25)));
    expect(outcome.failure).toMatchObject({
      taskCode: 'NON_RETRYABLE',
      taskMessage: expect.stringContaining('exceed 60 characters'),
    });
  });

  it('carries numbers that a double cannot hold', async () => {
    const jobId = await rig.submit(each());
    const list = await worker.lease();
    worker.sendText(
      `{"t":"report","items":[{"e":"items","id":"${list.id}","attempt":1,"startedAt":1,"at":1,"first":0,"items":[12345678901234567890,0.10],"more":false}]}`,
    );
    for (let i = 0; i < 2; i++) {
      const { id, attempt } = await worker.lease();
      worker.sendText(
        `{"t":"report","items":[{"e":"done","id":"${id}","attempt":${attempt},"startedAt":1,"at":1,"output":1234567890123456789${i}}]}`,
      );
    }
    expect((await rig.jobs.wait(jobId, 60)).outputText).toBe('[[12345678901234567890,12345678901234567891]]');
  });
});

describe('concurrency', () => {
  it('withholds items beyond it, and they neither wait for a worker nor time out', async () => {
    const jobId = await rig.submit(each({ concurrency: 2 }));
    worker.report(items(await worker.lease(), [0, 1, 2, 3]));
    const [a, b] = [await worker.lease(), await worker.lease()];
    expect(await states(jobId)).toEqual(['0:SCHEDULED', '1:SCHEDULED', '2:READY', '3:READY']);
    expect(rig.jobs.queueDepth).toBe(0);
    expect((await rig.jobs.overview()).tasks.ready).toBe(2);
    worker.report(started(a as Lease), started(b as Lease));
    await expect.poll(() => states(jobId)).toEqual(['0:RUNNING', '1:RUNNING', '2:READY', '3:READY']);
    rig.clock.advance(400_000);
    worker.beat();
    await rig.check();
    expect(await states(jobId)).toEqual(['0:RUNNING', '1:RUNNING', '2:READY', '3:READY']);
    worker.report(done(b as Lease, 'b'));
    expect((await worker.lease()).item).toBe(2);
    expect(worker.untaken).toBe(0);
  });

  it('is counted as before after a crash right after an item was handed out', async () => {
    const jobId = await rig.submit(each({ concurrency: 1 }));
    worker.report(items(await worker.lease(), [0, 1, 2]));
    worker.report(done(await worker.lease(), 'a'));
    const second = await worker.lease();
    const file = rig.crash();
    await rig.close();
    rig = await openRig({ file, clock: rig.clock });
    expect(await states(jobId)).toEqual(['0:COMPLETED', '1:SCHEDULED', '2:READY']);
    expect(rig.jobs.queueDepth).toBe(0);
    worker = await rig.worker({ id: worker.id, running: [{ id: second.id, attempt: 1 }] });
    worker.report(done(second, 'b'));
    worker.report(done(await worker.lease(), 'c'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '[["a","b","c"]]' });
  });

  it('is never exceeded, whatever the items come to, and every job ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.constantFrom('ok', 'ok', 'error', 'final', 'twice'), { maxLength: 30 }),
        fc.boolean(),
        async (concurrency, fates, collect) => {
          const jobId = await rig.submit(
            each({ concurrency, onError: collect ? 'collect' : 'failFast' }, { retries: 1, retryBackoffSeconds: 0 }),
          );
          let most = 0;
          const running = new Set<string>();
          const outcome = await checking(
            () =>
              work(jobId, (lease) => {
                if (lease.jobId !== jobId) return done(lease, null);
                if (lease.item === null) return items(lease, fates);
                running.add(lease.id);
                most = Math.max(most, running.size);
                const row = fan(jobId);
                expect(Number(row?.['active'])).toBeLessThanOrEqual(concurrency);
                running.delete(lease.id);
                const fate = fates[lease.item];
                if (fate === 'ok' || (fate === 'twice' && lease.attempt > 1)) return done(lease, lease.item);
                return failed(lease, fate === 'final' ? { code: 'NON_RETRYABLE', retryable: false } : {});
              }),
            0,
            () => worker,
          );
          const bad = fates.filter((fate) => fate === 'error' || fate === 'final').length;
          const counters = () => rig.jobs.get(jobId).then((job) => job.taskCounters);
          if (fates.length === 0) expect(outcome.status).toBe('EMPTY');
          else if (collect || bad === 0) {
            expect(outcome.failure).toBeNull();
            const output = JSON.parse(outcome.outputText ?? '')[0] as unknown[];
            expect(output).toEqual(
              fates.map((fate, i) =>
                fate === 'error' || fate === 'final'
                  ? { error: { code: fate === 'final' ? 'NON_RETRYABLE' : 'TASK_ERROR', message: 'it broke' } }
                  : i,
              ),
            );
            expect(outcome.status).toBe(bad > 0 ? 'FAILED' : 'COMPLETED');
            expect(await counters()).toMatchObject({ completedTasks: fates.length - bad, failedTasks: bad });
          } else {
            expect(outcome.failure?.taskCode).toMatch(/TASK_ERROR|NON_RETRYABLE/);
            await expect.poll(async () => (await rig.jobs.get(jobId)).finishedAt).not.toBeNull();
            const { completedTasks, failedTasks, readyTasks } = await counters();
            expect([completedTasks + failedTasks, readyTasks]).toEqual([fates.length, 0]);
          }
          expect(rig.jobs.queueDepth).toBe(0);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('an item that failed for good', () => {
  it('fails the replica at once and stops the other items (failFast)', async () => {
    const jobId = await rig.submit(each({ concurrency: 2 }));
    worker.report(items(await worker.lease(), [0, 1, 2, 3]));
    const [first, second] = [await worker.lease(), await worker.lease()];
    worker.report(failed(second as Lease, { code: 'NON_RETRYABLE', message: 'no', retryable: false }));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({
      failure: { taskId: second?.id, taskCode: 'NON_RETRYABLE' },
    });
    expect(await worker.next('kill')).toMatchObject({ ids: [first?.id] });
    expect(await rig.tasks(jobId)).toMatchObject([
      { item: 0, error: { code: 'KILLED' } },
      { item: 1, error: { code: 'NON_RETRYABLE' } },
      { item: 2, error: { code: 'KILLED', message: expect.stringContaining('another item') } },
      { item: 3, state: 'FAILED' },
    ]);
    expect(await rig.jobs.get(jobId)).toMatchObject({ status: 'FAILED', finishedAt: expect.any(String) });
  });

  it('leaves the replica going on, its place an error (collect)', async () => {
    const jobId = await rig.submit(each({ onError: 'collect' }));
    worker.report(items(await worker.lease(), [0, 1, 2]));
    const outcome = await work(jobId, (lease) =>
      lease.item === 1
        ? failed(lease, { code: 'NON_RETRYABLE', message: 'no', retryable: false })
        : done(lease, lease.input),
    );
    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: null,
      outputText: '[[0,{"error":{"code":"NON_RETRYABLE","message":"no"}},2]]',
    });
    expect(await rig.jobs.get(jobId)).toMatchObject({
      status: 'FAILED',
      taskCounters: { completedTasks: 2, failedTasks: 1 },
    });
    expect(await rig.jobs.outputText(jobId)).toBe(
      '{"output":[[0,{"error":{"code":"NON_RETRYABLE","message":"no"}},2]],"error":null}',
    );
    // A retry mends the list, and the output with it.
    expect(await rig.jobs.retry(jobId)).toMatchObject({ retriedTasks: 1, status: 'RUNNING' });
    expect(await work(jobId, (lease) => done(lease, 'mended'))).toMatchObject({
      status: 'COMPLETED',
      outputText: '[[0,"mended",2]]',
    });
  });

  it('is not collected where the job is killed', async () => {
    const jobId = await rig.submit(each({ onError: 'collect' }));
    worker.report(items(await worker.lease(), [0, 1]));
    await worker.lease();
    expect(await rig.jobs.kill(jobId, 'ann')).toMatchObject({ killedTasks: 2, status: 'FAILED' });
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ outputText: null, failure: { taskCode: 'KILLED' } });
    expect(await rig.jobs.retry(jobId)).toMatchObject({ retriedTasks: 2 });
    await worker.lease();
    expect(await work(jobId, (lease) => done(lease, lease.input))).toMatchObject({
      status: 'COMPLETED',
      outputText: '[[0,1]]',
    });
  });

  it('ends with its replica where that runs out of time', async () => {
    const jobId = await rig.submit(each({ concurrency: 1, onError: 'collect' }), [{}], {
      replicaRunTimeoutSeconds: 10,
    });
    worker.report(items(await worker.lease(), [0, 1]));
    worker.report(started(await worker.lease()));
    await expect.poll(() => states(jobId)).toEqual(['0:RUNNING', '1:READY']);
    rig.clock.advance(11_000);
    worker.beat();
    await rig.check();
    expect(await rig.tasks(jobId)).toMatchObject([
      { state: 'RUN_TIMEOUT' },
      { state: 'FAILED', error: { code: 'REPLICA_TIMEOUT' } },
    ]);
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'MIXED', outputText: null });
  });
});

describe('a long list', () => {
  const numbers = (many: number) => Array.from({ length: many }, (_, i) => i);
  const answer = (lease: Lease) => done(lease, Number(lease.input) * 2);
  const doubled = (many: number) => JSON.stringify([numbers(many).map((n) => n * 2)]);

  it('becomes tasks in slices, and its outputs are joined in order', async () => {
    const jobId = await rig.submit(each({ concurrency: 40 }));
    worker.report(items(await worker.lease(), numbers(3000)));
    const outcome = await work(jobId, answer);
    expect(outcome.status).toBe('COMPLETED');
    expect(outcome.outputText === doubled(3000)).toBe(true);
    expect(await rig.jobs.get(jobId)).toMatchObject({ taskCounters: { completedTasks: 3000 } });
    expect(fan(jobId)).toMatchObject({
      phase: 'done',
      total: 3000,
      born: 3000,
      completed: 3000,
      active: 0,
      withheld: 0,
    });
    expect(rig.store.read.query<{ n: number }>('SELECT count(*) AS n FROM fan_out_list').get()?.n).toBe(0);
  });

  it('goes on from what is kept of it after a crash in the middle', async () => {
    const jobId = await rig.submit(each({ concurrency: 40 }));
    worker.report(items(await worker.lease(), numbers(3000)));
    await expect.poll(() => Number(fan(jobId)?.['born'] ?? 0)).toBeGreaterThan(200);
    const file = rig.crash();
    await rig.close();
    rig = await openRig({ file, clock: rig.clock });
    expect(await rig.jobs.get(jobId)).toMatchObject({ finishedAt: null });
    rig.clock.advance(16_000);
    await rig.look();
    const other = await rig.worker({ capacity: 50 });
    const outcome = await checking(
      () => work(jobId, answer, other),
      0.5,
      () => other,
    );
    expect(outcome.status).toBe('COMPLETED');
    expect(outcome.outputText === doubled(3000)).toBe(true);
  });

  it('is killed in the middle, and a retry makes the rest', async () => {
    const jobId = await rig.submit(each({ concurrency: 40 }));
    worker.report(items(await worker.lease(), numbers(3000)));
    await expect.poll(() => Number(fan(jobId)?.['born'] ?? 0)).toBeGreaterThan(200);
    await rig.jobs.kill(jobId, 'ann');
    const killed = await rig.jobs.get(jobId);
    expect(killed.finishedAt).not.toBeNull();
    await rig.jobs.retry(jobId);
    const outcome = await work(jobId, answer);
    expect(outcome.outputText === doubled(3000)).toBe(true);
    expect(await rig.jobs.get(jobId)).toMatchObject({
      status: 'COMPLETED',
      taskCounters: { completedTasks: 3000, failedTasks: 0 },
    });
  });

  it('stops whole when an item fails early', async () => {
    const jobId = await rig.submit(each({ concurrency: 2 }));
    worker.report(items(await worker.lease(), numbers(3000)));
    worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', retryable: false }));
    await expect.poll(async () => (await rig.jobs.get(jobId)).finishedAt).not.toBeNull();
    const { status, taskCounters } = await rig.jobs.get(jobId);
    expect([status, taskCounters.readyTasks, taskCounters.runningTasks]).toEqual(['FAILED', 0, 0]);
    expect(rig.jobs.queueDepth).toBe(0);
    await rig.jobs.retry(jobId);
    expect((await work(jobId, answer)).outputText === doubled(3000)).toBe(true);
  });
});
