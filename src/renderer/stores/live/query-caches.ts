import type { QueryClient } from '@tanstack/react-query';
import type { StreamEvent } from '../../../contract/stream.ts';
import { applyEvents, LIVE_QUERY_KEYS } from '../apply-events.ts';

/** Lists are read again at most this often, however many changes come. */
const REREAD_MS = 1000;

/**
 * Puts live changes into the query caches: those of one frame are one change (in a hidden window, which draws no frames, a timer
 * stands in). What must be read again is read by a page that is seen; a hidden one marks it, and reads it when it is seen.
 */
export function createQueryCaches(client: QueryClient, onTaken: (events: number) => void) {
  let queue: StreamEvent[] = [];
  let flushing = false;
  const due = new Map<string, readonly unknown[]>();
  let reread: ReturnType<typeof setTimeout> | undefined;
  const refetchType = () => (document.hidden ? 'none' : 'active');

  function flush() {
    flushing = false;
    const events = queue;
    queue = [];
    for (const key of applyEvents(client, events)) due.set(JSON.stringify(key), key);
    onTaken(events.length);
    if (due.size > 0) reread ??= setTimeout(readDue, REREAD_MS);
  }
  function readDue() {
    clearTimeout(reread);
    reread = undefined;
    const keys = [...due.values()];
    due.clear();
    // A read on its way is not cancelled: under steady change it would never end. As it may be older than the change, the next round reads
    // again. Those that begin here are not: one key may be a part of another.
    for (const queryKey of keys) if (client.isFetching({ queryKey }) > 0) due.set(JSON.stringify(queryKey), queryKey);
    for (const queryKey of keys)
      void client.invalidateQueries({ queryKey, refetchType: refetchType() }, { cancelRefetch: false });
    if (due.size > 0) reread = setTimeout(readDue, REREAD_MS);
  }

  return {
    take(event: StreamEvent) {
      queue.push(event);
      if (flushing) return;
      flushing = true;
      if (document.hidden) setTimeout(flush, 100);
      else {
        // A window may be hidden before its frame comes; the timer then does the work, once.
        const late = setTimeout(() => flushing && flush(), 250);
        requestAnimationFrame(() => {
          clearTimeout(late);
          if (flushing) flush();
        });
      }
    },
    /** Reads again what is live, or everything that is on screen. */
    refresh(all: boolean) {
      if (all) void client.invalidateQueries({ refetchType: refetchType() });
      else {
        for (const key of LIVE_QUERY_KEYS) due.set(JSON.stringify(key), key);
        readDue();
      }
    },
    /** Reads that wait for an answer which does not come hold connections that whoever asks whether it answers needs. What is shown stays. */
    giveUpReads: () =>
      void client.cancelQueries({ fetchStatus: 'fetching', predicate: ({ state }) => state.fetchFailureCount === 0 }),
    stop: () => clearTimeout(reread),
  };
}
