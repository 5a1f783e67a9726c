import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { serveCalls } from '../../../lib/thread-calls.ts';

/** What `PRAGMA wal_checkpoint` tells: pages in the log, and how many of them are in the database file. */
export interface CheckpointState {
  log: number;
  done: number;
}

const db = new Database((workerData as { file: string }).file, { timeout: 1000 });

function checkpoint(mode: 'PASSIVE' | 'RESTART'): CheckpointState {
  const [row] = db.pragma(`wal_checkpoint(${mode})`) as { log: number; checkpointed: number }[];
  return { log: row?.log ?? 0, done: row?.checkpointed ?? 0 };
}

serveCalls(parentPort as MessagePort, {
  /** Copies what it can without holding anybody up. */
  passive: () => checkpoint('PASSIVE'),
  /** Copies the rest, so that the next writer starts the log from its beginning. Nobody may be writing. */
  restart: () => checkpoint('RESTART'),
  close: () => void db.close(),
});
