import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { repairWal } from './repair-wal.ts';
import { readWal } from './wal.ts';

const SUFFIXES = ['', '-wal', '-shm'] as const;
let left: string;
let file: string;
beforeAll(() => {
  const source = join(temporaryFolder('wal'), 'source.db');
  left = join(temporaryFolder('wal'), 'left.db');
  file = join(temporaryFolder('wal'), 'a.db');
  const db = new Database(source);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)');
  for (let n = 0; n < 30; n++) db.prepare('INSERT INTO note (text) VALUES (?)').run(`note ${n} ${'x'.repeat(200)}`);
  for (const suffix of SUFFIXES) copyFileSync(source + suffix, left + suffix);
  db.close();
});

function spoil(bits: readonly number[]): void {
  for (const suffix of SUFFIXES) copyFileSync(left + suffix, file + suffix);
  const bytes = readFileSync(`${file}-wal`);
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  writeFileSync(`${file}-wal`, bytes);
}

it('restores a log with one flipped bit to what was written, or, where the checksums have several explanations, leaves it', () => {
  const whole = readFileSync(`${left}-wal`);
  let restored = 0;
  let ambiguous = 0;
  fc.assert(
    fc.property(fc.nat({ max: whole.length * 8 - 1 }), (bit) => {
      spoil([bit]);
      if (!readWal(file)?.damage) return;
      const spoiled = readFileSync(`${file}-wal`);
      const { corrected, state } = repairWal(file);
      if (corrected === 0) {
        ambiguous++;
        expect(readFileSync(`${file}-wal`).equals(spoiled)).toBe(true);
        return;
      }
      restored++;
      expect(state?.damage).toBeNull();
      expect(readFileSync(`${file}-wal`).equals(whole)).toBe(true);
    }),
    { numRuns: 15 },
  );
  expect(restored + ambiguous).toBeGreaterThan(5);
  expect(restored).toBeGreaterThan(0);
});

it('restores one bit in each of several frames', () => {
  const frame = 4096 + 24;
  spoil([(32 + frame + 500) * 8, (32 + 6 * frame + 1000) * 8 + 3, (32 + 9 * frame + 24) * 8 + 7]);
  expect(repairWal(file)).toMatchObject({ corrected: 3, state: { damage: null } });
  expect(readFileSync(`${file}-wal`).equals(readFileSync(`${left}-wal`))).toBe(true);
});

it('changes nothing where more than a bit of a frame is damaged', () => {
  spoil([(32 + 500) * 8, (32 + 501) * 8]);
  const spoiled = readFileSync(`${file}-wal`);
  const { corrected, state } = repairWal(file);
  expect(corrected).toBe(0);
  expect(state?.damage).not.toBeNull();
  expect(readFileSync(`${file}-wal`).equals(spoiled)).toBe(true);
  expect(statSync(`${file}-wal`).size).toBe(spoiled.length);
});
