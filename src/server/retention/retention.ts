import { every, type Clock } from '../../lib/clock.ts';
import type { Store } from '../store/port.ts';
import { deleteOldEntries, type RetentionLimits } from './delete-old.ts';
import { releaseFreeSpace } from './free-space.ts';

export interface RetentionDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: RetentionLimits;
  /** Removes jobs whose time is over. */
  tidyJobs(stop: AbortSignal): Promise<number>;
  onError(error: unknown): void;
}

const JOBS_MS = 10_000;
/** Rounds of jobs between two of the rest. */
const REST_EVERY = 6;

/** Keeps what grows within its bounds, all the time and a little at a time. */
export function createRetention({ store, clock, limits, tidyJobs, onError }: RetentionDeps): {
  close(): Promise<void>;
} {
  const closing = new AbortController();
  let round = 0;
  const stop = every(
    JOBS_MS,
    async () => {
      await tidyJobs(closing.signal);
      if (round++ % REST_EVERY !== 0 || closing.signal.aborted) return;
      await deleteOldEntries(store, limits, clock.now(), closing.signal);
      await releaseFreeSpace(store, closing.signal);
    },
    onError,
  );

  return {
    async close() {
      closing.abort();
      await stop();
    },
  };
}
