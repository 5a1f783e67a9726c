import { afterEach, describe, expect, it } from 'vitest';
import { utimesSync } from 'node:fs';
import { handClock, openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';
import { createDeadlineClock } from '../engine/ticker.ts';

describe('the time by which limits are over', () => {
  it('is behind the clock after an absence, by as much and for as long, and never for more than ten minutes', () => {
    let now = 1_000_000;
    const grace = createDeadlineClock(() => now);
    expect(grace.now()).toBe(now);
    grace.addAbsence(30_000);
    expect(grace.now()).toBe(now - 30_000);
    now += 29_999;
    expect(grace.now()).toBe(now - 30_000);
    now += 1;
    expect(grace.now()).toBe(now);
    grace.addAbsence(86_400_000);
    now += 599_999;
    expect(grace.now()).toBe(now - 86_400_000);
    now += 1;
    expect(grace.now()).toBe(now);
  });

  it('adds absences up', () => {
    const grace = createDeadlineClock(() => 0);
    grace.addAbsence(10);
    grace.addAbsence(20);
    grace.addAbsence(-5);
    expect(grace.now()).toBe(-30);
  });
});

describe('a job that waited while no master ran', () => {
  let rig: Rig;
  afterEach(() => rig.close());

  it('is not given up at the start, but after its time if still nobody takes it', async () => {
    const flow = workflow({ a: { scheduleTimeoutSeconds: 60 } }, ['input>a', 'a>output']);
    const clock = handClock();
    const first = await openRig({ clock });
    const jobId = await first.submit(flow);
    const file = first.crash();
    await first.close();
    // The file as it was left a moment after the submission; then ten times the limit passes.
    utimesSync(file, new Date(clock.now()), new Date(clock.now()));
    utimesSync(`${file}-wal`, new Date(clock.now()), new Date(clock.now()));
    clock.advance(600_000);
    rig = await openRig({ file, clock });
    await rig.check();
    expect((await rig.jobs.get(jobId)).status).toBe('RUNNING');
    clock.advance(61_000);
    await rig.check();
    expect((await rig.jobs.get(jobId)).status).toBe('TIMEOUT');
  });
});
