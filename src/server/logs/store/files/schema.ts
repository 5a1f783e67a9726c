import Database from 'better-sqlite3';
import { errorCode, errorMessage } from '../../../../lib/errors.ts';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../../../lib/fault.ts';
import type { BlockUse } from '../blocks/encode.ts';
import { MARK } from '../../../../lib/mark-file.ts';
import {
  addToState,
  emptyState,
  rowSum,
  seenSum,
  STATE_SCHEMA,
  stateWriter,
  SUMMED_ROWS,
  type SummedRow,
} from './sums.ts';

/** Of the layout in docs/log-format.md. */
export const FORMAT = 4;
const NAME = /^logs-(\d{4}-\d\d-\d\d)(?:-(\d+))?\.db$/;
/** What lies beside a file; its mark goes first, or a kill in between would leave one that speaks of a lost file. */
const WITH_FILE = [MARK, '', '-wal', '-shm'] as const;

/** A block's row. `dead`: when it was replaced by another one, unix ms; readers that began before may still read it. */
export interface BlockRow {
  id: number;
  t0: number;
  t1: number;
  s0: number;
  s1: number;
  rows: number;
  bytes: number;
  pieces: number;
  /** What it is for: see `USE`. */
  hot: number;
  /** When the last of its lines came in, unix ms. */
  born: number;
}

/** The uses of a block as its row says them: one of an earlier format looks like one of a batch, whoever made it. */
export const USE: Readonly<Record<BlockUse, number>> = { batch: 0, hot: 1, whole: 2 };

const SCHEMA = `
CREATE TABLE format (version INTEGER NOT NULL) STRICT;
CREATE TABLE blk (
  id INTEGER PRIMARY KEY,
  t0 INTEGER NOT NULL,
  t1 INTEGER NOT NULL,
  s0 INTEGER NOT NULL,
  s1 INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  columns INTEGER NOT NULL,
  pieces INTEGER NOT NULL,
  hot INTEGER NOT NULL,
  born INTEGER NOT NULL,
  dead INTEGER,
  head BLOB NOT NULL,
  crc INTEGER NOT NULL
) STRICT;
CREATE INDEX blk_dead ON blk (dead) WHERE dead IS NOT NULL;
CREATE TABLE col (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE bloom (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE seen (batch TEXT PRIMARY KEY, at INTEGER NOT NULL, stored INTEGER NOT NULL, skipped INTEGER NOT NULL, crc INTEGER NOT NULL) STRICT, WITHOUT ROWID;
${STATE_SCHEMA}
INSERT INTO format VALUES (${FORMAT});
`;

/** Columns and pieces of block `b` have the ids `b * PARTS + n`. */
export const PARTS = 65_536;

/** The store's files of a folder, oldest first. */
export function logFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const key = (name: string) => {
    const [, day = '', n = '0'] = NAME.exec(name) ?? [];
    return `${day}-${n.padStart(9, '0')}`;
  };
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The name of the next file: of `day`, or of the newest file's day where the clock went back. */
export function nextFile(files: readonly string[], today: string): string {
  const [, lastDay = '', n = '0'] = NAME.exec(files.at(-1) ?? '') ?? [];
  if (lastDay < today) return `logs-${today}.db`;
  return `logs-${lastDay}-${Number(n) + 1}.db`;
}

export const dayOfFile = (name: string): string => NAME.exec(name)?.[1] ?? '';

/** Why a file cannot be used, where that is damage and not its version. */
export class BrokenFile extends Error {}

/** Opens a file for writing, made where it is missing. Throws `BrokenFile`, or a `Fault` for an unknown format. */
export function openForWriting(file: string, durable: boolean, pages?: number): Database.Database {
  const fresh = !existsSync(file) || statSync(file).size === 0;
  let db: Database.Database | undefined;
  try {
    db = new Database(file);
    if (fresh) {
      db.pragma('page_size = 8192');
      db.pragma('auto_vacuum = INCREMENTAL');
    }
    if (pages !== undefined) db.pragma(`max_page_count = ${pages}`);
    db.pragma('journal_mode = WAL');
    db.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
    db.pragma('busy_timeout = 5000');
    db.pragma('cache_size = -4096');
    db.pragma('wal_autocheckpoint = 2000');
    db.pragma('journal_size_limit = 33554432');
    const version = formatOf(db);
    if (version === null)
      db.transaction((fresh: Database.Database) => {
        fresh.exec(SCHEMA);
        stateWriter(fresh)(emptyState());
      })(db);
    else if (version >= 1 && version < FORMAT) raise(db, version);
    else if (version !== FORMAT) throw unknownFormat(file, version);
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof Fault) throw error;
    if (isFull(error) && !/CANTOPEN|READONLY/.test(errorCode(error) ?? ''))
      throw new Fault(
        'STORE_FULL',
        `the log file ${file} cannot be made (${errorMessage(error)}): free disk space; the log store then recovers automatically`,
        { cause: error },
      );
    if (isDamage(error)) throw new BrokenFile(errorMessage(error), { cause: error });
    throw new Fault(
      'STORE_UNAVAILABLE',
      `the log file ${file} cannot be opened (${errorMessage(error)}): check that the folder is writable`,
      { cause: error },
    );
  }
}

/** Makes a file of an earlier format one of this: what it holds is read as before, and gets what is new where blocks are merged. */
function raise(db: Database.Database, version: number): void {
  db.transaction(() => {
    if (version === 1) addSums(db);
    db.exec(`UPDATE format SET version = ${FORMAT}`);
  })();
}

/** What a file of format 1 holds now is taken for whole. */
function addSums(db: Database.Database): void {
  db.exec('ALTER TABLE blk ADD COLUMN crc INTEGER NOT NULL DEFAULT 0');
  db.exec('ALTER TABLE seen ADD COLUMN crc INTEGER NOT NULL DEFAULT 0');
  db.exec(STATE_SCHEMA);
  const state = emptyState();
  const set = db.prepare('UPDATE blk SET crc = ? WHERE id = ?');
  for (const row of db.prepare<[], SummedRow>(SUMMED_ROWS).all()) {
    const crc = rowSum(row);
    set.run(crc, row.id);
    addToState(state, row, crc);
  }
  db.function('seen_sum', { deterministic: true }, (batch: string, at: number, stored: number, skipped: number) =>
    seenSum(batch, at, stored, skipped),
  );
  db.exec('UPDATE seen SET crc = seen_sum(batch, at, stored, skipped)');
  stateWriter(db)(state);
}

export function openForReading(file: string): Database.Database {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  db.pragma('busy_timeout = 5000');
  // Blocks are read once and kept unpacked; there is one of these for each file and thread.
  db.pragma('cache_size = -1024');
  return db;
}

function formatOf(db: Database.Database): number | null {
  const table = db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'format'").pluck().get();
  if (table === 0) return null;
  return db.prepare<[], number>('SELECT version FROM format').pluck().get() ?? null;
}

const unknownFormat = (file: string, version: number): Fault =>
  new Fault(
    'STORE_CORRUPT',
    `the log file ${file} has format ${version}, but this version reads format ${FORMAT}: run the version that wrote the file, or move the file away`,
  );

/** An error of SQLite that says the file's content is broken. */
export function isDamage(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  return (
    code.startsWith('SQLITE_CORRUPT') ||
    code === 'SQLITE_NOTADB' ||
    (code === 'SQLITE_ERROR' && /no such (table|column)|already exists|has no column/.test(errorMessage(error)))
  );
}

/** An error of SQLite that room or a writable disk would end. */
export function isFull(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  return (
    code === 'SQLITE_FULL' ||
    code.startsWith('SQLITE_IOERR') ||
    code === 'SQLITE_READONLY' ||
    code === 'SQLITE_CANTOPEN'
  );
}

/** Puts a broken file where no one looks for it again; gives its new name. */
export function quarantineFile(folder: string, name: string): string {
  const aside = `${name}.damaged-${Date.now()}`;
  for (const end of WITH_FILE)
    if (existsSync(join(folder, name + end))) renameSync(join(folder, name + end), join(folder, aside + end));
  return aside;
}

/** A file that was set aside, as nothing can be read of it. */
export interface AsideFile {
  readonly name: string;
  /** The day in its name; empty: it is of the first form, older than all others. */
  readonly day: string;
  /** When it last got a line, Unix ms. */
  readonly written: number;
  readonly bytes: number;
}

const ASIDE = /^logs(?:-(\d{4}-\d\d-\d\d)(?:-\d+)?)?\.db\.damaged-(\d+)$/;

/** Those in a folder, the oldest first. */
export function asideFiles(folder: string): AsideFile[] {
  const found = readdirSync(folder).flatMap((name): AsideFile[] => {
    const [, day = '', at] = ASIDE.exec(name) ?? [];
    const stat = at === undefined ? undefined : statSync(join(folder, name), { throwIfNoEntry: false });
    return stat ? [{ name, day, written: Math.min(stat.mtimeMs, Number(at)), bytes: sizeOf(folder, name) }] : [];
  });
  return found.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.written - b.written));
}

export function removeFile(folder: string, name: string): void {
  for (const end of WITH_FILE) rmSync(join(folder, name + end), { force: true });
}

/** Bytes of a file and its log. */
export function sizeOf(folder: string, name: string): number {
  return WITH_FILE.reduce(
    (sum, end) => sum + (statSync(join(folder, name + end), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** Bytes of its log alone. */
export const walBytes = (folder: string, name: string): number =>
  statSync(join(folder, `${name}-wal`), { throwIfNoEntry: false })?.size ?? 0;
