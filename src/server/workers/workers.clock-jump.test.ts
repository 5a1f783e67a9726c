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
    // The machine slept, or its clock was set on.
    rig.clock.advance(HOUR);
    await rig.timedLook();
    expect(await rig.workers.get(worker.id)).not.toMatchObject({ state: 'Down' });
    expect((await rig.tasks(jobId))[0]).toMatchObject({ state: 'SCHEDULED', workerId: worker.id });
  });

  it('counts from now where the clock went back, and so ends in time', async () => {
    rig = await openRig({ lookMs: 20_000 });
    const worker = await rig.worker();
    rig.clock.advance(-HOUR);
    await rig.timedLook();
    rig.clock.advance(16_000);
    await rig.timedLook();
    expect(await rig.workers.get(worker.id)).toMatchObject({ state: 'Down' });
  });
});
