import Database from 'better-sqlite3';
import { serveThread, threadData } from '../../offload/serve-thread.ts';

/** What `PRAGMA wal_checkpoint` tells: pages in the log, and how many of them are in the database file. */
export interface CheckpointState {
  log: number;
  done: number;
  /** A reader was in the way. */
  busy: boolean;
}

/** Writes wait while the log is started anew, so a reader that needs long is not waited for. */
const BUSY_MS = 10;

const db = new Database(threadData<{ file: string }>().file, { timeout: BUSY_MS });

function checkpoint(mode: 'PASSIVE' | 'RESTART'): CheckpointState {
  const row = db
    .prepare<[], { busy: number; log: number; checkpointed: number }>(`PRAGMA wal_checkpoint(${mode})`)
    .get();
  return { log: row?.log ?? 0, done: row?.checkpointed ?? 0, busy: row?.busy === 1 };
}

const methods = {
  /** Copies what it can without holding anybody up. */
  passive: () => checkpoint('PASSIVE'),
  /** Copies the rest, so that the next writer starts the log from its beginning. Nobody may be writing. */
  restart: () => checkpoint('RESTART'),
  close: () => void db.close(),
};
export type CheckpointMethods = typeof methods;
serveThread(methods);
