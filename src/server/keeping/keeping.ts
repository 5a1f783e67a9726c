import { every, type Clock } from '../../lib/clock.ts';
import type { Access } from '../access/port.ts';
import type { Store } from '../store/port.ts';
import { createBackups } from './backup.ts';
import { deleteOld, type OldLimits } from './old.ts';
import type { Keeping } from './port.ts';
import { giveBack } from './space.ts';

export interface KeepingDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: OldLimits;
  readonly audit: Access['audit'];
  /** Where a backup is made before it is read. */
  readonly folder: string;
  /** Removes jobs whose time is over. */
  tidyJobs(stop: AbortSignal): Promise<number>;
  onError(error: unknown): void;
}

const JOBS_MS = 10_000;
/** Rounds of jobs between two of the rest. */
const REST_EVERY = 6;

/** Keeps what grows within its bounds, all the time and a little at a time. */
export function createKeeping({ store, clock, limits, audit, folder, tidyJobs, onError }: KeepingDeps): Keeping {
  const backups = createBackups({ store, folder, clock });
  const closing = new AbortController();
  let round = 0;
  const stop = every(
    JOBS_MS,
    async () => {
      await tidyJobs(closing.signal);
      if (round++ % REST_EVERY !== 0 || closing.signal.aborted) return;
      await deleteOld(store, limits, clock.now(), closing.signal);
      await giveBack(store, closing.signal);
    },
    onError,
  );

  return {
    async backup(actor) {
      const taken = await backups.take();
      const { version, schema, counts } = taken.header;
      await store.write((db) =>
        audit.record(db, actor, {
          action: 'backup.take',
          target: 'master',
          before: null,
          after: { bytes: taken.bytes, version, schema, counts },
        }),
      );
      return taken;
    },
    async close() {
      closing.abort();
      await backups.close();
      await stop();
    },
  };
}
