/**
 * Keeps what is used again, up to so many bytes. What was used in one query alone goes first, so that a scan of everything
 * does not push out what the operator's page asks for every few seconds (a segmented LRU: what is new is on probation).
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
  turn: number;
}

/** Share of the room for what was used in more than one query. */
const KEPT = 0.75;

export function createCache(most: number): Cache {
  // Of both the entries at the front were used longest ago.
  const once = new Map<string, Entry>();
  const kept = new Map<string, Entry>();
  let onceBytes = 0;
  let keptBytes = 0;
  let turn = 0;

  function keep(key: string, entry: Entry): void {
    onceBytes -= entry.bytes;
    keptBytes += entry.bytes;
    once.delete(key);
    kept.set(key, entry);
    for (const [old, other] of kept) {
      if (keptBytes <= most * KEPT || old === key) break;
      kept.delete(old);
      keptBytes -= other.bytes;
      once.set(old, other);
      onceBytes += other.bytes;
    }
  }

  function makeRoom(besides: string): void {
    for (const [old, entry] of once) {
      if (onceBytes + keptBytes <= most || old === besides) break;
      once.delete(old);
      onceBytes -= entry.bytes;
    }
  }

  return {
    get bytes() {
      return onceBytes + keptBytes;
    },
    turn() {
      turn++;
    },
    get<T>(key: string, make: () => { value: T; bytes: number }): T {
      const long = kept.get(key);
      if (long) {
        kept.delete(key);
        kept.set(key, long);
        return long.value as T;
      }
      const short = once.get(key);
      if (short) {
        once.delete(key);
        once.set(key, short);
        if (short.turn !== turn) keep(key, short);
        return short.value as T;
      }
      const made: Entry = { ...make(), turn };
      once.set(key, made);
      onceBytes += made.bytes;
      makeRoom(key);
      return made.value as T;
    },
  };
}
