import { createHash } from 'node:crypto';
import type { Arrivals, LogRun, LogStore } from '../store/port.ts';
import { Refusal } from './answer.ts';
import { linesIn } from './rows.ts';

/** How far somebody has been told what is in the store. */
export interface Place {
  /** Who has the same key has been told the same. */
  readonly key: unknown;
  /** There may be something to tell of times before `to` (Unix ms). */
  isBefore(to: number): boolean;
  /** Finds what was not told yet of times before `to`. */
  look(query: Omit<LogRun, 'from' | 'to'>, to: number, signal: AbortSignal): Look;
}

export interface Look {
  readonly pages: AsyncIterable<Uint8Array>;
  /** The place of who was told all the pages. */
  next(): Place;
}

type Store = Pick<LogStore, 'run' | 'arrived'>;

/** How far each look goes back beyond the last one, for lines that come late. */
const OVERLAP_MS = 5000;
/** Rows of one look that are compared; more would be no tail that anybody reads. */
const ROWS = 100_000;
/** Looks that are remembered where the clock goes back again and again. */
const LOOKS = 16;

/**
 * Looks overlap, and each line is told once. A store that numbers its lines leaves out itself what was shown; rows of another one
 * are compared here. `from`: Unix ms.
 */
export const firstPlace = (store: Store, from: number): Place =>
  store.arrived() === null ? compared(store, from, from, new Map()) : numbered(store, from, []);

function numbered(store: Store, from: number, shown: Arrivals['shown']): Place {
  return {
    key: JSON.stringify([from, shown]),
    isBefore: (to) => shown.length > 0 || to > from,
    look(query, to, signal) {
      const upTo = store.arrived() ?? 0;
      // The clock may have been set back.
      const begin = shown.length === 0 ? from : Math.min(from, to - OVERLAP_MS);
      return {
        pages: store.run({ ...query, from: begin, to, arrivals: { upTo, shown } }, signal),
        next() {
          // Those of earlier times are in this one.
          const others = shown.filter(({ before }) => before > to).slice(-LOOKS);
          return numbered(store, to - OVERLAP_MS, [...others, { before: to, upTo }]);
        },
      };
    },
  };
}

function compared(store: Store, first: number, from: number, before: ReadonlyMap<string, number>): Place {
  return {
    key: {},
    isBefore: (to) => to > from,
    look(query, to, signal) {
      /** How often each row is there. */
      const seen = new Map<string, number>();
      async function* fresh(): AsyncGenerator<Uint8Array> {
        let rows = 0;
        for await (const lines of linesIn(store.run({ ...query, from, to }, signal))) {
          const left = lines.filter((line) => {
            const key = line.length < 100 ? line : createHash('sha1').update(line).digest('base64');
            const count = (seen.get(key) ?? 0) + 1;
            seen.set(key, count);
            return count > (before.get(key) ?? 0);
          });
          if (left.length > 0) yield Buffer.from(`${left.join('\n')}\n`);
          if ((rows += lines.length) > ROWS)
            throw new Refusal(503, `more than ${ROWS} records in ${(to - from) / 1000} s: narrow the query`);
        }
      }
      return { pages: fresh(), next: () => compared(store, first, Math.max(first, to - OVERLAP_MS), seen) };
    },
  };
}
