import { frameOf } from '../../logsql/frame.ts';
import type { LogFilter } from '../../port.ts';
import { recordWriter } from '../present.ts';
import type { Source } from '../source.ts';
import { filterOf, readyFilter } from './filter.ts';

/** Those who follow what arrives. Each line has a number by arrival, so that a late one is seen as well, and none twice. */
export interface Tails {
  add(id: number, filter: LogFilter): void;
  remove(id: number): void;
  /** Gives what arrived since the last time. */
  poll(): void;
}

/** Clocks of senders may be ahead by a little: relative times of a filter are of a moment to come. */
const AHEAD_MS = 5000;
/** Records that one follower is given in one go. */
const MOST = 5000;

/** `deliver` gets the records as JSON texts, in the order of their arrival. */
export function createTails(source: Source, deliver: (id: number, records: readonly string[]) => void): Tails {
  const tails = new Map<number, LogFilter>();
  let arrived = 0;

  return {
    add(id, filter) {
      filterOf(filter);
      if (tails.size === 0) {
        const snapshot = source.snapshot();
        arrived = snapshot.arrived;
        snapshot.release();
      }
      tails.set(id, filter);
    },
    remove: (id) => void tails.delete(id),
    poll() {
      if (tails.size === 0) return;
      const snapshot = source.snapshot();
      try {
        const all = [...tails].map(([id, filter]) => ({ id, matcher: readyFilter(filterOf(filter), Date.now() + AHEAD_MS).matcher, found: [] as { arrival: number; text: string }[] }));
        for (const block of snapshot.since(arrived)) {
          const { arrivals } = block;
          const write = recordWriter(block);
          const frame = frameOf(block, null);
          for (const { matcher, found } of all) {
            const mask = matcher(frame, null);
            if (mask === false) continue;
            for (let row = 0; row < block.rows; row++) {
              const arrival = arrivals[row] as number;
              if (arrival > arrived && (mask === true || mask[row] === 1)) found.push({ arrival, text: write(row) });
            }
          }
        }
        arrived = Math.max(arrived, snapshot.arrived);
        for (const { id, found } of all) {
          found.sort((a, b) => a.arrival - b.arrival);
          for (let at = 0; at < found.length; at += MOST) deliver(id, found.slice(at, at + MOST).map(({ text }) => text));
        }
      } finally {
        snapshot.release();
      }
    },
  };
}
