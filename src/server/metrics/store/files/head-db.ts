import Database from 'better-sqlite3';
import { errorCode, errorMessage } from '../../../../lib/errors.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../../../lib/fault.ts';
import { addRowSum } from './sums.ts';

/**
 * The number of the format of all files of the store (docs/metric-format.md, which tells what each of them brought): another
 * one with whatever an earlier build would read wrongly. Earlier ones are read, and what is opened for writing becomes this.
 */
export const FORMAT = 4;
/** Makes it this format where it is an earlier one. */
export const RAISE_FORMAT = `UPDATE meta SET value = ${FORMAT} WHERE name = 'format' AND value < ${FORMAT}`;
export const BUCKET = 'metrics';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO meta VALUES ('format', ${FORMAT}), ('generation', 0), ('sealed', 0), ('migrated', 0);
CREATE TABLE IF NOT EXISTS bucket (id INTEGER PRIMARY KEY AUTOINCREMENT, hex TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE, retention INTEGER NOT NULL, created INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS field (id INTEGER PRIMARY KEY AUTOINCREMENT, bucket INTEGER NOT NULL, measurement TEXT NOT NULL, name TEXT NOT NULL, type INTEGER NOT NULL, tie INTEGER, UNIQUE (bucket, measurement, name)) STRICT;
CREATE TABLE IF NOT EXISTS series (id INTEGER PRIMARY KEY AUTOINCREMENT, bucket INTEGER NOT NULL, measurement TEXT NOT NULL, tags TEXT NOT NULL, tie INTEGER) STRICT;
CREATE TABLE IF NOT EXISTS wal (id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, rows INTEGER NOT NULL, data BLOB NOT NULL, tie INTEGER) STRICT;
CREATE TABLE IF NOT EXISTS part (bucket INTEGER NOT NULL, start INTEGER NOT NULL, raw INTEGER NOT NULL DEFAULT 1, PRIMARY KEY (bucket, start)) STRICT, WITHOUT ROWID;
`;

const TABLES = ['meta', 'bucket', 'field', 'series', 'wal', 'part'];
const META = ['format', 'generation', 'sealed', 'series rows', 'field rows', 'bucket rows'];
/** Of the rows themselves: an index may still have what they lost. */
const BUCKETS_MISSING =
  "SELECT value - (SELECT count(*) FROM bucket NOT INDEXED WHERE typeof(hex) = 'text' AND typeof(name) = 'text' AND typeof(retention) = 'integer') FROM meta WHERE name = 'bucket rows'";
/** In the header of the file once all tables are made. */
const COMPLETE = 1;

/** Opens `head.db`: what is not sealed yet, and what has a number. Made by the writer where it is missing. */
export function openHead(folder: string, readonly: boolean): Database.Database {
  const file = join(folder, 'head.db');
  let db: Database.Database | null = null;
  try {
    mkdirSync(folder, { recursive: true });
    db = new Database(file, { readonly });
    db.pragma('busy_timeout = 5000');
    // Before anything is changed.
    assertKnown(db, file);
    if (!readonly) {
      assertComplete(db, file);
      db.pragma('auto_vacuum = INCREMENTAL');
      db.pragma('journal_mode = WAL');
      // A kill of the process loses nothing; a power cut may lose the last moments.
      db.pragma('synchronous = NORMAL');
      db.exec(SCHEMA);
      addRowSum(db);
      raiseHead(db);
      keepTotals(db);
      db.exec(RAISE_FORMAT);
      db.pragma(`user_version = ${COMPLETE}`);
      db.prepare(
        'INSERT OR IGNORE INTO bucket (hex, name, retention, created) SELECT lower(hex(randomblob(8))), ?, 0, ? WHERE NOT EXISTS (SELECT 1 FROM bucket)',
      ).run(BUCKET, Date.now());
    }
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof Fault) throw error;
    throw new Fault(
      'STORE_CORRUPT',
      `the metric store ${file} cannot be opened (${errorMessage(error)}): check that no other process uses the folder, or move the folder away to start with an empty store`,
      { cause: error },
    );
  }
}

/** Throws STORE_CORRUPT where a table is gone, before an empty one is made in its place. */
function assertComplete(db: Database.Database, file: string): void {
  if (db.pragma('user_version', { simple: true }) !== COMPLETE) return;
  const tables = new Set(db.prepare<[], string>('SELECT name FROM sqlite_schema').pluck().all());
  const known = new Set(tables.has('meta') ? db.prepare<[], string>('SELECT name FROM meta').pluck().all() : []);
  const missing = [...TABLES.filter((name) => !tables.has(name)), ...META.filter((name) => !known.has(name))];
  if (missing.length === 0 && countIn(db, BUCKETS_MISSING) !== 0) missing.push('bucket');
  if (missing.length > 0)
    throw new Fault(
      'STORE_CORRUPT',
      `the metric store ${file} is damaged (it has no ${missing.join(', ')} any more): restore the folder from a copy, or move it away to start with an empty store`,
    );
}

/** Gives the rows of an earlier format their checksums: what it has now is taken for whole. */
function raiseHead(db: Database.Database): void {
  db.transaction(() => {
    for (const [table, cells] of [
      ['series', SERIES_CELLS],
      ['field', FIELD_CELLS],
      ['wal', 'id, kind, rows, data'],
    ] as const) {
      if (hasTies(db, table)) continue;
      db.exec(`ALTER TABLE ${table} ADD COLUMN tie INTEGER`);
      db.exec(`UPDATE ${table} SET tie = row_sum(${cells})`);
    }
  })();
}
/** Counts the rows of the catalog and adds their checksums up, in `meta`: what stands on a page that is not in its place is missed. */
function keepTotals(db: Database.Database): void {
  db.transaction(() => {
    for (const [table, tie] of [
      ['series', 'tie'],
      ['field', 'tie'],
      ['bucket', 'id'],
    ] as const)
      db.exec(`
        INSERT OR IGNORE INTO meta SELECT '${table} rows', count(*) FROM ${table};
        INSERT OR IGNORE INTO meta SELECT '${table} sum', ifnull(sum(${tie}), 0) FROM ${table};
        CREATE TRIGGER IF NOT EXISTS ${table}_added AFTER INSERT ON ${table} BEGIN
          UPDATE meta SET value = value + 1 WHERE name = '${table} rows';
          UPDATE meta SET value = value + new.${tie} WHERE name = '${table} sum';
        END;
        CREATE TRIGGER IF NOT EXISTS ${table}_removed AFTER DELETE ON ${table} BEGIN
          UPDATE meta SET value = value - 1 WHERE name = '${table} rows';
          UPDATE meta SET value = value - old.${tie} WHERE name = '${table} sum';
        END;
      `);
  })();
}
/** What checksums of the catalog are of. */
export const SERIES_CELLS = 'id, bucket, measurement, tags';
export const FIELD_CELLS = 'id, bucket, measurement, name, type';
/** False for a table of an earlier format that was not opened for writing since. */
export const hasTies = (db: Database.Database, table: string): boolean => hasColumn(db, table, 'tie');
export const hasColumn = (db: Database.Database, table: string, column: string): boolean =>
  db
    .prepare<[string, string], number>('SELECT count(*) FROM pragma_table_info(?) WHERE name = ?')
    .pluck()
    .get(table, column) === 1;

/** Throws STORE_CORRUPT for a file of a later format. One that is only just being made has none. */
export function assertKnown(db: Database.Database, file: string): void {
  if (db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'meta'").pluck().get() === 0) return;
  const format = db.prepare<[], number>("SELECT value FROM meta WHERE name = 'format'").pluck().get() ?? 0;
  if (format >= 1 && format <= FORMAT) return;
  throw new Fault(
    'STORE_CORRUPT',
    `the metric store ${file} has format ${format}, but this version reads formats up to ${FORMAT}: start the version that wrote it, or move the folder away to start with an empty store`,
  );
}

/** An error of SQLite that says that a file's content is broken. Where its schema is, a name that a statement has is not there. */
export const isDamage = (error: unknown): boolean =>
  errorCode(error)?.startsWith('SQLITE_CORRUPT') === true ||
  errorCode(error) === 'SQLITE_NOTADB' ||
  (errorCode(error) === 'SQLITE_ERROR' && /no such (?:table|column|function)|has no column/.test(errorMessage(error)));

/** The one number that a statement gives; 0 where it gives none. */
export const countIn = (db: Database.Database, sql: string, ...values: number[]): number =>
  db
    .prepare<number[], number | null>(sql)
    .pluck()
    .get(...values) ?? 0;
