import Database from 'better-sqlite3';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../lib/fault.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS log (
  id INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  msg TEXT NOT NULL,
  level TEXT,
  job_id TEXT,
  task_id TEXT,
  worker_id TEXT,
  source TEXT,
  fields TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS log_time ON log (time);
CREATE INDEX IF NOT EXISTS log_job ON log (job_id, time) WHERE job_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS log_task ON log (task_id, time) WHERE task_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS count (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO count VALUES ('records', 0);
`;

/** Opens the log store of a folder, made where it is missing. */
export function openLogFile(folder: string, readonly: boolean): Database.Database {
  const file = join(folder, 'logs.db');
  try {
    mkdirSync(folder, { recursive: true });
    const db = new Database(file, { readonly });
    db.pragma('busy_timeout = 5000');
    db.pragma('cache_size = -32768');
    db.pragma('temp_store = MEMORY');
    if (readonly) return db;
    db.pragma('auto_vacuum = INCREMENTAL');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.exec(SCHEMA);
    return db;
  } catch (error) {
    throw new Fault('STORE_CORRUPT', `the log store ${file} cannot be opened (${(error as Error).message}): free the folder, or move the file away to start anew`, { cause: error });
  }
}
