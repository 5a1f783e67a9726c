import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { query } from '../../testing/postgres.fixture.ts';
import { CLAIM_MS, OWNER_MS, type ProjectionTables } from './projection-tables.ts';
import { startProjection, type ProjectionRig } from './testing.fixture.ts';

const SLOW = { interval: 20 };
let rig: ProjectionRig;
beforeEach(async () => {
  rig = await startProjection();
});
afterEach(() => rig.close());

const workflow = (id: string) =>
  rig.owner.store.write(
    (db) => void db.statement("INSERT INTO workflow (id, name, created_at, updated_at) VALUES (?, 'W', 1, 1)").run(id),
  );
const workflows = async () =>
  (await query<{ id: string }>(rig.rig.url, 'SELECT id FROM yardmaster_sql.yardmaster_workflow ORDER BY id')).map(
    ({ id }) => id,
  );
const holder = async () => (await rig.tables.status())?.holder;
/** As if so much time had passed since. */
const passes = (what: 'seen_at' | 'held_at', ms: number) =>
  query(rig.rig.url, `UPDATE yardmaster_sql.projection SET ${what} = ${what} - interval '${ms} ms'`);

/** A way to the tables that can be cut: as a master that died, which releases nothing and is not heard of again. */
function cuttable(real: ProjectionTables) {
  let isCut = false;
  const guarded = new Proxy(real, {
    get: (target, name: keyof ProjectionTables) =>
      isCut ? () => Promise.reject(new Error('the connection is gone')) : target[name],
  });
  return { tables: guarded, cut: () => void (isCut = true), mend: () => void (isCut = false) };
}

it('goes on at a standby where the master that wrote it dies, and the dead one writes nothing more', async () => {
  const way = cuttable(rig.connect());
  rig.project('dies', { reach: way.tables });
  await workflow('w1');
  await vi.waitUntil(async () => (await workflows().catch(() => [])).length === 1, SLOW);
  rig.project('follows');
  // While it lives nobody takes it from it.
  expect(await rig.tables.claim('other', 'standby')).toBeNull();
  expect(await holder()).toBe('dies');

  way.cut();
  await workflow('w2');
  await vi.waitUntil(
    () => rig.rig.log.some((line) => line.startsWith('dies: projection: the connection is gone')),
    SLOW,
  );
  await passes('seen_at', CLAIM_MS);
  await rig.settled();
  expect(await holder()).toBe('follows');
  expect(await workflows()).toEqual(['w1', 'w2']);

  // It comes back, as a machine that had only stood still.
  way.mend();
  await workflow('w3');
  await rig.settled();
  expect(await holder()).toBe('follows');
  expect(await workflows()).toEqual(['w1', 'w2', 'w3']);
});

it('is left to a standby by the owner, after a minute and not before, and stays there', async () => {
  rig.project('owner', { role: 'owner' });
  await workflow('w1');
  await vi.waitUntil(async () => (await workflows().catch(() => [])).length === 1, SLOW);
  await passes('held_at', OWNER_MS - 10_000);
  expect(await rig.tables.claim('early', 'standby')).toBeNull();
  expect(await rig.tables.claim('another owner', 'owner')).toBeNull();
  await passes('held_at', 10_000);
  rig.project('standby');
  await vi.waitUntil(async () => (await holder()) === 'standby', SLOW);
  await workflow('w2');
  await rig.settled();
  expect(await holder()).toBe('standby');
  expect(await workflows()).toEqual(['w1', 'w2']);
});
