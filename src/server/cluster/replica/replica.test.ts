import { existsSync } from 'node:fs';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorCode } from '../../../lib/errors.ts';
import { query } from '../../testing/postgres.fixture.ts';
import { startJournal, type JournalRig, type OwnedStore } from '../testing.fixture.ts';

let rig: JournalRig;
let owner: OwnedStore;
beforeEach(async () => {
  rig = await startJournal();
  owner = await rig.own('a', rig.file());
});
afterEach(() => rig.close());

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
const put = (name: string, value: string) =>
  sure(() =>
    owner.store.write((db) => void db.statement('INSERT OR REPLACE INTO setting VALUES (?, ?)').run(name, value)),
  );
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

it('runs no statement that is not the one that the owner named', async () => {
  await put('one', 'right');
  await sure(() => owner.store.durable());
  const planted = rig.file();
  await query(
    rig.url,
    `UPDATE yardmaster.journal_statement SET text = 'ATTACH DATABASE ''${planted}'' AS planted' WHERE text LIKE '%INTO setting%'`,
  );
  await expect(rig.follow(rig.file())).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
  expect(existsSync(planted)).toBe(false);
});

it('does not read for ever what an entry is said to hold, and does not', async () => {
  await put('one', 'right');
  await sure(() => owner.store.durable());
  await query(
    rig.url,
    'UPDATE yardmaster.journal_entry SET last = last + 5 WHERE first = (SELECT max(first) FROM yardmaster.journal_entry)',
  );
  await expect(rig.follow(rig.file())).rejects.toThrow('none of the turns that they are said to hold');
});

describe('a snapshot that is damaged', () => {
  const snapshot = async (): Promise<void> => {
    const standby = await rig.follow(rig.file());
    await standby.takeSnapshot('b');
    await standby.close();
    await rig.connect().trim(2);
  };
  const ids = async () => (await rig.connect().snapshots()).map(({ id }) => id);
  /** One byte is another, as a disk may have it. */
  const damage = (id: number | undefined) =>
    query(
      rig.url,
      `UPDATE yardmaster.snapshot_chunk SET body = set_byte(body, length(body) / 2, 255 - get_byte(body, length(body) / 2)) WHERE snapshot = ${id} AND index = 0`,
    );

  it('gives way to the one before it, and to the journal since then', async () => {
    await put('one', 'first');
    await snapshot();
    await put('one', 'second');
    await snapshot();
    await put('other', 'behind both');
    const [newest, older] = await ids();
    await damage(newest);
    const file = rig.file();
    await (await rig.follow(file)).close();
    expect(valueIn(file)).toBe('second');
    expect(rig.log.join('\n')).toMatch(
      new RegExp(`the snapshot ${newest} at turn \\d+ cannot be restored .*; going on with the snapshot ${older} at`),
    );
  });

  it('is not unpacked to more than a part of a snapshot has', async () => {
    await put('one', 'first');
    await snapshot();
    const [id] = await ids();
    const bomb = zstdCompressSync(Buffer.alloc(64 * 1024 * 1024)).toString('hex');
    await query(rig.url, `UPDATE yardmaster.snapshot_chunk SET body = '\\x${bomb}' WHERE snapshot = ${id}`);
    await (await rig.follow(rig.file())).close();
    expect(rig.log.join('\n')).toMatch(/cannot be restored \(.*larger than/);
  });

  it('gives way to the journal alone while it is the only one: nothing was trimmed yet', async () => {
    await put('one', 'first');
    await snapshot();
    await put('other', 'behind it');
    await damage((await ids())[0]);
    const file = rig.file();
    await (await rig.follow(file)).close();
    expect(valueIn(file)).toBe('first');
    expect(rig.log.join('\n')).toContain('going on with no snapshot and the journal');
  });

  it('and all others with it: says which, and begins with nothing less than all', async () => {
    for (const value of ['first', 'second', 'third']) {
      await put('one', value);
      await snapshot();
    }
    const both = await ids();
    expect(both).toHaveLength(2);
    for (const id of both) await damage(id);
    await expect(rig.follow(rig.file())).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringMatching(
        new RegExp(
          `the snapshot ${both[0]} at turn \\d+ cannot be restored .*; the snapshot ${both[1]} at turn \\d+ cannot be restored .*; the journal does not reach back to its beginning`,
        ),
      ),
    });
  });

  it('is passed over where the journal was cut off behind an older one', async () => {
    await put('one', 'first');
    await snapshot();
    await put('one', 'second');
    await snapshot();
    const [newest, older] = await ids();
    await query(
      rig.url,
      `DELETE FROM yardmaster.journal_entry WHERE last <= (SELECT turn FROM yardmaster.snapshot WHERE id = ${newest})`,
    );
    await damage(newest);
    await expect(rig.follow(rig.file())).rejects.toThrow(
      new RegExp(
        `snapshot ${newest} at turn \\d+ cannot be restored .*; the journal does not reach back to the snapshot ${older} at`,
      ),
    );
  });
});
