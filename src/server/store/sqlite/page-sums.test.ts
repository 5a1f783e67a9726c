import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import type { FoundDamage } from '../../observability/port.ts';
import type { Store, WriteHandle } from '../port.ts';
import { checkPages } from './check-pages.ts';
import { sumOf } from '../whole.ts';
import { openSqlite } from './open.ts';
import { sumsFile } from './page-sums.ts';
import { repairPages } from './repair-pages.ts';
import { readWal } from './wal.ts';

let file: string;
let store: Store;
let told: FoundDamage[];
const open = (logPages?: number) => {
  told = [];
  store = openSqlite({
    file,
    durability: 'normal',
    report: (damage) => void told.push(damage),
    ...(logPages === undefined ? {} : { logPages }),
  });
};
beforeEach(async () => {
  file = join(temporaryFolder('ym-pages'), 'yardmaster.db');
  open();
  await store.write((db) => db.statement('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT) STRICT').run());
});
afterEach(() => store.close().catch(() => {}));

const add = (n: number) => (db: WriteHandle) => {
  for (let i = 0; i < n; i++) db.statement('INSERT INTO note (text) VALUES (?)').run(`note ${i} ${'x'.repeat(500)}`);
};
function flip(byte: number, bit = 0): void {
  const bytes = readFileSync(file);
  bytes[byte] = (bytes[byte] ?? 0) ^ (1 << bit);
  writeFileSync(file, bytes);
}
/** What a killed master leaves. */
function crash(): void {
  const folder = temporaryFolder('ym-pages');
  for (const suffix of ['', '-wal', '-shm', '-sums'])
    if (existsSync(file + suffix)) copyFileSync(file + suffix, join(folder, `yardmaster.db${suffix}`));
  file = join(folder, 'yardmaster.db');
}
const fast = () => ({ bytesPerSecond: 0, signal: new AbortController().signal });

it('tells of any flipped bit of a database that was closed, by page and table, and goes on', async () => {
  await store.write(add(200));
  await store.close();
  const whole = readFileSync(file);
  fc.assert(
    fc.property(fc.nat({ max: whole.length * 8 - 1 }), (bit) => {
      writeFileSync(file, whole);
      flip(bit >> 3, bit & 7);
      expect(checkPages(file, readWal(file))).toEqual([Math.floor((bit >> 3) / 4096) + 1]);
    }),
    { numRuns: 50 },
  );
  writeFileSync(file, whole);
  flip(whole.indexOf('note 7 x'), 1);
  open();
  expect(told).toMatchObject([
    {
      part: 'database',
      file: 'yardmaster.db',
      what: expect.stringMatching(/^page \d+ of note is not what was written/),
    },
  ]);
  expect((await store.verify(fast())).damages).toHaveLength(1);
});

it('knows the rows that may be wrong, but for a page whose damage is that of a text with a checksum', async () => {
  const insert =
    "INSERT INTO task (seq, id, job, node, type, replica, state, attempt, retry_count, ready_at, ready_deadline, input, input_sum, history) VALUES (?, ?, 1, 'node a', 'code', 0, 'COMPLETED', 1, 0, 1, 1, ?, ?, '')";
  await store.write((db) => {
    for (let n = 1; n <= 5; n++)
      db.statement(insert).run(n, `task ${n}`, `the text of ${n}`, sumOf(`the text of ${n}`));
  });
  await store.close();
  const whole = readFileSync(file);
  flip(whole.indexOf('node a'), 1);
  open();
  expect([store.isSuspect('task', 1), store.isSuspect('task', 6), store.isSuspect('job', 1)]).toEqual([
    true,
    false,
    false,
  ]);
  await store.close();
  writeFileSync(file, whole);
  rmSync(sumsFile(file));
  open();
  await store.verify(fast());
  await store.close();
  flip(readFileSync(file).indexOf('the text of 3'), 1);
  open();
  expect(told).toHaveLength(1);
  expect(store.isSuspect('task', 1)).toBe(false);
});

it('puts a flipped bit of a page right, and leaves a page with more', async () => {
  await store.write(add(50));
  await store.close();
  const whole = readFileSync(file);
  const at = whole.indexOf('note 7 x');
  flip(at, 3);
  const pages = checkPages(file, readWal(file)) ?? [];
  expect(repairPages(file, pages)).toEqual([]);
  expect(readFileSync(file).equals(whole)).toBe(true);
  flip(at, 3);
  flip(at + 100, 5);
  expect(repairPages(file, pages)).toEqual(pages);
});

describe('after the death of the process', () => {
  it('holds what checkpoints wrote against its sums, and leaves out what the log has', async () => {
    await store.close();
    open(256);
    // Far more than the log may hold: checkpoints are under way, and the last of them is anywhere.
    for (let round = 0; round < 40; round++) await store.write(add(100));
    await expect.poll(() => statSync(sumsFile(file)).size).toBeGreaterThan(32 + 8 * 200);
    for (let round = 0; round < 5; round++) {
      await store.write(add(100));
      crash();
      expect(checkPages(file, readWal(file))).toEqual([]);
      file = join(dirname(store.file), 'yardmaster.db');
    }
    crash();
    const held = readWal(file)?.pages ?? new Set<number>();
    const pages = Math.floor(statSync(file).size / 4096);
    const page = Array.from({ length: pages }, (_, i) => i + 1).find((n) => n > 100 && !held.has(n)) ?? 0;
    flip((page - 1) * 4096 + 2000);
    expect(checkPages(file, readWal(file))).toEqual([page]);
  });
});

it('believes no sums where somebody else has copied the log in, or replaced the file', async () => {
  await store.write(add(200));
  crash();
  await store.close();
  // Whoever closes it last copies the log in, and notes nothing.
  const db = new Database(file);
  db.prepare('SELECT count(*) FROM note').get();
  db.close();
  expect(checkPages(file, readWal(file))).toBeNull();

  open();
  await store.close();
  const other = join(temporaryFolder('ym-pages'), 'other.db');
  const replaced = new Database(other);
  replaced.exec('CREATE TABLE a (b TEXT)');
  for (let i = 0; i < 100; i++) replaced.prepare('INSERT INTO a VALUES (?)').run('y'.repeat(3000));
  replaced.close();
  open();
  await store.verify(fast());
  await store.close();
  copyFileSync(other, file);
  expect(checkPages(file, readWal(file))).toBeNull();
});

it('gives the pages of a database of an earlier version their sums when all is read', async () => {
  await store.write(add(200));
  await store.close();
  rmSync(sumsFile(file));
  open();
  expect((await store.verify(fast())).damages).toEqual([]);
  await store.close();
  flip(readFileSync(file).indexOf('note 7 x'));
  expect(checkPages(file, readWal(file))).toHaveLength(1);
});

it('takes damage of the sums themselves for pages that are not known', async () => {
  await store.write(add(50));
  await store.close();
  const sums = readFileSync(sumsFile(file));
  sums[32 + 8 * 5 + 1] = (sums[32 + 8 * 5 + 1] ?? 0) ^ 1;
  writeFileSync(sumsFile(file), sums);
  expect(checkPages(file, readWal(file))).toEqual([]);
});

it('knows nothing of a page that was cut off and came back', async () => {
  await store.write(add(500));
  await store.close();
  open();
  await store.write((db) => db.statement('DELETE FROM note').run());
  await store.shrink(1000);
  await store.close();
  open();
  await store.write(add(500));
  await store.close();
  expect(checkPages(file, readWal(file))).toEqual([]);
});
