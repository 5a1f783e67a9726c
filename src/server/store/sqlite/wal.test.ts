import { copyFileSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { readWal } from './wal.ts';

const COMMITS = 60;
const SUFFIXES = ['', '-wal', '-shm'] as const;
let left: string;
let file: string;
const name = (file: string, suffix: string) => `${file}${suffix}`;

/** What a master leaves that is killed: all its commits are in the log. */
function writeAndDie(target: string, work: (db: Database.Database) => void): void {
  const source = join(temporaryFolder('wal'), 'source.db');
  const db = new Database(source);
  db.pragma('journal_mode = WAL');
  db.pragma('wal_autocheckpoint = 0');
  db.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)');
  work(db);
  for (const suffix of SUFFIXES) copyFileSync(name(source, suffix), name(target, suffix));
  db.close();
}
const add = (db: Database.Database, n = 1) => {
  for (let i = 0; i < n; i++) db.prepare('INSERT INTO note (text) VALUES (?)').run(`note ${i} ${'x'.repeat(300)}`);
};
function countNotes(): number {
  const db = new Database(file);
  try {
    return db.prepare<[], number>('SELECT count(*) FROM note').pluck().get() ?? 0;
  } catch {
    return 0;
  } finally {
    db.close();
  }
}
function flip(target: string, bit: number): void {
  const bytes = readFileSync(target);
  const at = Math.floor(bit / 8);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
  writeFileSync(target, bytes);
}

beforeAll(() => {
  left = join(temporaryFolder('wal'), 'left.db');
  writeAndDie(left, (db) => add(db, COMMITS));
});
beforeEach(() => {
  file = join(temporaryFolder('wal'), 'a.db');
  for (const suffix of SUFFIXES) copyFileSync(name(left, suffix), name(file, suffix));
});

it('finds nothing wrong in a log that a killed process left, with its index and without, and knows its pages', () => {
  const state = readWal(file);
  expect(state).toMatchObject({ damage: null, pageBytes: 4096 });
  expect(state?.pages.size).toBeGreaterThan(4);
  rmSync(name(file, '-shm'));
  expect(readWal(file)).toEqual(state);
  expect(countNotes()).toBe(COMMITS);
});

it('tells of every commit that one flipped bit would lose, wherever it is, with the index of a killed process', () => {
  const bits = statSync(name(left, '-wal')).size * 8;
  fc.assert(
    fc.property(fc.nat({ max: bits - 1 }), (bit) => {
      for (const suffix of SUFFIXES) copyFileSync(name(left, suffix), name(file, suffix));
      flip(name(file, '-wal'), bit);
      const { damage } = readWal(file) ?? { damage: null };
      const kept = countNotes();
      // The log may have bytes that nobody reads; what matters is that nothing is lost untold.
      if (kept < COMMITS) expect(damage).not.toBeNull();
      else expect(damage).toBeNull();
    }),
    { numRuns: 150 },
  );
});

it('tells of it without the index too, but for the last commit, which a power failure may have torn', () => {
  const bits = (statSync(name(left, '-wal')).size - 3 * (4096 + 24)) * 8;
  fc.assert(
    fc.property(fc.nat({ max: bits - 1 }), (bit) => {
      for (const suffix of SUFFIXES) copyFileSync(name(left, suffix), name(file, suffix));
      rmSync(name(file, '-shm'));
      flip(name(file, '-wal'), bit);
      const { damage } = readWal(file) ?? { damage: null };
      if (countNotes() < COMMITS) expect(damage?.commits).toBeGreaterThan(0);
    }),
    { numRuns: 100 },
  );
});

describe('a log that is cut', () => {
  it('lacks what the index knew of', () => {
    truncateSync(name(file, '-wal'), 32 + 10 * (4096 + 24));
    expect(readWal(file)?.damage?.frames).toBeGreaterThan(20);
  });
  it('or that is gone, too', () => {
    rmSync(name(file, '-wal'));
    expect(readWal(file)?.damage).toMatchObject({ at: 0, commits: null });
  });
  it('and has a torn tail where the index is gone: that says nothing of damage', () => {
    rmSync(name(file, '-shm'));
    truncateSync(name(file, '-wal'), statSync(name(file, '-wal')).size - 1000);
    expect(readWal(file)?.damage).toBeNull();
  });
});

describe('what stands behind the end of a log', () => {
  it('may be of the log before it was begun anew', () => {
    writeAndDie(file, (db) => {
      add(db, 50);
      db.pragma('wal_checkpoint(RESTART)');
      add(db, 3);
    });
    for (const index of [true, false]) {
      if (!index) rmSync(name(file, '-shm'));
      expect(readWal(file)).toMatchObject({ damage: null });
    }
    expect(countNotes()).toBe(53);
  });

  it('may be of a transaction that was rolled back after some of it was written', () => {
    writeAndDie(file, (db) => {
      db.pragma('cache_size = 10');
      add(db, 5);
      db.exec('BEGIN');
      add(db, 2000);
      db.exec('ROLLBACK');
      db.exec('BEGIN');
      add(db, 40);
      db.exec('COMMIT');
    });
    for (const index of [true, false]) {
      if (!index) rmSync(name(file, '-shm'));
      expect(readWal(file)).toMatchObject({ damage: null });
    }
    expect(countNotes()).toBe(45);
  });
});

it('needs no log: a database that was closed in order has none', () => {
  expect(countNotes()).toBe(COMMITS);
  expect(existsSync(name(file, '-wal'))).toBe(false);
  expect(readWal(file)).toBeNull();
});
