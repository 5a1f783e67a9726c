import { close, fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';

/** Puts what was committed onto the disk, one request for all commits before it, without holding the event loop. */
export interface LogSync {
  /** Calls back once everything committed so far is on the disk, or with the error that kept it from there. Calls back in order. */
  after(done: (error: Error | null) => void): void;
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
  let waiting: ((error: Error | null) => void)[] = [];
  let syncing = false;
  let idle: (() => void)[] = [];

  function next(): void {
    const batch = waiting;
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
    async close() {
      if (syncing) await new Promise<void>((resolve) => idle.push(resolve));
      if (fd !== null) await promisify(close)(fd);
      fd = null;
    },
  };
}
