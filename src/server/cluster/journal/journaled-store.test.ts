import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import Database from 'better-sqlite3';
import type { Store } from '../../store/port.ts';
import { putSnapshot } from '../put-snapshot.ts';
import { copyBeside } from '../replica/copy-beside.ts';
import { startJournal, type JournalRig } from '../testing.fixture.ts';

let rig: JournalRig;
beforeEach(async () => {
  rig = await startJournal();
});
afterEach(() => rig.close());

const put = (store: Store, key: string, value: string) =>
  store.write((db) =>
    db.statement('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)').run(key, JSON.stringify(value)),
  );
/** All that a file holds, but for where it stands in the journal. */
function contentOf(file: string) {
  const db = new Database(file, { readonly: true });
  const tables = db
    .prepare<[], { name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'journal_position' ORDER BY name",
    )
    .all();
  const content = tables.map(({ name }) => [
    name,
    db
      .prepare(`SELECT * FROM "${name}"`)
      .raw()
      .all()
      .map((row) => JSON.stringify(row))
      .toSorted(),
  ]);
  db.close();
  return content;
}

it('keeps every turn in the journal before its writer is told, so that another master has all of it', async () => {
  const [first, second] = [rig.file(), rig.file()];
  const owner = await rig.own('a', first);
  const standby = await rig.follow(second);
  for (let i = 0; i < 50; i++) await put(owner.store, `k${i}`, 'ä'.repeat(i));
  await Promise.all(Array.from({ length: 200 }, (_, i) => put(owner.store, `p${i}`, String(i))));
  await standby.catchUp();
  expect(standby.position?.turn).toBeGreaterThan(50);
  await standby.close();
  await owner.close();
  expect(contentOf(second)).toEqual(contentOf(first));
});

it('lets nobody append who is not the owner any more, and tells those who waited that it is not known', async () => {
  const [first, second] = [rig.file(), rig.file()];
  const old = await rig.own('a', first);
  await put(old.store, 'kept', '1');
  const database = rig.connect();
  // A renewal that comes between looking and taking over makes the look worthless.
  await vi.waitUntil(async () => (await database.takeOver('c', 'http://c', await database.look(), 'start')) !== null, {
    timeout: 60_000,
  });
  // It cannot know yet: this gets into its own file.
  await expect(put(old.store, 'late', '1')).rejects.toMatchObject({ code: 'NO_OWNER' });
  expect(old.isDeposed()).toBe(true);
  await expect(put(old.store, 'later', '1')).rejects.toMatchObject({ code: 'NO_OWNER' });
  await expect(old.store.durable()).rejects.toMatchObject({ code: 'NO_OWNER' });
  const next = await rig.own('b', second);
  // What it wrote by itself is thrown away when it comes back.
  await old.close();
  await put(next.store, 'newer', '2');
  const back = await rig.follow(first);
  await back.close();
  await next.close();
  expect(rig.log.join()).toContain('which the journal does not have');
  expect(contentOf(first)).toEqual(contentOf(second));
});

it('goes on from snapshot and journal on an empty disk, also when the journal was trimmed', async () => {
  const first = rig.file();
  const owner = await rig.own('a', first);
  await put(owner.store, 'one', '1');
  const standby = await rig.follow(rig.file());
  const database = rig.connect();
  await standby.takeSnapshot('b');
  await put(owner.store, 'two', '2');
  await database.trim(1);
  expect(await database.entryWith(1)).toBeNull();
  const third = rig.file();
  const restored = await rig.follow(third);
  await restored.close();
  await owner.close();
  expect(rig.log.join()).toContain('from the snapshot at turn');
  expect(contentOf(third)).toEqual(contentOf(first));
});

it('takes a snapshot of an owner that writes on, which holds nothing that the journal lacks', async () => {
  const file = rig.file();
  const owner = await rig.own('a', file);
  for (let i = 0; i < 50; i++) await put(owner.store, `k${i}`, 'x'.repeat(5000));
  const database = rig.connect();
  const copies = copyBeside(file);
  const appended = () =>
    new Promise<void>((resolve, reject) => owner.appender.settled((error) => (error ? reject(error) : resolve())));
  let writing = true;
  const writes = (async () => {
    for (let i = 0; writing; i++) await put(owner.store, 'more', String(i));
  })();
  await putSnapshot(database, 'a', copies, appended);
  await copies.close();
  writing = false;
  await writes;
  await database.trim(1);
  const restored = rig.file();
  const replica = await rig.follow(restored);
  expect(replica.position?.turn).toBe(owner.appender.appended);
  await replica.close();
  await owner.close();
  expect(rig.log.join()).toContain('from the snapshot at turn');
  expect(contentOf(restored)).toEqual(contentOf(file));
});

it('takes no working copy for complete whose turns were dropped behind a snapshot of another', async () => {
  const owner = await rig.own('a', rig.file());
  await put(owner.store, 'one', '1');
  const late = rig.file();
  const [behind, quick] = [await rig.follow(late), await rig.follow(rig.file())];
  await put(owner.store, 'two', '2');
  await quick.catchUp();
  await quick.takeSnapshot('b');
  const database = rig.connect();
  await database.trim(1);
  // Nothing follows on what it has; yet that is not all.
  expect(await database.entriesAfter(behind.position!.turn, 1000)).toEqual([]);
  await expect(behind.catchUp()).rejects.toThrow('cut off behind a snapshot');
  await behind.close();
  const rebuilt = await rig.follow(late);
  expect(rebuilt.position?.turn).toBe(owner.appender.appended);
});

it('finds a working copy that differs from the owner, says so, and rebuilds it', async () => {
  const [first, second] = [rig.file(), rig.file()];
  const owner = await rig.own('a', first);
  for (let i = 0; i < 10; i++) await put(owner.store, `k${i}`, '1');
  await (await rig.follow(second)).close();
  const file = new Database(second);
  file.exec(`UPDATE setting SET value = '"other"' WHERE name = 'k3'`);
  file.close();
  const standby = await rig.follow(second);
  // Parts of some tables are compared every 16 turns here: one time around all of them.
  for (let i = 0; i < 16 * 12; i++) await put(owner.store, 'n', String(i));
  await expect(standby.catchUp()).rejects.toThrow(/differs from the owner's at turn \d+: rows of the table setting/);
  await standby.close();
  const again = await rig.follow(second);
  expect(rig.log.join()).toContain("differs from the owner's at turn");
  await again.close();
  await owner.close();
  expect(contentOf(second)).toEqual(contentOf(first));
});
