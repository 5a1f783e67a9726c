import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import type { FoundDamage } from '../../observability/port.ts';
import { checkWal } from './check-wal.ts';
import { openSqlite } from './open.ts';

let file: string;
beforeEach(() => {
  const source = join(temporaryFolder('wal'), 'yardmaster.db');
  file = join(temporaryFolder('wal'), 'yardmaster.db');
  const db = new Database(source);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE note (text TEXT)');
  for (let n = 0; n < 20; n++) db.prepare('INSERT INTO note VALUES (?)').run(`note ${n}`);
  for (const suffix of ['', '-wal', '-shm']) copyFileSync(source + suffix, file + suffix);
  db.close();
  const log = readFileSync(`${file}-wal`);
  const at = 32 + 5 * (4096 + 24) + 100;
  log[at] = (log[at] ?? 0) ^ 4;
  writeFileSync(`${file}-wal`, log);
});

it('opens no database whose log would lose commits, and leaves all files as they are', () => {
  const before = readFileSync(`${file}-wal`);
  expect(() => openSqlite({ file, durability: 'normal' })).toThrow(
    expect.objectContaining({
      code: 'STORE_CORRUPT',
      message: expect.stringMatching(/-wal is damaged at byte 20632, with 1\d commits behind it.*yardmaster repair/),
    }),
  );
  expect(readFileSync(`${file}-wal`).equals(before)).toBe(true);
});

it('tells of it, and keeps a copy, where a power failure may have been the cause', () => {
  const told: FoundDamage[] = [];
  const startedSince = Date.now() + 60_000;
  for (let n = 0; n < 2; n++) checkWal(file, (damage) => void told.push(damage), startedSince);
  expect(told[0]).toMatchObject({ part: 'database', file: 'yardmaster.db-wal', keep: true });
  expect(told[0]?.what).toContain('a copy is in yardmaster.db-wal.damaged-');
  expect(told[1]).toEqual(told[0]);
  const copies = readdirSync(join(file, '..')).filter((name) => name.includes('.damaged-'));
  expect(copies).toHaveLength(1);
  expect(existsSync(`${file}-wal`)).toBe(true);
});
