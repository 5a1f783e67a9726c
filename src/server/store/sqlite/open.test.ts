import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import type { Store, WriteHandle } from '../port.ts';
import { migrations } from './migrate.ts';
import { openSqlite } from './open.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

let file: string;
let store: Store;
beforeEach(async () => {
  file = join(temporaryFolder('ym-store'), 'yardmaster.db');
  store = openSqlite({ file, durability: 'normal' });
  await store.write((db) =>
    db.statement('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT').run(),
  );
});
afterEach(() => store.close());

const add = (text: string | null) => (db: WriteHandle) => db.statement('INSERT INTO note (text) VALUES (?)').run(text);
const texts = () =>
  store.read
    .query<{ text: string }>('SELECT text FROM note ORDER BY id')
    .all()
    .map((row) => row.text);

describe('group commit', () => {
  it('resolves after the commit: the reader sees what was written', async () => {
    await store.write(add('a'));
    expect(texts()).toEqual(['a']);
  });

  it('keeps the order of one turn, in one transaction', async () => {
    const versions = await Promise.all(
      ['a', 'b', 'c'].map((text) =>
        store.write((db) => {
          add(text)(db);
          return texts().length;
        }),
      ),
    );
    expect(texts()).toEqual(['a', 'b', 'c']);
    // None of the three was committed while they ran.
    expect(versions).toEqual([0, 0, 0]);
  });

  it('a command that fails takes none of the others with it', async () => {
    const results = await Promise.allSettled([store.write(add('a')), store.write(add(null)), store.write(add('c'))]);
    expect(results.map((r) => r.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(texts()).toEqual(['a', 'c']);
  });

  it('writes nothing of a command that throws after writing', async () => {
    await expect(
      store.write((db) => {
        add('half')(db);
        throw new Fault('STORE_FULL', 'no');
      }),
    ).rejects.toThrow('no');
    expect(texts()).toEqual([]);
  });

  it('finishes what was handed in before close, and refuses what comes later', async () => {
    const last = store.write(add('last'));
    const other = openSqlite({ file: join(temporaryFolder('ym-store'), 'x.db'), durability: 'full' });
    await other.close();
    await expect(other.write(() => 1)).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
    expect(await last).toBe(1);
  });
});

describe('checkpoints', () => {
  it('keep the log short while the writer is busy, and lose nothing', async () => {
    await store.close();
    store = openSqlite({ file, durability: 'normal', logPages: 1024 });
    const text = 'x'.repeat(3000);
    let written = 0;
    let longest = 0;
    // A log that is never started anew holds all that was written, and this never ends.
    while (longest < 4 * 1024 * 1024 || written * text.length < 2 * longest) {
      await Promise.all(Array.from({ length: 64 }, () => store.write(add(text))));
      written += 64;
      longest = Math.max(longest, statSync(`${file}-wal`).size);
    }
    expect(store.read.query<{ n: number }>('SELECT count(*) AS n FROM note').get()?.n).toBe(written);
  });
});

describe('opening', () => {
  it('keeps what was written, and is at the newest schema', async () => {
    await store.write(add('kept'));
    await store.close();
    store = openSqlite({ file, durability: 'full' });
    expect(texts()).toEqual(['kept']);
    expect(store.read.query<{ user_version: number }>('PRAGMA user_version').get()?.user_version).toBe(
      migrations.at(-1)?.number,
    );
  });

  it('numbers each of its migrations once, in their order', () => {
    const numbers = migrations.map((m) => m.number);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });

  it('refuses a schema of a newer version', async () => {
    await store.close();
    const db = new Database(file);
    db.pragma('user_version = 9999');
    db.close();
    expect(() => openSqlite({ file, durability: 'normal' })).toThrow('has schema 9999');
    store = openSqlite({ file: `${file}.other`, durability: 'normal' });
  });

  it('takes a copy before it migrates a database that holds something, and keeps two', async () => {
    await store.close();
    const db = new Database(`${file}.old`);
    db.exec(migrations[0]?.sql ?? '');
    db.pragma('user_version = 1');
    db.close();
    for (const time of [1, 2, 3]) writeFileSync(`${file}.old.before-1-${time}`, 'older');
    store = openSqlite({ file: `${file}.old`, durability: 'normal' });
    const copies = readdirSync(join(file, '..')).filter((name) => name.includes('.before-'));
    expect(copies).toEqual([
      expect.stringMatching(/before-1-3$/),
      expect.stringMatching(new RegExp(`before-${migrations.at(-1)?.number}-`)),
    ]);
  });

  it('says what to do about a file that is no database', () => {
    const bad = `${file}.bad`;
    writeFileSync(bad, 'not a database, but long enough to be read as a header of one'.repeat(50));
    expect(() => openSqlite({ file: bad, durability: 'normal' })).toThrow('restore a backup');
  });

  it('gives the space of what was deleted back to the disk, also in a file of an older version', async () => {
    const old = `${file}.old`;
    const db = new Database(old);
    for (const { sql } of migrations) db.exec(sql);
    db.pragma(`user_version = ${migrations.at(-1)?.number}`);
    db.close();
    for (const name of [file, old]) {
      await store.close();
      store = openSqlite({ file: name, durability: 'normal' });
      await store.write((db) =>
        db.statement('CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT').run(),
      );
      await store.write((db) => {
        for (let i = 0; i < 1000; i++) add('x'.repeat(3000))(db);
      });
      const { pages } = store.space();
      await store.write((db) => db.statement('DELETE FROM note').run());
      expect(store.space().free).toBeGreaterThan(700);
      await store.shrink(500);
      expect(pages - store.space().pages).toBeGreaterThanOrEqual(500);
    }
  });
});
