import Database from 'better-sqlite3';
import { serveThread, threadData } from '../../offload/serve-thread.ts';
import { notedCheckpoints } from './noted-checkpoint.ts';

/** Writes wait while the log is started anew, so a reader that needs long is not waited for. */
const BUSY_MS = 10;

const { file } = threadData<{ file: string }>();
const db = new Database(file, { timeout: BUSY_MS });
const checkpoints = notedCheckpoints(db, file, BUSY_MS);

const methods = {
  passive: () => checkpoints.passive(),
  note: () => checkpoints.note(),
  restart: () => checkpoints.restart(),
  /** Holds pages against their sums; those that have none get one. Nobody writes to the file meanwhile: this thread would. */
  check(from: number, count: number) {
    // What was copied since would look like damage.
    checkpoints.note();
    const { sums } = checkpoints;
    const { damaged, unknown, next, bytes } = sums.check(from, count);
    if (unknown.length > 0) sums.note(unknown, sums.state?.salts ?? Buffer.alloc(8));
    return { damaged, next, bytes };
  },
  close() {
    checkpoints.close();
    db.close();
  },
};
export type CheckpointMethods = typeof methods;
serveThread(methods);
