import Database from 'better-sqlite3';
import { existsSync, rmSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import type { ReportDamage } from '../../observability/port.ts';
import type { Store, TurnRecorder, WriteHandle } from '../port.ts';
import { checkPages, inspectPages } from './check-pages.ts';
import { checkWal } from './check-wal.ts';
import { startCheckpointer } from './checkpointer.ts';
import { groupCommit } from './group-commit.ts';
import { handle } from './handle.ts';
import { createLogSync, type LogSync } from './log-sync.ts';
import { migrate } from './migrate.ts';
import { closeNoted, forgetSums } from './noted-checkpoint.ts';
import { watchRefusal } from './refusal.ts';
import { createVerify } from './verify.ts';

export interface SqliteOptions {
  file: string;
  /** `normal`: a crash of the process loses nothing, a power cut may lose the last moments. `full`: neither does. */
  durability: 'normal' | 'full';
  /** What puts commits where they are safe, with durability `full`. Default: onto the disk. */
  sync?: (log: string) => LogSync;
  /** Hears of every transaction, from the first one after migrations on; gets the writer's handle before. */
  recorder?: TurnRecorder & { opened(db: WriteHandle, schema: number): void };
  /** Pages of 4 KiB in the write-ahead log above which it is started anew. Default: 32 MiB. */
  logPages?: number;
  /** How long the disk must have refused nothing to be trusted again. */
  steadyMs?: number;
  /** Hears of damage that does not keep the database from being opened. */
  report?: ReportDamage;
}

const CHECKED_BYTES = 64 * 1024 * 1024;
/** Free space that a volume which was full must have to be written to again. */
const ROOM_BYTES = 8 * 1024 * 1024;
/** SQLite's own checkpoints, where the thread that takes them has ended. */
const OWN_CHECKPOINT_PAGES = 1000;

/** Opens (and makes, and migrates) the master's database. Throws a `Fault` whose text names the remedy. */
export function openSqlite({
  file,
  durability,
  sync = createLogSync,
  recorder,
  logPages = 8192,
  steadyMs,
  report = () => {},
}: SqliteOptions): Store {
  const leftAt = lastWrite(file);
  const wal = checkWal(file, report);
  const damaged = checkPages(file, wal, CHECKED_BYTES);
  const db = openFile(file);
  // Only a file without a table takes this; it must come before the log mode.
  db.pragma('auto_vacuum = INCREMENTAL');
  db.pragma('journal_mode = WAL');
  // `full` syncs the log after each commit, see log-sync.ts.
  db.pragma('synchronous = NORMAL');
  db.pragma('foreign_keys = ON');
  db.pragma('busy_timeout = 5000');
  db.pragma('cache_size = -8192');
  db.pragma('temp_store = MEMORY');
  db.pragma('wal_autocheckpoint = 0');
  const pages = inspectPages(db, file, damaged ?? []);
  for (const damage of pages.damages) report(damage);
  migrate(db, file);
  convertSmall(db, file);
  const reader = new Database(file, { readonly: true });
  reader.pragma('cache_size = -4096');
  reader.pragma('temp_store = MEMORY');

  // Its own statements are no part of a turn.
  recorder?.opened(handle(db), Number(db.pragma('user_version', { simple: true })));
  const writeHandle = handle(db, recorder);
  const refusal = watchRefusal({
    hasRoom: () => hasRoom(dirname(file)),
    // Writes the first page, as it is.
    probe: () =>
      group.write(() => {
        group.begin();
        db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true }))}`);
      }),
    steadyMs,
  });
  const group = groupCommit(db, writeHandle, durability === 'full' ? sync(`${file}-wal`) : null, refusal, recorder);
  const checkpointer = startCheckpointer({
    file,
    logPages,
    automatic() {
      forgetSums(db, file);
      db.pragma(`wal_autocheckpoint = ${OWN_CHECKPOINT_PAGES}`);
    },
    hold: group.hold,
  });
  const sizeBytes = () =>
    ['', '-wal'].reduce((sum, suffix) => sum + (existsSync(file + suffix) ? statSync(file + suffix).size : 0), 0);
  return {
    file,
    leftAt,
    read: handle(reader),
    write: group.write,
    durable: group.durable,
    get refusing() {
      return refusal.active;
    },
    space: () => ({
      pages: Number(reader.pragma('page_count', { simple: true })),
      free: Number(reader.pragma('freelist_count', { simple: true })),
    }),
    shrink: (pages) =>
      group.write(() => {
        group.begin();
        db.exec(`PRAGMA incremental_vacuum(${Math.floor(pages)})`);
      }),
    sizeBytes,
    isSuspect: (table, row) => pages.rows.get(table)?.has(row) === true,
    verify: createVerify({ file, report, write: group.write, sizeBytes, checkPages: checkpointer.check }),
    async close() {
      refusal.close();
      await group.drain();
      await checkpointer.close();
      reader.close();
      closeNoted(db, file);
      db.close();
    },
  };
}

/** By the files' own times: whoever keeps it writes every few seconds, as workers are heard of. */
function lastWrite(file: string): number | null {
  const times = [file, `${file}-wal`].flatMap((name) => (existsSync(name) ? [statSync(name).mtimeMs] : []));
  return times.length === 0 ? null : Math.max(...times);
}

/** False where a volume is nearly full; one that does not tell is believed to have room. */
async function hasRoom(folder: string): Promise<boolean> {
  const { blocks, bavail, bsize } = await statfs(folder);
  return blocks === 0 || bavail * bsize >= ROOM_BYTES;
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
    throw new Fault(
      'STORE_CORRUPT',
      `the database ${file} cannot be read (${errorMessage(error)}); restore a backup, or move the file away to start with an empty database`,
      { cause: error },
    );
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
