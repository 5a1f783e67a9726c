import Database from 'better-sqlite3';
import { errorMessage } from '../../../../lib/errors.ts';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../../../lib/fault.ts';

/**
 * The number of the format of all files of the store (docs/metric-format.md, which tells what each of them brought): another
 * one with whatever an earlier build would read wrongly. Earlier ones are read, and what is opened for writing becomes this.
 */
export const FORMAT = 2;
/** Makes it this format where it is an earlier one. */
export const RAISE_FORMAT = `UPDATE meta SET value = ${FORMAT} WHERE name = 'format' AND value < ${FORMAT}`;
export const BUCKET = 'metrics';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO meta VALUES ('format', ${FORMAT}), ('generation', 0), ('sealed', 0), ('migrated', 0);
CREATE TABLE IF NOT EXISTS bucket (id INTEGER PRIMARY KEY AUTOINCREMENT, hex TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE, retention INTEGER NOT NULL, created INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS field (id INTEGER PRIMARY KEY AUTOINCREMENT, bucket INTEGER NOT NULL, measurement TEXT NOT NULL, name TEXT NOT NULL, type INTEGER NOT NULL, UNIQUE (bucket, measurement, name)) STRICT;
CREATE TABLE IF NOT EXISTS series (id INTEGER PRIMARY KEY AUTOINCREMENT, bucket INTEGER NOT NULL, measurement TEXT NOT NULL, tags TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS wal (id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, rows INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS part (bucket INTEGER NOT NULL, start INTEGER NOT NULL, raw INTEGER NOT NULL DEFAULT 1, PRIMARY KEY (bucket, start)) STRICT, WITHOUT ROWID;
`;

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
      db.pragma('auto_vacuum = INCREMENTAL');
      db.pragma('journal_mode = WAL');
      // A kill of the process loses nothing; a power cut may lose the last moments.
      db.pragma('synchronous = NORMAL');
      db.exec(SCHEMA);
      db.exec(RAISE_FORMAT);
      db.prepare(
        'INSERT OR IGNORE INTO bucket (hex, name, retention, created) SELECT ?, ?, 0, ? WHERE NOT EXISTS (SELECT 1 FROM bucket)',
      ).run(randomBytes(8).toString('hex'), BUCKET, Date.now());
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

/** The one number that a statement gives; 0 where it gives none. */
export const countIn = (db: Database.Database, sql: string, ...values: number[]): number =>
  db
    .prepare<number[], number | null>(sql)
    .pluck()
    .get(...values) ?? 0;
