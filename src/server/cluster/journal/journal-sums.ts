import { createHash, hash, type Hash } from 'node:crypto';
import type { JournalEntry } from './port.ts';

/** Entries that follow each other, and what they come to: PostgreSQL adds the same up (SUM_OF_ENTRIES). */
export interface EntriesSum {
  readonly first: number;
  readonly last: number;
  readonly entries: number;
  /** SHA-256 over the numbers and the SHA-256 of the body of each entry, hexadecimal. */
  readonly sum: string;
}

/** So much is added up at a time, there as here. */
const GROUP_BYTES = 4 * 1024 * 1024;
const GROUP_ENTRIES = 1000;

interface Open {
  readonly first: number;
  last: number;
  entries: number;
  bytes: number;
  readonly hash: Hash;
}

/** Sums of the entries that this master knows for certain, in groups: a few hundred bytes for some MiB of the journal. */
export interface JournalSums {
  /** Entries come in order. */
  note(entry: JournalEntry): void;
  /** In order; the last one grows with the next entry. */
  groups(): EntriesSum[];
  /** What comes next is another group. */
  cut(): void;
  /** Leaves out the groups that begin with this turn or before. */
  forgetTo(turn: number): void;
  /** Leaves out the group that begins with this turn. */
  drop(first: number): void;
}

export function createJournalSums(): JournalSums {
  let closed: EntriesSum[] = [];
  let open: Open | null = null;
  const sumOf = ({ first, last, entries, hash: of }: Open): EntriesSum => ({
    ...{ first, last, entries },
    sum: of.copy().digest('hex'),
  });

  function cut(): void {
    if (open) closed.push(sumOf(open));
    open = null;
  }

  return {
    note({ first, last, epoch, body }) {
      open ??= { first, last, entries: 0, bytes: 0, hash: createHash('sha256') };
      const numbers = Buffer.alloc(24);
      for (const [i, number] of [first, last, epoch].entries()) numbers.writeBigInt64BE(BigInt(number), i * 8);
      open.hash.update(numbers).update(hash('sha256', body, 'buffer'));
      open.last = last;
      open.entries++;
      open.bytes += body.length;
      if (open.bytes >= GROUP_BYTES || open.entries >= GROUP_ENTRIES) cut();
    },
    cut,
    groups: () => (open ? [...closed, sumOf(open)] : [...closed]),
    forgetTo(turn) {
      closed = closed.filter(({ first }) => first > turn);
      if (open && open.first <= turn) open = null;
    },
    drop(wanted) {
      closed = closed.filter(({ first }) => first !== wanted);
      if (open?.first === wanted) open = null;
    },
  };
}
