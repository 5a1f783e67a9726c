import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startJournal, type JournalRig, type OwnedStore } from '../testing.fixture.ts';

let rig: JournalRig;
let owner: OwnedStore;
beforeEach(async () => {
  rig = await startJournal();
  owner = await rig.own('a', rig.file());
});
afterEach(() => rig.close());

const put = (name: string, value: string) =>
  owner.store.write((db) => void db.statement('INSERT OR REPLACE INTO setting VALUES (?, ?)').run(name, value));
const valueIn = (file: string): unknown => {
  const db = new Database(file, { readonly: true });
  const value = db.prepare("SELECT value FROM setting WHERE name = 'one'").pluck().get();
  db.close();
  return value;
};

it('finds that a copy was changed while nobody had it open, tells of it, and makes it anew', async () => {
  await put('one', 'right');
  const file = rig.file();
  await (await rig.follow(file)).close();
  const db = new Database(file);
  db.exec("UPDATE setting SET value = 'wrong'");
  db.close();
  // Parts of tables are compared every 16 turns here.
  for (let i = 0; i < 80; i++) await put('other', String(i));
  const replica = await rig.follow(file);
  await replica.close();
  expect(rig.log).toContain('diverged');
  expect(rig.log.join('\n')).toContain('rows of the table setting are others');
  expect(valueIn(file)).toBe('right');
});

it('tells nobody that a copy differs that is only behind', async () => {
  await put('one', 'right');
  const file = rig.file();
  await (await rig.follow(file)).close();
  for (let i = 0; i < 80; i++) await put('other', String(i));
  await (await rig.follow(file)).close();
  expect(rig.log).not.toContain('diverged');
});
