import type { LogSync } from '../store/sqlite/log-sync.ts';

/** A disk for a store with durability `full` that keeps nothing for good from `hold` until `release`. */
export function heldDisk() {
  let holding = false;
  let waiting: ((error: Error | null) => void)[] = [];
  const sync: LogSync = {
    after(done) {
      if (holding) waiting.push(done);
      else done(null);
    },
    settled(done) {
      if (waiting.length > 0) waiting.push(done);
      else done(null);
    },
    close: async () => {},
  };
  return {
    sync: () => sync,
    /** Who waits for the disk. */
    get waiting() {
      return waiting.length;
    },
    hold() {
      holding = true;
    },
    release() {
      holding = false;
      const told = waiting;
      waiting = [];
      for (const done of told) done(null);
    },
  };
}
export type HeldDisk = ReturnType<typeof heldDisk>;
