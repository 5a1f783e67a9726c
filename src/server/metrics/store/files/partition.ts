import Database from 'better-sqlite3';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { assertKnown, countIn, FORMAT, hasColumn, hasTies, RAISE_FORMAT } from './head-db.ts';
import type { MetricDamage } from '../port.ts';
import { addRowSum, CHUNK_SUM, SERIES_SUM } from './sums.ts';

/** Points of two hours lie in one file. */
export const PART_MS = 2 * 3_600_000;
export const partOf = (ms: number): number => Math.floor(ms / PART_MS) * PART_MS;

/** `<folder>/<bucket>/m-<first ms>.db` */
export const partFolder = (folder: string, bucket: number): string => join(folder, `bucket-${bucket}`);
export const partFile = (folder: string, bucket: number, start: number): string =>
  join(partFolder(folder, bucket), `m-${start}.db`);

/**
 * `chunk`: rows of a series in the order of their writing. `pack`: those of many series, once they were compacted.
 * `series`: which have points here, and in which pack; `rolled` is the block of its roll-ups, 0 while points came after it was compacted,
 * -1 where a chunk is damaged, -2 where it has too few points. `raw` 0: where there are roll-ups, the points are gone.
 * `sealed`: up to which entry of the write-ahead rows its points are here. `packed`: the sum of the ids of the series that are in packs.
 */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO meta VALUES ('format', ${FORMAT}), ('sealed', 0), ('written', 0), ('raw', 1), ('packed', 0);
CREATE TABLE IF NOT EXISTS chunk (id INTEGER PRIMARY KEY AUTOINCREMENT, sid INTEGER NOT NULL, t0 INTEGER NOT NULL, t1 INTEGER NOT NULL, n INTEGER NOT NULL, crc INTEGER NOT NULL, job0 TEXT, job1 TEXT, stats BLOB NOT NULL, data BLOB NOT NULL, tie INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS chunk_series ON chunk (sid, id);
CREATE TABLE IF NOT EXISTS series (sid INTEGER PRIMARY KEY, rolled INTEGER NOT NULL, chunks INTEGER NOT NULL, sum INTEGER NOT NULL, tie INTEGER NOT NULL, pack INTEGER NOT NULL DEFAULT 0) STRICT;
DROP INDEX IF EXISTS series_rolled;
CREATE INDEX IF NOT EXISTS series_due ON series (sid) WHERE rolled = 0;
CREATE TABLE IF NOT EXISTS pack (id INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER NOT NULL, crc INTEGER NOT NULL, head BLOB NOT NULL, data BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS roll (id INTEGER PRIMARY KEY AUTOINCREMENT, crc INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
`;

/** Path of its file in the store's folder. */
export const partName = (bucket: number, start: number): string => `bucket-${bucket}/m-${start}.db`;

/** Names of a partition's files: its own, and of those that were set aside. */
export const PART_FILE = /^m-(-?\d+)\.db(\.damaged-\d+)?$/;

/** Whether `name` is the path of a partition's file that is not there. One that was set aside may have been told of by the name it had. */
export function isPartGone(folder: string, name: string): boolean {
  const [, bucket, file = ''] = /^(bucket-\d+)\/(.*)$/.exec(name) ?? [];
  const [, start, aside] = PART_FILE.exec(file) ?? [];
  if (bucket === undefined || start === undefined) return false;
  if (aside !== undefined) return !existsSync(join(folder, name));
  const files = existsSync(join(folder, bucket)) ? readdirSync(join(folder, bucket)) : [];
  return !files.some((file) => PART_FILE.exec(file)?.[1] === start);
}

/** A damage that may have taken any of its points. */
export const wholePart = (bucket: number, start: number, what: string, place = ''): MetricDamage => ({
  file: partName(bucket, start),
  place,
  what,
  from: start,
  to: start + PART_MS,
  lost: null,
});

export interface ChunkRecord {
  id: number;
  sid: number;
  t0: number;
  t1: number;
  n: number;
  crc: number;
  job0: string | null;
  job1: string | null;
  stats: Uint8Array;
  data: Uint8Array;
}

/** Gives the rows of an earlier format their checksums, what it has now is taken for whole, and has its chunks put into packs where there is time. */
function raisePartition(db: Database.Database): void {
  if (hasColumn(db, 'series', 'pack')) return;
  db.transaction(() => {
    db.exec('ALTER TABLE series ADD COLUMN pack INTEGER NOT NULL DEFAULT 0');
    if (!hasTies(db, 'chunk')) giveTies(db);
    if (countIn(db, "SELECT value FROM meta WHERE name = 'raw'") === 0) return;
    db.exec(
      `UPDATE series SET rolled = 0, tie = series_sum(sid, 0, pack, chunks, sum) WHERE rolled > 0 AND tie = ${SERIES_SUM}`,
    );
  })();
}

function giveTies(db: Database.Database): void {
  db.exec('ALTER TABLE chunk ADD COLUMN tie INTEGER NOT NULL DEFAULT 0');
  for (const name of ['chunks', 'sum', 'tie'])
    db.exec(`ALTER TABLE series ADD COLUMN ${name} INTEGER NOT NULL DEFAULT 0`);
  db.exec(`UPDATE chunk SET tie = ${CHUNK_SUM}`);
  db.aggregate('xor_all', { start: 0, step: (sum: number, tie: number) => (sum ^ tie) >>> 0 });
  db.exec(
    'UPDATE series SET chunks = (SELECT count(*) FROM chunk WHERE chunk.sid = series.sid), sum = (SELECT xor_all(tie) FROM chunk WHERE chunk.sid = series.sid)',
  );
  db.exec(`UPDATE series SET tie = ${SERIES_SUM}`);
}

export function openPartition(folder: string, bucket: number, start: number, readonly: boolean): Database.Database {
  if (!readonly) mkdirSync(partFolder(folder, bucket), { recursive: true });
  const file = partFile(folder, bucket, start);
  const db = new Database(file, { readonly });
  try {
    db.pragma('busy_timeout = 5000');
    assertKnown(db, file);
    db.pragma('cache_size = -2048');
    db.pragma('mmap_size = 268435456');
    if (!readonly) {
      db.pragma('auto_vacuum = INCREMENTAL');
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = NORMAL');
      db.exec(SCHEMA);
      addRowSum(db);
      raisePartition(db);
      db.exec(RAISE_FORMAT);
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
