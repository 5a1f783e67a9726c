import { frameOf } from '../../logsql/frame.ts';
import type { LogFilter } from '../../port.ts';
import { recordWriter } from './records.ts';
import type { Source } from './source.ts';
import { filterOf, readyFilter } from './filter.ts';

/** Those who follow what arrives. Each line has a number by arrival, so that a late one is seen as well, and none twice. */
export interface Tails {
  /** `after`: the number of the newest line that is old to this one. */
  add(id: number, filter: LogFilter, after: number): void;
  remove(id: number): void;
  /** Gives what arrived since the last time; returns the number of the newest line. */
  poll(): number;
}

/** Clocks of senders may be ahead by a little: relative times of a filter are of a moment to come. */
const AHEAD_MS = 5000;
/** Records, and characters of them, that one follower is given in one go: what takes them in rests in between. */
const MOST = 500;
const MAX_CHARS = 256 * 1024;
/**
 * Characters of records that are made at one time for followers of different filters, each up to its share, and that all followers are
 * given together: a burst of lines for hundreds of them would fill the memory otherwise, and hold whoever hands it on.
 */
const MADE_CHARS = 4 * 1024 * 1024;
const GIVEN_CHARS = 16 * 1024 * 1024;

/** Gets records as JSON texts for some followers, in the order of their arrival. `missed`: so many more were too much for one time. */
export type DeliverRecords = (ids: readonly number[], records: readonly string[], missed: number) => void;

export function createTails(source: Source, deliver: DeliverRecords): Tails {
  const tails = new Map<number, { filter: LogFilter; key: string; after: number }>();

  return {
    add(id, filter, after) {
      filterOf(filter);
      tails.set(id, { filter, key: JSON.stringify(filter), after });
    },
    remove: (id) => void tails.delete(id),
    poll() {
      // Nothing was delivered where a block turns out to be damaged.
      for (;;) {
        try {
          return poll();
        } catch (error) {
          if (!source.leavesOut(error)) throw error;
        }
      }
    },
  };

  function poll(): number {
    const snapshot = source.snapshot();
    try {
      const now = Date.now() + AHEAD_MS;
      // Those who follow the same are given the same.
      const groups = Map.groupBy(tails, ([, { key, after }]) => `${after} ${key}`);
      const all = [...groups.values()].map((members) => {
        const [, { filter, after }] = members[0] as (typeof members)[0];
        return {
          ids: members.map(([id]) => id),
          after,
          matcher: readyFilter(filterOf(filter), now).matcher,
          found: [] as { arrival: number; text: string }[],
          chars: 0,
          missed: 0,
        };
      });
      const share = Math.min(MADE_CHARS / all.length, GIVEN_CHARS / tails.size);
      let left = MADE_CHARS;
      for (const block of snapshot.since(Math.min(...all.map(({ after }) => after)))) {
        const { arrivals } = block;
        const write = recordWriter(block);
        const frame = frameOf(block, null);
        /** Of rows that somebody is given: the others are given the same ones. */
        const texts: string[] = [];
        for (const one of all) {
          const mask = one.matcher(frame, null);
          if (mask === false) continue;
          for (let row = 0; row < block.rows; row++) {
            const arrival = arrivals[row] ?? 0;
            if (arrival <= one.after || (mask !== true && mask[row] !== 1)) continue;
            const text = one.missed > 0 ? null : (texts[row] ??= write(row));
            if (text === null || text.length > left || (one.chars > 0 && one.chars + text.length > share)) {
              one.missed++;
              continue;
            }
            one.found.push({ arrival, text });
            one.chars += text.length;
            left -= text.length;
          }
        }
      }
      for (const tail of tails.values()) tail.after = Math.max(tail.after, snapshot.arrived);
      for (const { ids, found, missed } of all) {
        found.sort((a, b) => a.arrival - b.arrival);
        for (const some of inPieces(found.map(({ text }) => text))) deliver(ids, some, 0);
        if (missed > 0) deliver(ids, [], missed);
      }
      return snapshot.arrived;
    } finally {
      snapshot.release();
    }
  }
}

function* inPieces(texts: readonly string[]): Generator<readonly string[]> {
  let from = 0;
  let chars = 0;
  for (const [i, { length }] of texts.entries()) {
    if (i > from && (i - from === MOST || chars + length > MAX_CHARS)) {
      yield texts.slice(from, i);
      [from, chars] = [i, 0];
    }
    chars += length;
  }
  if (from < texts.length) yield texts.slice(from);
}
