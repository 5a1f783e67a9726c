import { afterEach, describe, expect, it } from 'vitest';
import { openPoolRig, type PoolRig } from '../../testing/worker-pool.fixture.ts';
import { submission, workflow } from '../../testing/engine.fixture.ts';

const SLICE = 100;
const MANY = 700;

let rig: PoolRig;
afterEach(() => rig.close());

/** A worker that holds many tasks. */
async function hold(node: object = {}, slice: number | null = SLICE): Promise<string> {
  rig = await openPoolRig({ slice });
  await rig.addWorker('w', 1000);
  const { jobId } = await rig.jobs.submit(
    submission(
      workflow({ a: { retries: 5, ...node } }, ['input>a', 'a>output']),
      Array.from({ length: MANY }, (_, n) => ({ n })),
    ),
  );
  while (rig.open.size < MANY) await rig.settled();
  return jobId;
}

const count = async (jobId: string) => (await rig.jobs.get(jobId)).taskCounters;
/** Until the worker holds so many; gives the most that left it in one turn. */
async function until(left: number): Promise<number> {
  const poolWorker = rig.poolWorkers.get('w');
  let most = 0;
  for (let before = poolWorker?.load ?? 0; (poolWorker?.load ?? 0) > left; before = poolWorker?.load ?? 0) {
    await rig.store.write(() => undefined);
    most = Math.max(most, before - (poolWorker?.load ?? 0));
  }
  return most;
}

describe('a worker that held many tasks', () => {
  it('loses them slice by slice when it is Down', async () => {
    const jobId = await hold();
    Object.assign(rig.poolWorkers.get('w') ?? {}, { accepting: false, state: 'Down' });
    rig.events.down('w');
    expect(await until(0)).toBe(SLICE);
    expect(await count(jobId)).toMatchObject({ failedTasks: MANY, scheduledTasks: 0 });
  });

  it('loses them in slices that this processor has time for', async () => {
    const jobId = await hold({}, null);
    Object.assign(rig.poolWorkers.get('w') ?? {}, { accepting: false, state: 'Down' });
    rig.events.down('w');
    expect(await until(0)).toBeLessThan(MANY);
    expect(await count(jobId)).toMatchObject({ failedTasks: MANY });
  });

  it('loses no more once it is back with the rest', async () => {
    const jobId = await hold();
    const poolWorker = rig.poolWorkers.get('w');
    Object.assign(poolWorker ?? {}, { accepting: false, state: 'Down' });
    rig.events.down('w');
    Object.assign(poolWorker ?? {}, { state: 'Operational' });
    const held = [...rig.open.values()];
    await rig.events.joined('w', held);
    await rig.settled();
    const { failedTasks, scheduledTasks } = await count(jobId);
    expect([failedTasks, scheduledTasks]).toEqual([SLICE, MANY - SLICE]);
  });

  it('loses slice by slice what it comes back without', async () => {
    const jobId = await hold();
    Object.assign(rig.poolWorkers.get('w') ?? {}, { accepting: false });
    const back = rig.events.joined('w', [...rig.open.values()].slice(0, 50));
    expect(await until(50)).toBeLessThanOrEqual(SLICE);
    await back;
    expect(await count(jobId)).toMatchObject({ failedTasks: MANY - 50, scheduledTasks: 50 });
  });

  it('has them time out slice by slice', async () => {
    const jobId = await hold({ runTimeoutSeconds: 10 });
    rig.events.report(
      'w',
      [...rig.open.values()].map(({ id, attempt }) => ({ e: 'start', id, attempt, at: 0 })),
    );
    await rig.settled();
    Object.assign(rig.poolWorkers.get('w') ?? {}, { accepting: false });
    rig.clock.advance(11_000);
    const checked = rig.check();
    expect(await until(0)).toBeLessThanOrEqual(SLICE);
    await checked;
    expect(await count(jobId)).toMatchObject({ runTimeoutTasks: MANY });
  });
});
