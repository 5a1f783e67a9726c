import { hashOf } from '../blocks/bloom.ts';

/** About how often each of very many texts came of late, in little memory. */
export interface Counts {
  /** `kept`: how many things are chosen by their counts; the more, the longer a count is worth something. */
  add(text: string, kept: number): void;
  of(text: string): number;
}

const PLACES = 65_536;
const MOST = 15;
/** After so many times as many as are kept, and this many at the least, all counts are halved. */
const WORTH = 10;
const WORTH_LEAST = 4096;

/** A count-min sketch of two rows, whose counts age. */
export function createCounts(): Counts {
  const first = new Uint8Array(PLACES);
  const second = new Uint8Array(PLACES);
  let added = 0;
  const mixed = (hash: number): number => (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 12) % PLACES;

  return {
    add(text, kept) {
      const hash = hashOf(text);
      const a = hash % PLACES;
      const b = mixed(hash);
      first[a] = Math.min(MOST, (first[a] ?? 0) + 1);
      second[b] = Math.min(MOST, (second[b] ?? 0) + 1);
      if (++added < Math.max(WORTH_LEAST, kept * WORTH)) return;
      added = 0;
      for (const row of [first, second]) for (let i = 0; i < PLACES; i++) row[i] = (row[i] ?? 0) >>> 1;
    },
    of(text) {
      const hash = hashOf(text);
      return Math.min(first[hash % PLACES] ?? 0, second[mixed(hash)] ?? 0);
    },
  };
}
