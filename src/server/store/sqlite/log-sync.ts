import { close, fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';
import type { Fault } from '../../../lib/fault.ts';

/**
 * Puts what was committed where it is safe, onto the disk or into a journal elsewhere: one request for all commits before
 * it, without holding the event loop.
 */
export interface LogSync {
  /**
   * Calls back once everything committed so far is there, or with the error that kept it from there. Calls back in order.
   * A `Fault` says that it is not known whether it got there; any other error, that nothing will any more.
   */
  after(done: (error: Error | null) => void): void;
  /** The same for who has committed nothing and only read: calls back at once where nothing is under way. */
  settled(done: (error: Error | null) => void): void;
  /** Why nothing can be taken now; null: all is well. Left out: it can always. */
  refusal?(): Fault | null;
  /** Waits for what is under way, and lets the file go. */
  close(): Promise<void>;
}

/**
 * Syncs the write-ahead log of a database. SQLite with `synchronous=FULL` does so inside of COMMIT, where the event loop
 * stands still for it; with `NORMAL` it leaves the log to the system, and the log's checksums make any prefix of it a
 * consistent database. So COMMIT runs with `NORMAL`, and whoever asked for it hears of it after this.
 * A checkpoint syncs the log before it copies it, so what it has copied needs no sync any more.
 */
export function createLogSync(log: string): LogSync {
  let fd: number | null = null;
  /** Whom the sync that is under way will tell, and who waits for the next. */
  let told: ((error: Error | null) => void)[] = [];
  let waiting: ((error: Error | null) => void)[] = [];
  let syncing = false;
  let idle: (() => void)[] = [];

  function next(): void {
    const batch = waiting;
    told = batch;
    waiting = [];
    syncing = batch.length > 0;
    if (!syncing) {
      for (const resolve of idle) resolve();
      idle = [];
      return;
    }
    const end = (error: Error | null) => {
      for (const done of batch) done(error);
      next();
    };
    if (fd !== null) fdatasync(fd, end);
    else
      open(log, 'r+', (error, opened) => {
        if (error) return end(error);
        fd = opened;
        fdatasync(opened, end);
      });
  }

  return {
    after(done) {
      waiting.push(done);
      if (!syncing) next();
    },
    settled(done) {
      if (!syncing) done(null);
      else if (waiting.length > 0) waiting.push(done);
      else told.push(done);
    },
    async close() {
      if (syncing) await new Promise<void>((resolve) => idle.push(resolve));
      if (fd !== null) await promisify(close)(fd);
      fd = null;
    },
  };
}
