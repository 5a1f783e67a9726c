import { createCounts } from './counts.ts';

/**
 * Keeps what is used again, up to so many bytes (a W-TinyLFU). What is new stays for a while, the one used longest ago
 * going first; on its way out it takes the place of others only where more queries asked for it than for them. So a scan
 * of everything pushes out nothing that the operator's page asks for every few seconds, and a scan of more than there is
 * room for, asked again, finds a part of itself.
 */
export interface Cache {
  get<T>(key: string, make: () => { value: T; bytes: number }): T;
  /** The next query begins: what it uses counts once. */
  turn(): void;
  /** Lets go of everything; what was asked for often is still known. */
  clear(): void;
  readonly bytes: number;
}

interface Entry {
  readonly value: unknown;
  readonly bytes: number;
  /** The query that used it last. */
  turn: number;
}

/** Share of the room for what is new. */
const WINDOW = 0.25;

interface Shelf {
  /** Those at the front were used longest ago. */
  readonly entries: Map<string, Entry>;
  bytes: number;
}

export function createCache(most: number): Cache {
  const fresh: Shelf = { entries: new Map(), bytes: 0 };
  const kept: Shelf = { entries: new Map(), bytes: 0 };
  const counts = createCounts();
  let turn = 0;

  function put(shelf: Shelf, key: string, entry: Entry): void {
    shelf.entries.set(key, entry);
    shelf.bytes += entry.bytes;
  }
  function take(shelf: Shelf, key: string, entry: Entry): void {
    shelf.entries.delete(key);
    shelf.bytes -= entry.bytes;
  }

  /** Keeps what leaves the new ones where there is room, or in the place of what fewer queries asked for. */
  function admit(key: string, entry: Entry): void {
    const room = most * (1 - WINDOW);
    if (entry.bytes > room) return;
    const times = counts.of(key);
    const gone: [string, Entry][] = [];
    let bytes = kept.bytes + entry.bytes;
    for (const [old, other] of kept.entries) {
      if (bytes <= room) break;
      if (counts.of(old) >= times) return;
      gone.push([old, other]);
      bytes -= other.bytes;
    }
    for (const [old, other] of gone) take(kept, old, other);
    put(kept, key, entry);
  }

  return {
    get bytes() {
      return fresh.bytes + kept.bytes;
    },
    turn() {
      turn++;
    },
    clear() {
      for (const shelf of [fresh, kept]) {
        shelf.entries.clear();
        shelf.bytes = 0;
      }
    },
    get<T>(key: string, make: () => { value: T; bytes: number }): T {
      for (const { entries } of [kept, fresh]) {
        const found = entries.get(key);
        if (!found) continue;
        if (found.turn !== turn) {
          found.turn = turn;
          counts.add(key, entries.size);
        }
        entries.delete(key);
        entries.set(key, found);
        // A key names one kind of value.
        return found.value as T;
      }
      const made: Entry = { ...make(), turn };
      counts.add(key, kept.entries.size);
      put(fresh, key, made);
      for (const [old, entry] of fresh.entries) {
        if (fresh.bytes <= most * WINDOW || old === key) break;
        take(fresh, old, entry);
        admit(old, entry);
      }
      // Made by the caller's own `make`.
      return made.value as T;
    },
  };
}
