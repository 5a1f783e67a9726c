import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { batch, emptyFolder, recordsIn, settle, writerOf } from '../store.fixture.ts';
import type { StoreDamage } from '../port.ts';
import { createFiles } from './files.ts';
import { logFiles, USE } from './schema.ts';

const START = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
/** Of so few days that each has a file of its own. */
const RETENTION_DAYS = 30;

/** A store with a file of each of so many days, the blocks of each as a batch left them. */
function filled(days: number): string {
  const folder = emptyFolder();
  let now = START;
  const writer = writerOf(folder, { now: () => now, retentionDays: RETENTION_DAYS });
  for (let day = 0; day < days; day++, now += DAY_MS) {
    const lines = Array.from({ length: 2000 }, (_, n) => ({
      _time: new Date(now + n).toISOString(),
      _msg: `line ${n} of day ${day} ${'x'.repeat(200)}`,
      n: day * 2000 + n,
    }));
    writer.insert([batch(lines)]);
  }
  writer.close();
  expect(logFiles(folder)).toHaveLength(days);
  return folder;
}

const filesOf = (folder: string, report?: (damage: StoreDamage) => void) =>
  createFiles(
    {
      folder,
      storeBytes: 1e9,
      retentionDays: RETENTION_DAYS,
      durable: false,
      now: () => START + 10 * DAY_MS,
      log: () => {},
      ...(report ? { report } : {}),
    },
    () => {},
  );

it('opens a few files at a time after a start, the newest first, however many there are', () => {
  const folder = filled(9);
  const files = filesOf(folder);
  const seen: string[] = [];
  for (let others = files.open().slice(1); others.length > 0; others = files.open().slice(1)) {
    expect(others.length).toBeLessThanOrEqual(4);
    const [first] = others;
    if (!first) break;
    seen.push(first.name);
    files.settled(first);
  }
  expect(seen).toEqual(logFiles(folder).slice(0, -1).reverse());
  expect(files.stats()).toMatchObject({ rows: 9 * 2000 });
  files.close();
});

it('opens the next file in the place of one that is removed, and removes one that waits', () => {
  const folder = filled(9);
  const files = filesOf(folder);
  const names = logFiles(folder);
  files.remove(names[0] ?? '');
  files.remove(names[7] ?? '');
  expect(files.open().map(({ name }) => name)).toEqual([8, 6, 5, 4, 3].map((n) => names[n]));
  expect(files.old().map(({ name }) => name)).toEqual([1, 2, 3, 4, 5, 6].map((n) => names[n]));
  expect(logFiles(folder)).toEqual([1, 2, 3, 4, 5, 6, 8].map((n) => names[n]));
  files.close();
});

it('writes the blocks of all files anew, those of files that wait as well', () => {
  const folder = filled(9);
  let now = START + 10 * DAY_MS;
  const writer = writerOf(folder, { now: () => now, retentionDays: RETENTION_DAYS });
  // No more than one a second.
  for (let i = 0; i < 100; i++, now += 1100) settle(writer);
  writer.close();
  for (const name of logFiles(folder).slice(0, -1)) {
    const db = new Database(join(folder, name), { readonly: true });
    expect(db.prepare('SELECT DISTINCT hot FROM blk WHERE dead IS NULL').pluck().all()).toEqual([USE.whole]);
    db.close();
  }
  const { records, damages } = recordsIn(folder);
  expect(damages).toEqual([]);
  expect(records.map(({ n }) => n)).toEqual(Array.from({ length: 9 * 2000 }, (_, n) => n));
});

it('tells once what a file lacks, and opens another in the place of one that cannot be opened any more', () => {
  const folder = filled(9);
  const [oldest = '', second = '', third = ''] = logFiles(folder);
  const db = new Database(join(folder, oldest));
  db.exec('DELETE FROM blk WHERE id = (SELECT min(id) FROM blk)');
  db.close();
  const reported: string[] = [];
  const files = filesOf(folder, ({ file }) => reported.push(file));
  const before = [...reported];
  expect(before.length).toBeGreaterThan(0);
  writeFileSync(join(folder, third), 'no database');
  for (let others = files.open().slice(1); others.length > 0; others = files.open().slice(1))
    files.settled(others[0] as (typeof others)[0]);
  expect(files.old().some(({ waits }) => waits)).toBe(false);
  expect(files.old().map(({ name }) => name)).toEqual(expect.arrayContaining([oldest, second]));
  expect(files.old().map(({ name }) => name)).not.toContain(third);
  expect(reported.filter((file) => file === oldest)).toEqual(before.filter((file) => file === oldest));
  files.close();
});

it('has nothing to write anew of a batch that is as large as merged blocks are, and less of smaller ones', () => {
  const folder = emptyFolder();
  const writer = writerOf(folder, { now: () => START });
  const lines = (count: number) =>
    batch(
      Array.from({ length: count }, (_, n) => ({
        _time: new Date(START + n).toISOString(),
        _msg: `line ${n} ${'x'.repeat(40)}`,
      })),
    );
  writer.insert([lines(9000)]);
  writer.insert([lines(6000)]);
  const [name = ''] = logFiles(folder);
  const db = new Database(join(folder, name), { readonly: true });
  const uses = () => db.prepare('SELECT rows, hot FROM blk WHERE dead IS NULL ORDER BY id').all();
  const before = [
    { rows: 9000, hot: USE.whole },
    { rows: 6000, hot: USE.batch },
  ];
  expect(uses()).toEqual(before);
  settle(writer);
  expect(uses()).toEqual(before);
  db.close();
  writer.close();
  const { records } = recordsIn(folder);
  expect(records).toHaveLength(15_000);
});
