import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { errorCode } from '../../lib/errors.ts';
import { createDamageRegistry } from '../observability/damage.ts';
import { query } from '../testing/postgres.fixture.ts';
import { putSnapshot } from './put-snapshot.ts';
import { copyBeside } from './replica/copy-beside.ts';
import { startJournal, type JournalRig, type OwnedStore } from './testing.fixture.ts';
import { watchJournal, type JournalWatch } from './watch-journal.ts';

let rig: JournalRig;
beforeEach(async () => {
  rig = await startJournal();
});
afterEach(() => rig.close());

/** An owner whose journal is looked at when the test says so. */
async function ownAndWatch(file = rig.file()) {
  let watch: JournalWatch | null = null;
  let refusals = 0;
  let minutes = 0;
  const database = rig.connect();
  const owner = await rig.own('a', file, database, {
    entryAppended: (entry) => watch?.note(entry),
    statementsNamed: (statements) => watch?.named(statements),
  });
  const damage = createDamageRegistry({ file: null, now: () => Date.now(), log: (line) => void rig.log.push(line) });
  watch = watchJournal({
    ...{ database, damage: () => damage, held: owner.position?.turn ?? 0 },
    time: { elapsed: () => minutes * 60_000, after: () => () => {} },
    appended: () => owner.appender.appended,
    async takeSnapshot() {
      if (refusals-- > 0) throw new Error('no room for a snapshot');
      const source = copyBeside(file);
      await putSnapshot(database, 'a', source, () => settled(owner));
      await source.close();
    },
    log: (line) => void rig.log.push(line),
    trouble: (line) => void rig.log.push(line),
  });
  return {
    ...{ owner, file, database, watch },
    damages: () => damage.list().map(({ part, what }) => `${part}: ${what}`),
    refuse: (times: number) => (refusals = times),
    passMinutes: (more: number) => (minutes += more),
  };
}
const settled = (owner: OwnedStore): Promise<void> =>
  sure(
    () =>
      new Promise<void>((resolve, reject) => owner.appender.settled((error) => (error ? reject(error) : resolve()))),
  );

/** On a busy machine the owner may fail to make sure of its lease for a moment: what is not known to be kept is repeated. */
async function sure(run: () => Promise<void>): Promise<void> {
  for (;;)
    try {
      return await run();
    } catch (error) {
      if (errorCode(error) !== 'NO_OWNER') throw error;
      await turnOfTheLoop();
    }
}
async function put({ owner }: { owner: OwnedStore }, from: number, count: number): Promise<void> {
  for (let i = from; i < from + count; i++)
    await sure(() =>
      owner.store.write((db) => void db.statement('INSERT OR REPLACE INTO setting VALUES (?, ?)').run(`k${i}`, 'x')),
    );
  await settled(owner);
}
const contentOf = (file: string): unknown[] => {
  const db = new Database(file, { readonly: true });
  const rows = db.prepare('SELECT * FROM setting ORDER BY name').all();
  db.close();
  return rows;
};
/** Entries in the middle, at the end, … of the journal. */
const firstOf = async (which: 'middle' | 'end'): Promise<string> => {
  const rows = await query<{ first: string }>(rig.url, 'SELECT first FROM yardmaster.journal_entry ORDER BY first');
  return rows[which === 'end' ? rows.length - 1 : Math.floor(rows.length / 2)]?.first ?? '';
};
/** A master with an empty folder comes to the same state. */
async function rebuildsTo(file: string): Promise<void> {
  const fresh = rig.file();
  await (await rig.follow(fresh)).close();
  expect(contentOf(fresh)).toEqual(contentOf(file));
}

it('finds nothing in a journal that is whole, also where it is trimmed meanwhile', async () => {
  const rigged = await ownAndWatch();
  await put(rigged, 0, 20);
  await rigged.watch.look();
  const standby = await rig.follow(rig.file());
  await standby.takeSnapshot('b');
  await put(rigged, 20, 20);
  await rigged.database.trim(1);
  await rigged.watch.look();
  await put(rigged, 40, 20);
  for (let i = 0; i < 5; i++) await rigged.watch.look();
  expect([rigged.damages(), await rigged.database.snapshots()]).toMatchObject([[], [{}]]);
});

it('finds that entries are missing, and takes a snapshot in their place at once', async () => {
  const rigged = await ownAndWatch();
  await put(rigged, 0, 20);
  const first = await firstOf('middle');
  await query(rig.url, `DELETE FROM yardmaster.journal_entry WHERE first = ${first}`);
  await expect(rig.follow(rig.file())).rejects.toThrow();
  await rigged.watch.look();
  expect(rigged.damages()).toEqual([
    expect.stringMatching(new RegExp(`^database: turns? ${first}.* missing.*schema yardmaster`)),
  ]);
  expect(rig.log.join('\n')).toMatch(/the snapshot at turn \d+ takes its place/);
  await put(rigged, 20, 5);
  await rebuildsTo(rigged.file);
  rigged.passMinutes(11);
  await rigged.watch.look();
  expect(rigged.damages()).toEqual([]);
  expect(await rigged.database.snapshots()).toHaveLength(1);
});

it('finds that the end is missing, which nothing behind it shows', async () => {
  const rigged = await ownAndWatch();
  await put(rigged, 0, 10);
  await query(rig.url, `DELETE FROM yardmaster.journal_entry WHERE first = ${await firstOf('end')}`);
  await rigged.watch.look();
  expect(rigged.damages()).toEqual([expect.stringContaining('missing')]);
  await put(rigged, 10, 5);
  await rebuildsTo(rigged.file);
});

it('finds an entry that is another one by now, although its own checksum fits', async () => {
  const rigged = await ownAndWatch();
  await put(rigged, 0, 20);
  await rigged.watch.look();
  expect(rigged.damages()).toEqual([]);
  await query(
    rig.url,
    `UPDATE yardmaster.journal_entry SET body = (SELECT body FROM yardmaster.journal_entry WHERE first = ${await firstOf('end')}) WHERE first = ${await firstOf('middle')}`,
  );
  await rigged.watch.look();
  expect(rigged.damages()).toEqual([expect.stringContaining('no longer what was appended')]);
  await put(rigged, 20, 5);
  await rebuildsTo(rigged.file);
});

it('finds what was damaged before this master owned the state, and reads on behind it', async () => {
  const rigged = await ownAndWatch();
  await put(rigged, 0, 20);
  await rigged.owner.close();
  const first = await firstOf('middle');
  await query(
    rig.url,
    `UPDATE yardmaster.journal_entry SET body = set_byte(body, length(body) - 1, 255 - get_byte(body, length(body) - 1)) WHERE first = ${first}`,
  );
  const next = await ownAndWatch(rigged.file);
  await put(next, 20, 5);
  await next.watch.look();
  expect(next.damages()).toEqual([expect.stringMatching(new RegExp(`turns? ${first}.* damaged`))]);
  await rebuildsTo(next.file);
});

it('tries again where the snapshot fails, and says what is damaged meanwhile', async () => {
  const rigged = await ownAndWatch();
  await put(rigged, 0, 10);
  await query(rig.url, `DELETE FROM yardmaster.journal_entry WHERE first = ${await firstOf('middle')}`);
  rigged.refuse(1);
  await expect(rigged.watch.look()).rejects.toThrow('no room');
  expect(rigged.damages()).toHaveLength(1);
  await rigged.watch.look();
  expect(await rigged.database.snapshots()).toHaveLength(1);
  await rebuildsTo(rigged.file);
});

it('puts right what the journal calls statements', async () => {
  const rigged = await ownAndWatch();
  await put(rigged, 0, 5);
  await query(
    rig.url,
    "UPDATE yardmaster.journal_statement SET text = 'DELETE FROM setting' WHERE text LIKE '%INTO setting%'",
  );
  await expect(rig.follow(rig.file())).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
  await rigged.watch.look();
  expect(rigged.damages()).toEqual([expect.stringContaining('1 statements of the journal were missing or others')]);
  await put(rigged, 5, 5);
  await rebuildsTo(rigged.file);
  rigged.passMinutes(11);
  await rigged.watch.look();
  expect(rigged.damages()).toEqual([]);
});
