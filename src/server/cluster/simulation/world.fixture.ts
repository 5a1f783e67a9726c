/** The time, the chance and the diary of a simulation. The same seed makes the same run, bit for bit. */
export interface World {
  /** Milliseconds since the simulation began. */
  readonly now: number;
  readonly random: Random;
  /** Calls once after so long; gives what keeps it from that. */
  at(ms: number, run: () => void): () => void;
  note(who: string, text: string): void;
  readonly notes: readonly string[];
  /** Something that must never happen has happened. */
  broken(what: string): void;
  readonly violation: string | null;
  /** Lets time pass until then, until `done`, or until something is broken. */
  run(until: number, done?: () => boolean): Promise<void>;
}

export interface Random {
  /** From 0 up to 1. */
  unit(): number;
  chance(probability: number): boolean;
  /** From `least` to `most`, both included. */
  integer(least: number, most: number): number;
  between(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
}

interface Event {
  readonly time: number;
  readonly number: number;
  run: (() => void) | null;
}

/** Two rounds: what an event set going may commit in the next one (store/sqlite/group-commit.ts). */
async function settle(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

export function createWorld(seed: number): World {
  const heap = createHeap();
  const notes: string[] = [];
  let now = 0;
  let count = 0;
  let violation: string | null = null;
  const note = (who: string, text: string): void =>
    void notes.push(`${(now / 1000).toFixed(3).padStart(8)} ${who.padEnd(8)} ${text}`);
  return {
    get now() {
      return now;
    },
    random: createRandom(seed),
    at(ms, run) {
      const event: Event = { time: now + Math.max(0, ms), number: count++, run };
      heap.push(event);
      return () => (event.run = null);
    },
    note,
    notes,
    broken(what) {
      note('CHECK', what);
      violation ??= what;
    },
    get violation() {
      return violation;
    },
    async run(until, done) {
      for (;;) {
        if (violation !== null || done?.()) return;
        const next = heap.peek();
        if (next === undefined || next.time > until) break;
        heap.pop();
        if (next.run === null) continue;
        now = next.time;
        next.run();
        await settle();
      }
      now = until;
    },
  };
}

function createHeap() {
  const events: Event[] = [];
  const isBefore = (a: Event, b: Event) => a.time < b.time || (a.time === b.time && a.number < b.number);
  function sift(from: number): void {
    for (let at = from; ;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < events.length && isBefore(events[child]!, events[least]!)) least = child;
      if (least === at) return;
      [events[at], events[least]] = [events[least]!, events[at]!];
      at = least;
    }
  }
  return {
    peek: (): Event | undefined => events[0],
    push(event: Event): void {
      let at = events.push(event) - 1;
      for (let parent = (at - 1) >> 1; at > 0 && isBefore(event, events[parent]!); parent = (at - 1) >> 1) {
        events[at] = events[parent]!;
        events[parent] = event;
        at = parent;
      }
    },
    pop(): void {
      const last = events.pop();
      if (last === undefined || events.length === 0) return;
      events[0] = last;
      sift(0);
    },
  };
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = (seed * 0x9e37_79b1) >>> 0;
  function unit(): number {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (least: number, most: number) => least + unit() * (most - least);
  return {
    unit,
    chance: (probability) => unit() < probability,
    integer: (least, most) => Math.floor(between(least, most + 1)),
    between,
    pick: (from) => from[Math.floor(unit() * from.length)]!,
  };
}
