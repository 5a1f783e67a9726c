import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openPoolRig, type PoolRig } from '../../testing/worker-pool.fixture.ts';
import { submission, workflow } from '../../testing/engine.fixture.ts';

let rig: PoolRig;
afterEach(() => rig.close());

const one = (workflowId = 'flow', node = {}) => workflow({ a: node }, ['input>a', 'a>output'], { workflowId });

/** A command that throws has all of its turn of the event loop rolled back; the engine's turn is run again. */
async function rollingBack<T>(run: () => Promise<T>): Promise<T> {
  // No turn may be under way, so that the engine's comes first.
  await nextTurn();
  const running = run();
  const refused = rig.store.write(() => {
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  return running;
}

describe('a turn that is rolled back and run again', () => {
  it('leaves nothing of the first run to be written', async () => {
    rig = await openPoolRig();
    await rig.addWorker('w', 4);
    // It waits for ever, so that what comes next is queued rather than leased at once.
    await rig.jobs.submit(submission(one('other', { type: 'handler', config: { handler: 'nobody' } }), [{}]));
    // An input too long to be kept with the queue is read from rows, which are written before the lease.
    const { jobId } = await rollingBack(() => rig.jobs.submit(submission(one(), [{ text: 'x'.repeat(20_000) }])));
    expect((await rig.jobs.get(jobId)).taskCounters).toMatchObject({ scheduledTasks: 1 });
    await rig.finish([...rig.open.values()]);
    expect(await rig.jobs.get(jobId)).toMatchObject({ status: 'COMPLETED' });
  });

  it('still finds what waits in the database alone', async () => {
    rig = await openPoolRig();
    await rig.addWorker('w', 4);
    await rig.jobs.limit({ scope: 'workflow', id: 'flow', name: 'flow', most: 0 });
    for (const priority of [0, 5]) await rig.jobs.submit(submission(one(), [{}], { priority }));
    // Another limit empties the queue in memory.
    await rig.jobs.limit({ scope: 'key', id: 9, name: 'shop', most: 5 });
    await rollingBack(() => rig.jobs.limit({ scope: 'workflow', id: 'flow', name: 'flow', most: 4 }));
    await rig.settled();
    expect(rig.leases).toHaveLength(2);
  });
});

describe('a new limit', () => {
  it('loses no task of another priority', async () => {
    rig = await openPoolRig();
    for (const priority of [0, 5, -5]) await rig.jobs.submit(submission(one(), [{}], { priority }));
    await rig.jobs.limit({ scope: 'key', id: 9, name: 'shop', most: 5 });
    await rig.addWorker('w', 4);
    await rig.settled();
    expect(rig.leases).toHaveLength(3);
  });

  it('is not used up by long lists', async () => {
    rig = await openPoolRig();
    await rig.jobs.limit({ scope: 'workflow', id: 'flow', name: 'flow', most: 1 });
    await rig.addWorker('w', 4);
    const flow = workflow(
      { each: { type: 'forEach', config: { items: '$', node: { type: 'transform', config: { expression: '$' } } } } },
      ['input>each', 'each>output'],
    );
    const { jobId } = await rig.jobs.submit(submission(flow, [{}]));
    const [list] = [...rig.open.values()];
    rig.open.clear();
    rig.events.report('w', [
      {
        e: 'items',
        id: list?.id ?? '',
        attempt: 1,
        startedAt: 0,
        at: 0,
        first: 0,
        items: Array.from({ length: 300 }, (_, i) => i),
        more: false,
      },
    ]);
    await rig.settled();
    while (rig.open.size > 0) await rig.finish([...rig.open.values()]);
    expect(await rig.jobs.get(jobId)).toMatchObject({ status: 'COMPLETED' });
  });
});
