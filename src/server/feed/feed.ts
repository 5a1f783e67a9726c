import { itemAt } from '../../lib/item-at.ts';
import type { Change, Feed, FeedKind } from './port.ts';

/** Changes kept for resuming; a subscriber further behind is told to start afresh. */
const KEPT = 16_384;

/**
 * The feed of one run of the master, in memory. Sequences begin at the boot time in microseconds, so those of an
 * earlier run are always too old and those of a later one unknown: both get a reset. See docs/decisions.
 */
export function createFeed(bootMs: number, onError: (error: unknown) => void, kept: number = KEPT): Feed {
  // Two columns: an object for each change would live long enough to be moved twice by the collector, and die soon after.
  const kinds = new Array<FeedKind>(kept).fill('job');
  const ids = new Array<string>(kept).fill('');
  const first = bootMs * 1000;
  let next = first + 1;
  const subscribers = new Set<{ at: number; deliver: (changes: readonly Change[]) => void }>();
  let scheduled = false;

  const since = (after: number): Change[] => {
    const changes: Change[] = [];
    for (let s = Math.max(after + 1, next - kept, first + 1); s < next; s++)
      changes.push({ sequence: s, kind: itemAt(kinds, s % kept), id: itemAt(ids, s % kept) });
    return changes;
  };

  function flush() {
    scheduled = false;
    for (const subscriber of subscribers) {
      const changes = since(subscriber.at);
      subscriber.at = next - 1;
      if (changes.length === 0) continue;
      try {
        subscriber.deliver(changes);
      } catch (error) {
        onError(error);
      }
    }
  }

  function wake() {
    if (scheduled || subscribers.size === 0) return;
    scheduled = true;
    setImmediate(flush);
  }

  return {
    get sequence() {
      return next - 1;
    },
    stats: () => ({
      subscribers: subscribers.size,
      lag: [...subscribers].reduce((most, { at }) => Math.max(most, next - 1 - at), 0),
    }),
    publish(kind: FeedKind, id: string) {
      kinds[next % kept] = kind;
      ids[next % kept] = id;
      next++;
      wake();
    },
    subscribe(after, deliver) {
      const known = after === null || (after >= Math.max(first, next - 1 - kept) && after < next);
      const subscriber = { at: known && after !== null ? after : next - 1, deliver };
      subscribers.add(subscriber);
      if (subscriber.at < next - 1) wake();
      return { reset: !known, close: () => void subscribers.delete(subscriber) };
    },
  };
}
