import Database from 'better-sqlite3';
import { existsSync, rmSync, statSync } from 'node:fs';
import { Fault } from '../../../lib/fault.ts';
import type { Store, WriteHandle } from '../port.ts';
import { startCheckpointer } from './checkpointer.ts';
import { handle } from './handle.ts';
import { migrate } from './migrate.ts';

export interface SqliteOptions {
  file: string;
  /** `normal`: a crash of the process loses nothing, a power cut may lose the last moments. `full`: neither does. */
  durability: 'normal' | 'full';
  /** Pages of 4 KiB in the write-ahead log above which it is started anew. Default: 32 MiB. */
  logPages?: number;
}

const CHECKED_BYTES = 64 * 1024 * 1024;
/** SQLite's own checkpoints, until the thread takes them over. */
const OWN_CHECKPOINT_PAGES = 1000;

/** Opens (and makes, and migrates) the master's database. Throws a `Fault` whose text names the remedy. */
export function openSqlite({ file, durability, logPages = 8192 }: SqliteOptions): Store {
  const db = openFile(file);
  // Only a file without a table takes this; it must come before the log mode.
  db.pragma('auto_vacuum = INCREMENTAL');
  db.pragma('journal_mode = WAL');
  db.pragma(`synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
  db.pragma('foreign_keys = ON');
  db.pragma('busy_timeout = 5000');
  db.pragma('cache_size = -16384');
  db.pragma('temp_store = MEMORY');
  db.pragma(`wal_autocheckpoint = ${OWN_CHECKPOINT_PAGES}`);
  migrate(db, file);
  convertSmall(db, file);
  const reader = new Database(file, { readonly: true });
  reader.pragma('cache_size = -8192');
  reader.pragma('temp_store = MEMORY');

  const writeHandle = handle(db);
  const group = groupCommit(db, writeHandle);
  const checkpointer = startCheckpointer({ file, logPages, automatic: (on) => void db.pragma(`wal_autocheckpoint = ${on ? OWN_CHECKPOINT_PAGES : 0}`), hold: group.hold });
  return {
    file,
    read: handle(reader),
    write: group.write,
    get refusing() {
      return group.refusing();
    },
    space: () => ({ pages: reader.pragma('page_count', { simple: true }) as number, free: reader.pragma('freelist_count', { simple: true }) as number }),
    shrink: (pages) => group.write(() => void db.exec(`PRAGMA incremental_vacuum(${Math.floor(pages)})`)),
    sizeBytes: () => ['', '-wal'].reduce((sum, suffix) => sum + (existsSync(file + suffix) ? statSync(file + suffix).size : 0), 0),
    async close() {
      await group.drain();
      await checkpointer.close();
      reader.close();
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
    },
  };
}

function openFile(file: string): Database.Database {
  const fresh = !existsSync(file);
  try {
    const db = new Database(file);
    db.pragma('schema_version');
    // A whole check of a large file would hold up the start; `doctor` does it for those.
    const check = !fresh && statSync(file).size < CHECKED_BYTES ? db.pragma('quick_check(1)', { simple: true }) : 'ok';
    if (check !== 'ok') throw new Error(String(check));
    return db;
  } catch (error) {
    if (fresh) rmSync(file, { force: true });
    throw new Fault('STORE_CORRUPT', `the database ${file} cannot be read (${(error as Error).message}); restore a backup, or move the file away to start anew`, { cause: error });
  }
}

/**
 * A file of an older version never gives space back. A small one is made over here, in a fraction of a second; a large
 * one would hold up the start: its free pages are used again, and a backup that is restored is made over.
 */
function convertSmall(db: Database.Database, file: string): void {
  if (db.pragma('auto_vacuum', { simple: true }) !== 0 || statSync(file).size >= CHECKED_BYTES) return;
  db.pragma('auto_vacuum = INCREMENTAL');
  db.exec('VACUUM');
}

interface Pending {
  command: (db: WriteHandle) => unknown;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/** All commands of one turn in one transaction; where one throws, the others are run again without it. */
function groupCommit(db: Database.Database, handle: WriteHandle) {
  let queue: Pending[] = [];
  let closed = false;
  let held = false;
  let refusing = false;
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');

  function runTogether(batch: Pending[]): unknown[] {
    begin.run();
    try {
      const results = batch.map(({ command }) => command(handle));
      commit.run();
      refusing = false;
      return results;
    } catch (error) {
      if (db.inTransaction) rollback.run();
      throw error;
    }
  }

  function flush() {
    if (held || queue.length === 0) return;
    const batch = queue;
    queue = [];
    let results: unknown[];
    try {
      results = runTogether(batch);
    } catch {
      for (const one of batch) {
        try {
          one.resolve(runTogether([one])[0] as never);
        } catch (error) {
          const fault = asFault(error);
          if (fault instanceof Fault && fault.code === 'STORE_UNAVAILABLE') refusing = true;
          one.reject(fault);
        }
      }
      return;
    }
    for (let i = 0; i < batch.length; i++) batch[i]?.resolve(results[i] as never);
  }

  return {
    write<T>(command: (db: WriteHandle) => T): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        if (closed) return reject(new Fault('SHUTTING_DOWN', 'the store is closed'));
        queue.push({ command, resolve: resolve as (value: never) => void, reject });
        if (queue.length === 1) setImmediate(flush);
      });
    },
    refusing: () => refusing,
    async hold(step: () => Promise<void>) {
      held = true;
      try {
        await step();
      } finally {
        held = false;
        if (queue.length > 0) setImmediate(flush);
      }
    },
    async drain() {
      closed = true;
      while (queue.length > 0) await new Promise(setImmediate);
    },
  };
}

function asFault(error: unknown): unknown {
  const code = (error as { code?: string }).code ?? '';
  if (code === 'SQLITE_FULL' || code.startsWith('SQLITE_IOERR') || code === 'SQLITE_READONLY')
    return new Fault('STORE_UNAVAILABLE', `the store refuses writes (${code}): free space in the data folder; it recovers by itself`, { cause: error });
  return error;
}
