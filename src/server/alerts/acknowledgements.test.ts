import { describe, expect, it } from 'vitest';
import type { Actor } from '../workflows/port.ts';
import { openAlertRig, type AlertRig } from '../testing/alert-rules.fixture.ts';
import { admin, alertRigs, quick } from '../testing/alerts.fixture.ts';
import { isWorse } from './acknowledgement.ts';

const { wired, closes, receiver } = alertRigs();
const ann: Actor = { name: 'ann', role: 'operator', address: null };
const policy = { repeatIntervalSeconds: 60 };
const one = (rig: AlertRig) => rig.alerts.list({ page: 0, size: 5 }).items[0];
const idOf = (rig: AlertRig) => one(rig)?.id ?? '';
async function pass(rig: AlertRig, seconds: number): Promise<void> {
  for (let s = 0; s < seconds; s += 10) await rig.run(10);
}

describe('an alert that was acknowledged', () => {
  it('says who looks after it, is not repeated, and is told to have ended', async () => {
    const { rig, at, told, hook } = await wired({ policy });
    at(['a', 9]);
    await rig.run();
    const alert = await rig.alerts.acknowledge(idOf(rig), 'the disk is being changed', ann);
    expect(alert.acknowledged).toEqual({
      at: '2026-01-01T00:00:00.000Z',
      by: 'ann',
      note: 'the disk is being changed',
    });
    expect(one(rig)).toEqual(alert);
    await pass(rig, 300);
    expect(told()).toEqual(['firing a:firing']);
    // Another one fires: the message that tells of it says who looks after the first.
    at(['a', 9], ['b', 9]);
    await pass(rig, 20);
    expect(told()).toEqual(['firing a:firing', 'firing a:firing b:firing']);
    expect(hook.received[1]?.body['message']).toContain(
      'acknowledged by ann, 2026-01-01T00:00:00.000Z: the disk is being changed',
    );
    at();
    await pass(rig, 30);
    expect(told().at(-1)).toBe('resolved a:resolved b:resolved');
    // It fires again: nobody looks after that one.
    at(['a', 9]);
    await pass(rig, 20);
    expect(one(rig)?.acknowledged).toBeNull();
    await pass(rig, 60);
    expect(told().slice(-2)).toEqual(['firing a:firing', 'firing a:firing']);
  });

  it('stops a pager at once, and only a pager is told', async () => {
    const { rig, at, told, hook } = await wired({ policy });
    const pager = await receiver();
    const { id: page } = await rig.alerts.channels.create(
      { name: 'Page', kind: 'pagerduty', settings: { url: pager.url }, secrets: { routingKey: 'k' } },
      admin,
    );
    const channels = [page, ...rig.alerts.channels.list({ page: 0, size: 10 }).items.map(({ id }) => id)];
    await rig.alerts.policy.put(
      { ...quick, groupIntervalSeconds: 60, ...policy, channels: [...new Set(channels)] },
      admin,
    );
    const actions = () => pager.received.map(({ body }) => body['event_action']);
    at(['a', 9], ['b', 9]);
    await rig.run();
    expect(actions()).toEqual(['trigger']);
    const ids = rig.alerts.list({ page: 0, size: 5 }).items.map(({ id }) => id);
    // One of two: somebody else is still needed.
    await rig.alerts.acknowledge(ids[0] ?? '', 'looking', ann);
    await rig.run(10);
    expect(actions()).toEqual(['trigger']);
    await rig.alerts.acknowledge(ids[1] ?? '', 'looking', ann);
    await rig.run(10);
    expect(actions()).toEqual(['trigger', 'acknowledge']);
    expect(pager.received[1]?.body['dedup_key']).toBe(pager.received[0]?.body['dedup_key']);
    await pass(rig, 40);
    expect(actions()).toEqual(['trigger', 'acknowledge']);
    expect(told()).toHaveLength(1);
    expect(hook.received).toHaveLength(1);
    at();
    await pass(rig, 200);
    expect(actions().at(-1)).toBe('resolve');
  });

  it('is told at once where it gets worse, and from then on repeated', async () => {
    const { rig, at, told, hook } = await wired({ policy });
    at(['a', 9]);
    await rig.run();
    await rig.alerts.acknowledge(idOf(rig), '', ann);
    at(['a', 13]);
    await pass(rig, 100);
    expect(told()).toHaveLength(1);
    at(['a', 13.5]);
    await pass(rig, 20);
    expect(told()).toHaveLength(2);
    expect(hook.received[1]?.body['message']).toContain('worse than at the acknowledgement by ann');
    expect(one(rig)?.acknowledged).toBeNull();
    await pass(rig, 60);
    expect(told()).toHaveLength(3);
    // Taken on anew, at what it is now.
    await rig.alerts.acknowledge(idOf(rig), '', ann);
    await pass(rig, 120);
    expect(told()).toHaveLength(3);
  });

  it('is repeated again where that is taken back; both are audited', async () => {
    const { rig, at, told } = await wired({ policy });
    at(['a', 9]);
    await rig.run();
    const id = idOf(rig);
    await rig.alerts.acknowledge(id, 'mine', ann);
    await pass(rig, 120);
    expect(await rig.alerts.withdraw(id, admin)).toMatchObject({ id, acknowledged: null });
    await pass(rig, 10);
    expect(told()).toEqual(['firing a:firing', 'firing a:firing']);
    const audited = rig.store.read
      .query<{ action: string; target: string; actor: string }>(
        "SELECT action, target, actor FROM audit WHERE target LIKE 'alert:%' ORDER BY id",
      )
      .all();
    expect(audited).toEqual([
      { action: 'alert.acknowledge', target: `alert:${id}`, actor: 'ann' },
      { action: 'alert.withdraw', target: `alert:${id}`, actor: 'ada' },
    ]);
  });

  it('stays so when the master is killed and started again', async () => {
    const { rig, at, told } = await wired({ policy });
    at(['a', 9]);
    await rig.run();
    const acknowledged = (await rig.alerts.acknowledge(idOf(rig), 'mine', ann)).acknowledged;
    const { series } = rig.world;
    const left = rig.crash();
    closes.splice(0, 1);
    const next = await openAlertRig({ folder: await left, clock: rig.clock });
    closes.unshift(() => next.close());
    next.world.series = series;
    await pass(next, 120);
    expect(one(next)?.acknowledged).toEqual(acknowledged);
    expect(told()).toEqual(['firing a:firing']);
    next.world.series = [];
    await pass(next, 30);
    expect(next.store.read.query('SELECT * FROM alert_ack').all()).toEqual([]);
  });

  it('has to fire', async () => {
    const { rig, at } = await wired({ rule: { forSeconds: 60 } });
    at(['a', 9]);
    await rig.run();
    await expect(rig.alerts.acknowledge(idOf(rig), '', ann)).rejects.toMatchObject({ code: 'ALERT_NOT_FIRING' });
    await expect(rig.alerts.acknowledge('none:0', '', ann)).rejects.toMatchObject({ code: 'ALERT_NOT_FOUND' });
    await expect(rig.alerts.withdraw('none', ann)).rejects.toMatchObject({ code: 'ALERT_NOT_FOUND' });
  });
});

it.each([
  ['gt', 5, undefined, 9, 13, false],
  ['gt', 5, undefined, 9, 13.1, true],
  ['ge', 1, undefined, 1, 2, true],
  ['lt', 10, undefined, 8, 6, false],
  ['le', 10, undefined, 8, 5, true],
  ['outside', 2, 4, 1, -1, true],
  ['outside', 2, 4, 5, 6, false],
  ['within', 2, 4, 3, 2, false],
  ['gt', 5, undefined, null, 99, false],
] as const)('%s %d %s: from %s to %s is worse: %s', (op, value, upper, then, now, worse) => {
  expect(isWorse({ op, value, ...(upper === undefined ? {} : { upper }) }, then, now)).toBe(worse);
});
