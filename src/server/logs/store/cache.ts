/**
 * Keeps what is used again, up to so many bytes. What two queries used is kept longest (a segmented LRU), so that a scan of
 * everything does not push out what the operator's page asks for every few seconds. A scan of more than there is room for
 * does not push out what it read itself at its beginning either: it is there when the same scan comes again.
 */
export interface Cache {
  get<T>(key: string, make: () => { value: T; bytes: number }): T;
  /** The next query begins: what it uses again of an earlier one is kept longest. */
  turn(): void;
  readonly bytes: number;
}

interface Entry {
  readonly value: unknown;
  readonly bytes: number;
  /** The query that used it last. */
  turn: number;
}

/** Share of the room for what was used in more than one query. */
const KEPT = 0.66;
/** Share for what only passes through: a query comes back to the columns of the block at hand. */
const PASSING = 0.125;
/** Entries that are looked at for one of an earlier query. */
const LOOKED_AT = 8;

interface Shelf {
  readonly entries: Map<string, Entry>;
  bytes: number;
}

export function createCache(most: number): Cache {
  // The entries at the front of each were used longest ago.
  const kept: Shelf = { entries: new Map(), bytes: 0 };
  const once: Shelf = { entries: new Map(), bytes: 0 };
  const passing: Shelf = { entries: new Map(), bytes: 0 };
  const room = most * (1 - PASSING);
  let turn = 0;

  function put(shelf: Shelf, key: string, entry: Entry): void {
    shelf.entries.set(key, entry);
    shelf.bytes += entry.bytes;
  }
  function take(shelf: Shelf, key: string): Entry | undefined {
    const entry = shelf.entries.get(key);
    if (entry === undefined) return undefined;
    shelf.entries.delete(key);
    shelf.bytes -= entry.bytes;
    return entry;
  }
  /** Takes away what was used longest ago, while there is more than `bytes`, but not `besides`. */
  function shorten(shelf: Shelf, bytes: () => number, besides: string, gone: (key: string, entry: Entry) => void = () => {}): void {
    for (const [key, entry] of shelf.entries) {
      if (bytes() <= 0 || key === besides) return;
      take(shelf, key);
      gone(key, entry);
    }
  }
  function keep(key: string, entry: Entry): void {
    put(kept, key, entry);
    shorten(kept, () => kept.bytes - most * KEPT, key, (old, other) => put(once, old, other));
    shorten(once, () => once.bytes + kept.bytes - room, key);
  }
  /** What earlier queries alone used goes for what is new. */
  function makeRoom(bytes: number): boolean {
    let looked = 0;
    for (const [key, entry] of once.entries) {
      if (once.bytes + kept.bytes + bytes <= room || ++looked > LOOKED_AT) break;
      if (entry.turn === turn) continue;
      take(once, key);
      looked = 0;
    }
    return once.bytes + kept.bytes + bytes <= room;
  }

  return {
    get bytes() {
      return kept.bytes + once.bytes + passing.bytes;
    },
    turn() {
      turn++;
    },
    get<T>(key: string, make: () => { value: T; bytes: number }): T {
      const long = take(kept, key);
      if (long) {
        long.turn = turn;
        put(kept, key, long);
        return long.value as T;
      }
      for (const shelf of [once, passing]) {
        const short = take(shelf, key);
        if (!short) continue;
        if (short.turn === turn) put(shelf, key, short);
        else {
          short.turn = turn;
          keep(key, short);
        }
        return short.value as T;
      }
      const made: Entry = { ...make(), turn };
      if (makeRoom(made.bytes)) put(once, key, made);
      else {
        put(passing, key, made);
        shorten(passing, () => passing.bytes - most * PASSING, key);
      }
      return made.value as T;
    },
  };
}
