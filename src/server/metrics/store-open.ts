import Database from 'better-sqlite3';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../lib/fault.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS point (
  id INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  measurement TEXT NOT NULL,
  job_id TEXT,
  tags TEXT NOT NULL,
  fields TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS point_time ON point (time);
CREATE INDEX IF NOT EXISTS point_measurement ON point (measurement, time);
CREATE INDEX IF NOT EXISTS point_job ON point (job_id, time) WHERE job_id IS NOT NULL;
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
