import Database from 'better-sqlite3';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../lib/fault.ts';

/**
 * A row holds the points of one measurement of about a second, at most some thousand, as JSON text or zstd of it: about
 * a quarter of the time and a tenth of the space of a row for each. `job_chunk` finds the rows that have points of a job.
 */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS chunk (
  id INTEGER PRIMARY KEY,
  measurement TEXT NOT NULL,
  t0 INTEGER NOT NULL,
  t1 INTEGER NOT NULL,
  count INTEGER NOT NULL,
  jobs TEXT NOT NULL,
  data ANY NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS chunk_time ON chunk (t1);
CREATE INDEX IF NOT EXISTS chunk_measurement ON chunk (measurement, t1);
CREATE TABLE IF NOT EXISTS job_chunk (job_id TEXT NOT NULL, chunk INTEGER NOT NULL, PRIMARY KEY (job_id, chunk)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS count (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO count VALUES ('points', 0);
`;

/** Opens the metric store of a folder, made where it is missing. */
export function openMetricFile(folder: string, readonly: boolean): Database.Database {
  const file = join(folder, 'metrics.db');
  try {
    mkdirSync(folder, { recursive: true });
    const db = new Database(file, { readonly });
    db.pragma('busy_timeout = 5000');
    db.pragma('cache_size = -16384');
    db.pragma('temp_store = MEMORY');
    if (readonly) return db;
    db.pragma('auto_vacuum = INCREMENTAL');
    db.pragma('journal_mode = WAL');
    // Metrics may lose their last second in a power cut.
    db.pragma('synchronous = NORMAL');
    db.exec(SCHEMA);
    return db;
  } catch (error) {
    throw new Fault('STORE_CORRUPT', `the metric store ${file} cannot be opened (${(error as Error).message}): free the folder, or move the file away to start anew`, { cause: error });
  }
}
