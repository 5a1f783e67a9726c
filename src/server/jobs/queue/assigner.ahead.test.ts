import { afterEach, describe, expect, it } from 'vitest';
import { submission, workflow } from '../../testing/engine.fixture.ts';
import { openPoolRig, type PoolLease, type PoolRig } from '../../testing/worker-pool.fixture.ts';
import { LEASES_AHEAD, LEASES_FURTHER_AHEAD, SHORT_TASK_MS, VERY_SHORT_TASK_MS } from './assigner.ts';

const SLOTS = 4;

let rig: PoolRig;
afterEach(() => rig.close());

const short = workflow({ a: { type: 'transform' }, b: { type: 'template' } }, ['input>a', 'a>b', 'b>output']);
const slow = workflow({ a: { type: 'delay', config: { seconds: 1 } } }, ['input>a', 'a>output'], {
  workflowId: 'slow',
});

const open = () => [...rig.open.values()];
const submit = (runnable: typeof short, count: number, more = {}) =>
  rig.jobs.submit(
    submission(
      runnable,
      Array.from({ length: count }, () => ({})),
      more,
    ),
  );

/** Reports the whole chain of each lease, every task of which ran so long. */
async function finish(leases: readonly PoolLease[], ms = 0) {
  for (const { id, attempt, workerId, chain } of leases) {
    rig.open.delete(id);
    for (const task of [{ id, attempt }, ...chain.map((next) => ({ id: next.id, attempt: 1 }))])
      rig.events.report(workerId, [
        { e: 'done', ...task, startedAt: rig.clock.now() - ms, at: rig.clock.now(), output: 1 },
      ]);
  }
  await rig.settled();
}

/** A worker that takes leases ahead, and what the short workflow takes is known. */
async function openRig(ms = 0, takesAhead = true) {
  rig = await openPoolRig();
  await rig.addWorker('w', SLOTS, [], null, takesAhead);
  await submit(short, 1);
  await rig.settled();
  await finish(open(), ms);
  expect(open()).toEqual([]);
}

describe('a worker whose slots are all in use', () => {
  it.each([
    ['short', VERY_SHORT_TASK_MS, LEASES_AHEAD],
    ['very short', 0, LEASES_FURTHER_AHEAD],
  ])('is leased %s tasks ahead, up to a bound', async (_, ms, ahead) => {
    await openRig(ms);
    await submit(short, 400);
    await rig.settled();
    expect(open()).toHaveLength(SLOTS + ahead);
    await finish(open().slice(0, 10), ms);
    expect(open()).toHaveLength(SLOTS + ahead);
  });

  it('is leased one that is alone in the queue too', async () => {
    await openRig();
    for (let i = 0; i < SLOTS + 3; i++) await submit(short, 1);
    await rig.settled();
    expect(open()).toHaveLength(SLOTS + 3);
  });

  it.each([
    ['that take long', () => openRig(SHORT_TASK_MS), short],
    [
      'of which one of a chain is not known yet',
      () => openRig(),
      workflow({ a: {}, b: {} }, ['input>a', 'a>b', 'b>output'], { workflowId: 'other' }),
    ],
    ['that do more than compute', () => openRig(), slow],
  ])('is leased no tasks ahead %s', async (_, begin, runnable) => {
    await begin();
    await submit(runnable, 50);
    await rig.settled();
    expect(open()).toHaveLength(SLOTS);
  });

  it('is leased none ahead that it does not take', async () => {
    await openRig(0, false);
    await submit(short, 50);
    await rig.settled();
    expect(open()).toHaveLength(SLOTS);
  });
});

it('what took long once is leased ahead again after some quick runs', async () => {
  await openRig(40 * SHORT_TASK_MS);
  await submit(short, 400);
  await rig.settled();
  expect(open()).toHaveLength(SLOTS);
  for (let i = 0; i < 20; i++) await finish(open().slice(0, SLOTS));
  expect(open().length).toBeGreaterThanOrEqual(SLOTS + LEASES_AHEAD);
});

// Of a worker whose clock was set meanwhile, or that says anything.
it.each([1e12, 1e300, Infinity])(
  'what seemed to take %d ms is leased ahead again after some quick runs',
  async (ms) => {
    await openRig(ms);
    await submit(short, 400);
    await rig.settled();
    for (let i = 0; i < 25; i++) await finish(open().slice(0, SLOTS));
    expect(open().length).toBeGreaterThanOrEqual(SLOTS + LEASES_AHEAD);
  },
);

it('is leased none ahead where tasks that take long hold all its slots', async () => {
  await openRig();
  await submit(slow, SLOTS);
  await submit(short, 5);
  await rig.settled();
  expect(open()).toHaveLength(SLOTS);
  await finish(open().slice(0, 1), 1000);
  expect(open()).toHaveLength(SLOTS - 1 + 5);
});

it('keeps the order of the queue: behind a task that needs a slot nothing is leased ahead, and it gets the next slot', async () => {
  await openRig();
  await submit(short, SLOTS);
  await rig.settled();
  await submit(slow, 2, { priority: 1 });
  await submit(short, 50);
  await rig.settled();
  expect(open()).toHaveLength(SLOTS);
  await finish(open().slice(0, 1));
  expect(rig.leases.at(-1)).toMatchObject({ workflowId: 'slow' });
  expect(open()).toHaveLength(SLOTS);
  await finish(open().slice(0, 1));
  expect(open().filter(({ workflowId }) => workflowId === 'slow')).toHaveLength(2);
  expect(open().length).toBeGreaterThan(SLOTS);
});

it('keeps to a concurrency limit', async () => {
  await openRig();
  await rig.jobs.limit({ scope: 'workflow', id: short.workflowId, name: 'short', most: SLOTS + 2 });
  await submit(short, 50);
  await rig.settled();
  expect(open()).toHaveLength(SLOTS + 2);
});

it('gives single tasks to free slots first, whoever takes leases ahead', async () => {
  await openRig();
  await rig.addWorker('v', SLOTS, [], null, true);
  for (let i = 0; i < 2 * SLOTS; i++) await submit(short, 1);
  await rig.settled();
  const held = ['w', 'v'].map((id) => open().filter(({ workerId }) => workerId === id).length);
  expect(held).toEqual([SLOTS, SLOTS]);
  await rig.addWorker('takes none', SLOTS);
  for (let i = 0; i < SLOTS; i++) await submit(short, 1);
  await rig.settled();
  expect(open().filter(({ workerId }) => workerId === 'takes none')).toHaveLength(SLOTS);
});

it('leases nothing ahead to a worker that computes what is not known to be short', async () => {
  await openRig();
  const other = workflow({ a: { type: 'transform' } }, ['input>a', 'a>output'], { workflowId: 'other' });
  await submit(other, 1);
  await submit(short, 20);
  await rig.settled();
  expect(open()).toHaveLength(SLOTS);
  await finish(
    open().filter(({ workflowId }) => workflowId === 'other'),
    10_000,
  );
  expect(open()).toHaveLength(20);
});

it('counts failed runs: what often takes long before it fails is not short', async () => {
  await openRig();
  await submit(short, 1);
  await rig.settled();
  const [held] = open();
  if (!held) throw new Error('nothing was leased');
  rig.open.delete(held.id);
  const at = rig.clock.now();
  const error = { code: 'TASK_ERROR', message: 'it took too long', retryable: false };
  rig.events.report(held.workerId, [
    { e: 'fail', id: held.id, attempt: held.attempt, startedAt: at - 100 * SHORT_TASK_MS, at, error },
  ]);
  await submit(short, 20);
  await rig.settled();
  expect(open()).toHaveLength(SLOTS);
});

it('shares what is leased ahead among the workers', async () => {
  await openRig();
  await rig.addWorker('v', SLOTS, [], null, true);
  await submit(short, 2 * SLOTS + LEASES_AHEAD);
  await rig.settled();
  const held = ['w', 'v'].map((id) => open().filter(({ workerId }) => workerId === id).length);
  expect(Math.min(...held)).toBeGreaterThanOrEqual(SLOTS + LEASES_AHEAD / 4);
});
