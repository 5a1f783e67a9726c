import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';
import { damagedFiles, type DamagedFiles } from '../../testing/damaged-files.fixture.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { FORMAT } from './files/schema.ts';
import type { StoreDamage } from './port.ts';
import { batch, emptyFolder, recordsIn, settle, writerOf } from './store.fixture.ts';

const START = Date.UTC(2026, 0, 1);
const line = (n: number) => ({
  _time: new Date(START + n * 1000).toISOString(),
  _msg: `line ${n} of ${'abcdefgh'.repeat(n % 7)}`,
  level: n % 3 === 0 ? 'WARN' : 'INFO',
  n,
  trace: `${n}-${n * 7919}`,
});
const LINES = Array.from({ length: 2400 }, (_, n) => line(n));

/** A small store with merged blocks and small ones, as a crash leaves it (with a write-ahead log) or an orderly end. */
function filled(end: 'crash' | 'orderly'): string {
  const folder = emptyFolder();
  let now = START;
  const writer = writerOf(folder, { now: () => now });
  for (let from = 0; from < 1800; from += 300) writer.insert([batch(LINES.slice(from, from + 300), `batch-${from}`)]);
  now += 61_000;
  settle(writer);
  now += 11_000;
  settle(writer);
  for (let from = 1800; from < 2400; from += 100) writer.insert([batch(LINES.slice(from, from + 100))]);
  if (end === 'orderly') writer.close();
  const copy = emptyFolder();
  cpSync(folder, copy, { recursive: true });
  if (end === 'crash') writer.close();
  // Of one process alone.
  for (const name of readdirSync(copy)) if (name.endsWith('-shm')) rmSync(join(copy, name));
  return copy;
}

/** What a start of the store and a scan of everything give. */
function opened(folder: string): { read: Record<string, unknown>[]; damages: StoreDamage[] } {
  const damages: StoreDamage[] = [];
  const writer = writerOf(folder, { report: (damage) => damages.push(damage) });
  try {
    const { records, damages: more } = recordsIn(folder);
    return { read: records, damages: [...damages, ...more] };
  } finally {
    writer.close();
  }
}

function expectHonest(folder: string): void {
  const { read, damages } = opened(folder);
  const seen = new Set<number>();
  for (const record of read) {
    const n = Number(record['n']);
    // Asked of six hundred thousand records: what `expect` makes for each question would be most of the time.
    if (!isDeepStrictEqual(record, LINES[n])) expect(record).toEqual(LINES[n]);
    if (seen.has(n)) expect.fail(`line ${n} is there twice`);
    seen.add(n);
  }
  const missing = LINES.filter(({ n }) => !seen.has(n)).map(({ _time }) => Date.parse(_time));
  for (const ms of missing)
    if (!damages.some(({ from, to, lost }) => lost !== 0 && (from === null || from <= ms) && (to === null || to > ms)))
      expect.fail(`nothing is said of a missing line at ${ms} (${missing.length} missing): ${JSON.stringify(damages)}`);
}

for (const end of ['orderly', 'crash'] as const)
  describe(`a store that ${end === 'crash' ? 'a crash' : 'an orderly end'} left`, () => {
    let files: DamagedFiles;
    beforeAll(() => void (files = damagedFiles(filled(end))));

    it('has all lines and no damage', () => {
      const { read, damages } = opened(files.copied());
      expect(read).toEqual(LINES);
      expect(damages).toEqual([]);
    });

    it('gives the right lines, or says what is missing, after any bit was flipped', () =>
      files.flipBits(40, expectHonest));
    it('does so where a file was cut', () => files.cutFiles(20, expectHonest));
    it('does so where two pages of a file changed places', () => files.swapPages(8192, 20, expectHonest));

    it('does so where two rows of a table changed places, or one came back to life or went', () => {
      const statements = [
        'UPDATE blk SET dead = 1 WHERE id = (SELECT max(id) FROM blk WHERE dead IS NULL)',
        'UPDATE blk SET dead = NULL WHERE dead IS NOT NULL',
        'DELETE FROM blk WHERE id = (SELECT min(id) FROM blk WHERE dead IS NULL)',
        'UPDATE blk SET t0 = t0 + 1, t1 = t1 + 1',
        'UPDATE blk SET rows = rows - 1',
        'DELETE FROM col',
        'DELETE FROM state',
        'UPDATE state SET blocks = blocks - 1',
        'UPDATE col SET data = (SELECT data FROM col AS other WHERE other.id <> col.id ORDER BY id DESC LIMIT 1) WHERE id = (SELECT min(id) FROM col)',
        'UPDATE bloom SET data = zeroblob(2052)',
        'UPDATE bloom SET data = (SELECT data FROM bloom AS other ORDER BY id DESC LIMIT 1)',
      ];
      for (const sql of statements) {
        const folder = files.copied();
        const name = readdirSync(folder).find((one) => one.endsWith('.db')) ?? '';
        const db = new Database(join(folder, name));
        const { changes } = db.prepare(sql).run();
        db.close();
        expectHonest(folder);
        if (changes > 0 && !sql.includes('bloom') && !sql.includes('NULL WHERE dead IS NOT'))
          expect(opened(folder).damages).not.toEqual([]);
      }
    });
  });

it('tells of a file that is gone, with what it held', () => {
  const folder = filled('orderly');
  for (const name of readdirSync(folder)) if (name.endsWith('.db')) rmSync(join(folder, name));
  expect(opened(folder).damages).toMatchObject([
    { place: 'missing', lost: LINES.length, from: START, to: START + 2_399_001, keep: true },
  ]);
});

it.each([2, 3])('reads a file of format %i, and makes it one of this format', (version) => {
  const folder = filled('orderly');
  const name = readdirSync(folder).find((one) => one.endsWith('.db')) ?? '';
  const db = new Database(join(folder, name));
  db.exec(`UPDATE format SET version = ${version}`);
  db.close();
  expect(opened(folder)).toEqual({ read: LINES, damages: [] });
  const again = new Database(join(folder, name), { readonly: true });
  expect(again.prepare('SELECT version FROM format').pluck().get()).toBe(FORMAT);
  again.close();
});

it('reads a file of format 1, and gives it checksums', () => {
  const folder = filled('orderly');
  const name = readdirSync(folder).find((one) => one.endsWith('.db')) ?? '';
  const db = new Database(join(folder, name));
  db.exec(`
    ALTER TABLE blk DROP COLUMN crc;
    ALTER TABLE seen DROP COLUMN crc;
    DROP TABLE state;
    UPDATE bloom SET data = substr(data, 1, 2048);
    UPDATE format SET version = 1;
  `);
  db.close();
  rmSync(join(folder, `${name}-mark`));
  expect(opened(folder)).toEqual({ read: LINES, damages: [] });
  const again = new Database(join(folder, name));
  again.exec('UPDATE blk SET t0 = t0 + 1 WHERE id = (SELECT max(id) FROM blk WHERE dead IS NULL)');
  again.close();
  expect(opened(folder).damages).not.toEqual([]);
});
