import { afterEach, describe, expect, it } from 'vitest';
import { openRig, workflow, type Rig } from '../testing/engine.fixture.ts';

let rig: Rig;
afterEach(() => rig.close());

const HOUR = 3_600_000;

describe('the silence of a worker', () => {
  it('does not count where the master was away itself', async () => {
    rig = await openRig({ lookMs: 5000 });
    const worker = await rig.worker();
    const jobId = await rig.submit(workflow({ a: {} }, ['input>a', 'a>output']));
    await worker.lease();
    await rig.timedLook();
    // The machine slept, or the process was stopped.
    rig.clock.advance(HOUR);
    await rig.timedLook();
    expect(await rig.workers.get(worker.id)).not.toMatchObject({ state: 'Down' });
    expect((await rig.tasks(jobId))[0]).toMatchObject({ state: 'SCHEDULED', workerId: worker.id });
  });

  it.each([HOUR, -HOUR])('is not changed by a clock that is set by %d ms, whoever asks first', async (byMs) => {
    rig = await openRig({ lookMs: 20_000 });
    const worker = await rig.worker();
    rig.clock.set(byMs);
    // What a worker was given or has ended is told at any time, before the next look.
    rig.workerPool.changed(worker.id);
    expect(await rig.workers.get(worker.id)).toMatchObject({ state: 'Operational' });
    rig.clock.advance(16_000);
    await rig.timedLook();
    expect(await rig.workers.get(worker.id)).toMatchObject({ state: 'Down' });
  });
});
