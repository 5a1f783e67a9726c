import { describe, expect, it } from 'vitest';
import type { AlertRig } from '../testing/alert-rules.fixture.ts';
import { admin, alertRigs, quick } from '../testing/alerts.fixture.ts';

/** What begins and ends by the hundred at once: neither the event loop nor a kill in the middle of it may suffer. */

const { killWhen, wired } = alertRigs();
const MANY = 300;
/** As many begin or end in one turn of the event loop. */
const SLICE = 50;
const all = (value: number, count = MANY) =>
  Array.from({ length: count }, (_, i) => ({ tags: { job: `j${i}` }, value }));

const rows = (rig: AlertRig) =>
  rig.store.read.query<{ n: number }>('SELECT count(*) AS n FROM alert_instance').get()?.n ?? 0;

/** The most instances that begin or end in one turn of the event loop while `run` goes on. */
async function mostInOneTurn(rig: AlertRig, run: () => Promise<unknown>): Promise<number> {
  let most = 0;
  let last = rows(rig);
  let going = true;
  const look = () => {
    const now = rows(rig);
    most = Math.max(most, Math.abs(now - last));
    last = now;
    if (going) setImmediate(look);
  };
  setImmediate(look);
  await run();
  going = false;
  await new Promise(setImmediate);
  return most;
}

it('leaves the event loop its turns where a thousand begin and end at once', async () => {
  const { rig, hook } = await wired();
  const turns: number[] = [];
  for (let round = 0; round < 6; round++) {
    rig.world.series = all(round % 2 === 0 ? 9 : 1, 1000);
    turns.push(await mostInOneTurn(rig, () => rig.run(10)));
  }
  await rig.run(10);
  expect(rig.alerts.stats()).toMatchObject({ firing: 0, pending: 0 });
  expect(hook.received.map(({ body }) => body['title'])).toEqual(
    Array.from({ length: 3 }, () => ['[FIRING:1000] Too many', '[RESOLVED:1000] Too many']).flat(),
  );
  expect(Math.max(...turns)).toBeLessThanOrEqual(SLICE);
});

describe('a master that is killed between two slices of an evaluation', () => {
  /** Once so many instances more or less are in the store. */
  async function killedAfter(rig: AlertRig, instances: number): Promise<AlertRig> {
    const before = rows(rig);
    const killed = killWhen(rig, () => Math.abs(rows(rig) - before) >= instances);
    rig.clock.advance(10_000);
    rig.step();
    return killed();
  }

  it.each([1, 100, 201])('pages nobody twice and loses nothing (%i of them in the store)', async (kept) => {
    const { rig, hook } = await wired();
    await rig.run();
    rig.world.series = all(9);
    let now = await killedAfter(rig, kept);
    expect(rows(now)).toBeGreaterThan(0);
    expect(rows(now)).toBeLessThan(MANY);
    for (let i = 0; i < 4; i++) await now.run(10);
    expect(rows(now)).toBe(MANY);
    now.world.series = all(1);
    now = await killedAfter(now, kept);
    expect(rows(now)).toBeGreaterThan(0);
    expect(rows(now)).toBeLessThan(MANY);
    for (let i = 0; i < 4; i++) await now.run(10);
    expect(rows(now)).toBe(0);
    expect(hook.received.map(({ body }) => body['title'])).toEqual([
      `[FIRING:${MANY}] Too many`,
      `[RESOLVED:${MANY}] Too many`,
    ]);
  });
});

it('keeps nothing of a rule that is paused or deleted while it is being saved', async () => {
  for (const end of ['pause', 'delete'] as const) {
    const { rig, id } = await wired({ policy: { ...quick, groupWaitSeconds: 30 } });
    await rig.run();
    rig.world.series = all(9);
    rig.clock.advance(10_000);
    rig.step();
    const { write } = rig.store;
    let writes = 0;
    let ended: Promise<unknown> = Promise.resolve();
    const meanwhile: typeof write = (...given) => {
      const written = write.apply(rig.store, given as never) as never;
      if (++writes === 2)
        ended =
          end === 'pause' ? rig.alerts.rules.update(id, { enabled: false }, admin) : rig.alerts.rules.remove(id, admin);
      return written;
    };
    Object.assign(rig.store, { write: meanwhile });
    await rig.settled();
    await ended;
    expect(rig.store.read.query<{ n: number }>('SELECT count(*) AS n FROM alert_instance').get()?.n).toBe(0);
    expect(rig.alerts.stats().firing).toBe(0);
  }
});
