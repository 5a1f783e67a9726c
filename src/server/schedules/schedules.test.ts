import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handClock, workflow } from '../testing/engine.fixture.ts';
import { BOSS, openScheduleRig, type ScheduleRig } from '../testing/schedules.fixture.ts';
import { jitterMs } from './times.ts';

const NOON = Date.UTC(2027, 0, 1, 12);
const MINUTE = 60_000;
const flow = workflow({ a: {} }, ['input>a', 'a>output']);
const at = (minutes: number) => new Date(NOON + minutes * MINUTE).toISOString();

let rig: ScheduleRig;
beforeEach(async () => (rig = await openScheduleRig(flow)));
afterEach(() => rig.close());

/** Waits for what the schedule has decided: outcomes of its due times, oldest first. */
const decided = (id: string, outcomes: readonly string[], of: ScheduleRig = rig) =>
  expect.poll(async () => (await of.runs(id)).map(({ outcome }) => outcome), { interval: 50 }).toEqual(outcomes);
const passTo = async (minutes: number, id: string, outcomes: readonly string[]) => {
  rig.clock.advance(NOON + minutes * MINUTE - rig.clock.now());
  await decided(id, outcomes);
};

describe('a schedule', () => {
  it('starts one job at each due time, which says what started it', async () => {
    const made = await rig.create({ cron: '*/5 * * * *', inputs: [{ n: 1 }], priority: 7, labels: { team: 'ops' } });
    expect(made).toMatchObject({ nextAt: at(5), lastAt: null, paused: false, timeZone: 'UTC', overlap: 'allow' });
    await passTo(5, made.id, ['STARTED']);
    await passTo(10, made.id, ['STARTED', 'STARTED']);
    const jobs = await rig.jobsOf(made.id);
    expect(jobs).toMatchObject([
      { kind: 'batch', priority: 7, labels: { team: 'ops' }, inputCount: 1, environment: 'dev' },
      { trigger: { kind: 'schedule', id: made.id, dueAt: at(10) } },
    ]);
    expect(await rig.schedules.get(made.id)).toMatchObject({ nextAt: at(15), lastAt: at(10), lastOutcome: 'STARTED' });
    expect((await rig.runs(made.id)).map(({ jobId }) => jobId)).toEqual(jobs.map(({ id }) => id));
    expect(JSON.parse(await rig.jobs.inputText(jobs[0]?.id ?? '', { node: null, replica: null }))).toEqual([{ n: 1 }]);
  });

  it('evaluates its inputs over the due time', async () => {
    const made = await rig.create({
      everySeconds: 60,
      inputExpression: '{"day": $substring(dueAt, 0, 10), "of": workflowId}',
    });
    await passTo(1, made.id, ['STARTED']);
    const [job] = await rig.jobsOf(made.id);
    expect(JSON.parse(await rig.jobs.inputText(job?.id ?? '', { node: null, replica: null }))).toEqual([
      { day: '2027-01-01', of: flow.workflowId },
    ]);
  });

  it('says in its history why there is no job', async () => {
    const made = await rig.create({ everySeconds: 60, inputExpression: '$number("x")' });
    await passTo(1, made.id, ['FAILED']);
    rig.published.endpoint = { found: 'not-published' };
    await passTo(2, made.id, ['FAILED', 'FAILED']);
    const runs = await rig.runs(made.id);
    expect(runs[0]?.reason).toMatch(/^EXPRESSION_FAILED: /);
    expect(runs[1]).toMatchObject({ reason: expect.stringMatching(/^NOT_PUBLISHED: /), startedAt: null, jobId: null });
    expect(rig.schedules.trouble(NOON)).toMatchObject([{ scheduleId: made.id, missed: 2, late: 0 }]);
  });

  it('is due no more after a pause, and goes on with the next due time', async () => {
    const made = await rig.create({ cron: '*/5 * * * *' });
    expect(await rig.schedules.setPaused(made.id, true, BOSS)).toMatchObject({ paused: true, nextAt: null });
    rig.clock.advance(12 * MINUTE);
    expect(await rig.schedules.setPaused(made.id, false, BOSS)).toMatchObject({ paused: false, nextAt: at(15) });
    await passTo(15, made.id, ['STARTED']);
  });

  it('is started by hand besides, and once at a date', async () => {
    const once = await rig.create({ at: at(3) });
    const { jobId } = await rig.schedules.run(once.id, BOSS);
    expect(await rig.runs(once.id)).toMatchObject([
      { jobId, kind: 'manual', outcome: 'STARTED', reason: 'started by boss' },
    ]);
    await passTo(3, once.id, ['STARTED', 'STARTED']);
    expect(await rig.schedules.get(once.id)).toMatchObject({ nextAt: null, lastAt: at(3) });
  });

  it('refuses what is not valid, with the reason at the field', async () => {
    const refusal = (more: object) => rig.create(more).catch((error: unknown) => error);
    const errors = (pointer: string) => ({ code: 'VALIDATION_FAILED', errors: [{ pointer }] });
    expect(await refusal({})).toMatchObject(errors('/cron'));
    expect(await refusal({ cron: '61 * * * *' })).toMatchObject(errors('/cron'));
    expect(await refusal({ cron: '* * * * *', at: at(3) })).toMatchObject(errors('/at'));
    expect(await refusal({ cron: '* * * * *', timeZone: 'Mars/Base' })).toMatchObject(errors('/timeZone'));
    expect(await refusal({ at: at(-1) })).toMatchObject(errors('/at'));
    expect(await refusal({ cron: '* * * * *', startAt: at(5), endAt: at(4) })).toMatchObject(errors('/endAt'));
    expect(await refusal({ cron: '* * * * *', inputs: [], inputExpression: '1' })).toMatchObject(
      errors('/inputExpression'),
    );
  });
});

describe('while the job before it runs, a due time', () => {
  it('is skipped', async () => {
    const made = await rig.create({ everySeconds: 60, overlap: 'skip' });
    await passTo(1, made.id, ['STARTED']);
    await passTo(2, made.id, ['STARTED', 'SKIPPED']);
    await rig.jobs.kill((await rig.jobsOf(made.id))[0]?.id ?? '', 'boss');
    await passTo(3, made.id, ['STARTED', 'SKIPPED', 'STARTED']);
  });

  it('waits for its end, one of them', async () => {
    const made = await rig.create({ everySeconds: 60, overlap: 'queue' });
    await passTo(1, made.id, ['STARTED']);
    rig.clock.advance(MINUTE);
    await expect.poll(async () => (await rig.schedules.get(made.id)).waitingAt).toBe(at(2));
    await passTo(3, made.id, ['STARTED', 'SKIPPED']);
    await rig.jobs.kill((await rig.jobsOf(made.id))[0]?.id ?? '', 'boss');
    await decided(made.id, ['STARTED', 'STARTED', 'SKIPPED']);
    expect(await rig.jobsOf(made.id)).toMatchObject([{}, { trigger: { dueAt: at(2) } }]);
  });

  it('that waits says why it got no job, where the schedule is paused or waits no more', async () => {
    const waitingAt = async (id: string) => (await rig.schedules.get(id)).waitingAt;
    const [paused, changed] = [
      await rig.create({ everySeconds: 60, overlap: 'queue' }),
      await rig.create({ everySeconds: 60, overlap: 'queue' }),
    ];
    for (const { id } of [paused, changed]) await passTo(1, id, ['STARTED']);
    rig.clock.advance(MINUTE);
    for (const { id } of [paused, changed]) await expect.poll(() => waitingAt(id)).toBe(at(2));
    await rig.schedules.setPaused(paused.id, true, BOSS);
    await rig.schedules.update(changed.id, { overlap: 'skip' }, null, BOSS);
    const skipped = (how: string) => [{}, { dueAt: at(2), outcome: 'SKIPPED', reason: expect.stringContaining(how) }];
    expect(await rig.runs(paused.id)).toMatchObject(skipped('was paused while this due time waited'));
    expect(await rig.runs(changed.id)).toMatchObject(skipped('was changed while this due time waited'));
    expect(await waitingAt(paused.id)).toBeNull();
  });

  it('cancels it', async () => {
    const made = await rig.create({ everySeconds: 60, overlap: 'cancel' });
    await passTo(1, made.id, ['STARTED']);
    await passTo(2, made.id, ['STARTED', 'STARTED']);
    expect((await rig.jobsOf(made.id)).map(({ status }) => status)).toEqual(['FAILED', 'RUNNING']);
    // Where nothing can take its place it goes on.
    rig.published.endpoint = { found: 'not-published' };
    await passTo(3, made.id, ['STARTED', 'STARTED', 'FAILED']);
    expect((await rig.jobsOf(made.id)).map(({ status }) => status)).toEqual(['FAILED', 'RUNNING']);
  });
});

describe('after an absence', () => {
  /** Ends the master as a kill would, and starts one on the same database later. */
  async function restartAt(minutes: number): Promise<void> {
    const file = rig.crash();
    await rig.abandonAll();
    rig = await openScheduleRig(flow, { file, clock: handClock(NOON + minutes * MINUTE) });
  }

  it('starts what the catch-up window holds, and misses the rest', async () => {
    const made = await rig.create({ cron: '*/5 * * * *', catchUpSeconds: 600 });
    await passTo(5, made.id, ['STARTED']);
    await restartAt(31);
    await decided(made.id, ['STARTED', 'MISSED', 'MISSED', 'MISSED', 'STARTED', 'STARTED']);
    expect(rig.schedules.trouble(NOON)).toMatchObject([{ missed: 3, late: 1 }]);
    expect(await rig.jobsOf(made.id)).toHaveLength(3);
  });

  it('misses none that was to be started later, however long ago it was due', async () => {
    const made = await rig.create({ everySeconds: 60, jitterSeconds: 1800, catchUpSeconds: 600 });
    await restartAt(60);
    await expect.poll(async () => (await rig.runs(made.id)).length).toBeGreaterThan(0);
    const { nextAt } = await rig.schedules.get(made.id);
    const late = ({ dueAt }: { dueAt: string }) => {
      const due = Date.parse(dueAt);
      return due + jitterMs(made.id, due, 1800) < NOON + 50 * MINUTE;
    };
    const missed = (await rig.runs(made.id)).filter(({ outcome }) => outcome === 'MISSED');
    expect(missed.filter((run) => !late(run))).toEqual([]);
    expect(Date.parse(nextAt ?? '')).toBeLessThan(NOON + 60 * MINUTE);
  });

  it('starts no due time twice', async () => {
    const made = await rig.create({ everySeconds: 60 });
    await passTo(2, made.id, ['STARTED', 'STARTED']);
    await restartAt(2);
    await restartAt(3);
    await decided(made.id, ['STARTED', 'STARTED', 'STARTED']);
    expect((await rig.jobsOf(made.id)).map(({ trigger }) => trigger.dueAt)).toEqual([at(1), at(2), at(3)]);
  });

  it('of years does not list each due time', async () => {
    const made = await rig.create({ everySeconds: 1, catchUpSeconds: 0 });
    rig.clock.advance(365 * 24 * 60 * MINUTE);
    await expect
      .poll(async () => (await rig.runs(made.id)).filter(({ outcome }) => outcome === 'MISSED').length, {
        timeout: 60_000,
      })
      .toBe(100);
    expect((await rig.runs(made.id)).find(({ reason }) => reason?.includes('so were all until'))).toBeDefined();
  });
});

it('takes a clock that is set back for what it is', async () => {
  const made = await rig.create({ cron: '*/5 * * * *', catchUpSeconds: 60 });
  await passTo(5, made.id, ['STARTED']);
  // Somebody sets the clock on by a day, and then right again.
  rig.clock.set(24 * 60 * MINUTE);
  await expect.poll(async () => (await rig.schedules.get(made.id)).nextAt).toBe(at(24 * 60 + 10));
  rig.clock.set(-24 * 60 * MINUTE);
  await expect.poll(async () => (await rig.schedules.get(made.id)).nextAt).toBe(at(10));
  rig.clock.advance(5 * MINUTE);
  await expect.poll(async () => (await rig.jobsOf(made.id)).map(({ trigger }) => trigger.dueAt)).toContain(at(10));
  const dues = (await rig.jobsOf(made.id)).map(({ trigger }) => trigger.dueAt);
  expect(new Set(dues).size).toBe(dues.length);
});

describe('a backfill', () => {
  it('starts the due times of the past that have no job', async () => {
    const made = await rig.create({ cron: '*/5 * * * *' });
    await passTo(5, made.id, ['STARTED']);
    rig.clock.advance(MINUTE);
    const range = { from: at(-10), to: at(6), perMinute: 60_000 };
    expect(await rig.schedules.backfillCount(made.id, range)).toBe(3);
    const { operationId, count } = await rig.schedules.backfill(made.id, range, BOSS);
    expect(count).toBe(3);
    await expect
      .poll(() => rig.jobs.operations.get(operationId))
      .toMatchObject({ kind: 'backfill', status: 'DONE', total: 3, done: 3, failed: 0 });
    expect((await rig.runs(made.id)).map(({ dueAt, kind }) => [dueAt, kind])).toEqual([
      [at(-10), 'backfill'],
      [at(-5), 'backfill'],
      [at(0), 'backfill'],
      [at(5), 'schedule'],
    ]);
    expect((await rig.jobs.operations.results(operationId, { page: 0, size: 9 })).items).toHaveLength(3);
    expect(await rig.schedules.backfillCount(made.id, range)).toBe(0);
  });

  it('counts intervals from their start, and ignores only that none is due before it', async () => {
    const made = await rig.create({ everySeconds: 600, startAt: at(2.5) });
    await passTo(2.5, made.id, ['STARTED']);
    rig.clock.advance(MINUTE);
    const range = { from: at(-20), to: at(3), perMinute: 60_000 };
    expect(await rig.schedules.backfillCount(made.id, range)).toBe(2);
    await rig.schedules.backfill(made.id, range, BOSS);
    await decided(made.id, ['STARTED', 'STARTED', 'STARTED']);
    expect((await rig.runs(made.id)).map(({ dueAt }) => dueAt)).toEqual([at(-17.5), at(-7.5), at(2.5)]);
  });

  it('ends with its schedule, or once its workflow is archived, and says why', async () => {
    for (const [reason, stop] of [
      ['the schedule was deleted', (id: string) => rig.schedules.remove(id, BOSS)],
      [
        `workflow ${flow.workflowId} was archived or deleted`,
        async () => void (rig.published.endpoint = { found: 'workflow-unknown' }),
      ],
    ] as const) {
      const made = await rig.create({ everySeconds: 60 });
      const { operationId } = await rig.schedules.backfill(made.id, { from: at(-60), to: at(0), perMinute: 1 }, BOSS);
      await expect.poll(() => rig.jobs.operations.get(operationId)).toMatchObject({ done: 1 });
      await stop(made.id);
      await expect
        .poll(() => rig.jobs.operations.get(operationId))
        .toMatchObject({ status: 'ABORTED', total: 60, done: 2, failed: 1, finishedAt: at(0) });
      expect((await rig.jobs.operations.results(operationId, { page: 0, size: 9 })).items).toMatchObject([
        { ok: true },
        { ok: false, code: 'ABORTED', message: reason },
      ]);
    }
  });

  it('ends where its operation is aborted, and refuses what is not past', async () => {
    const made = await rig.create({ everySeconds: 1 });
    const { operationId } = await rig.schedules.backfill(made.id, { from: at(-10), to: at(0), perMinute: 1 }, BOSS);
    await rig.jobs.operations.abort(operationId);
    await expect.poll(() => rig.jobs.operations.get(operationId)).toMatchObject({ status: 'ABORTED' });
    await expect(rig.schedules.backfillCount(made.id, { from: at(0), to: at(1) })).rejects.toMatchObject({
      errors: [{ pointer: '/to' }],
    });
    await expect(rig.schedules.backfillCount(made.id, { from: at(-1e6), to: at(0) })).rejects.toMatchObject({
      errors: [{ pointer: '/to' }],
    });
  });
});

it('is gone with its history once it is deleted; its jobs stay', async () => {
  const made = await rig.create({ everySeconds: 60 });
  await passTo(1, made.id, ['STARTED']);
  await rig.schedules.remove(made.id, BOSS);
  await expect(rig.schedules.get(made.id)).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
  expect(await rig.jobsOf(made.id)).toHaveLength(1);
});
