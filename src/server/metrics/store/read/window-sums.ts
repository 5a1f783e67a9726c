import { partOf, PART_MS } from '../files/partition.ts';
import type { Stretches } from '../files/read-rolls.ts';
import { MINUTE } from '../files/roll-up.ts';
import type { ValueSink } from './fold.ts';

/** Counts and sums of the windows of a partition, a place for each. */
interface Sums {
  readonly part: number;
  readonly counts: Float64Array;
  readonly sums: Float64Array;
}

/** Where the memory of those comes from that are read, and goes to. `everyMs`: windows of a minute or more, all of which lie within a partition. */
export interface SumsMemory {
  readonly everyMs: number;
  take(): Pick<Sums, 'counts' | 'sums'>;
  give(sums: Pick<Sums, 'counts' | 'sums'>): void;
}

/** `charge` hears of the numbers that are held. */
export function createSumsMemory(everyMs: number, charge: (numbers: number) => void): SumsMemory {
  const many = PART_MS / everyMs;
  const free: Pick<Sums, 'counts' | 'sums'>[] = [];
  return {
    everyMs,
    take() {
      const one = free.pop();
      if (one) return one;
      charge(2 * many);
      return { counts: new Float64Array(many), sums: new Float64Array(many) };
    },
    give({ counts, sums }) {
      counts.fill(0);
      sums.fill(0);
      free.push({ counts, sums });
    },
  };
}

/**
 * Counts and sums of the windows of one series, partition by partition: most often of one alone, until it is drained. Nothing
 * is looked up for a window, which a fold of any range has to do.
 */
export class WindowSums implements ValueSink {
  private readonly held = new Map<number, Sums>();
  private last: Sums | null = null;
  private readonly memory: SumsMemory;
  constructor(memory: SumsMemory) {
    this.memory = memory;
  }

  /** Of a partition; most often it is the last. */
  private of(part: number): Sums {
    if (this.last?.part === part) return this.last;
    let one = this.held.get(part);
    if (!one) this.held.set(part, (one = { part, ...this.memory.take() }));
    return (this.last = one);
  }

  point(ms: number, value: number): void {
    const part = partOf(ms);
    const { counts, sums } = this.of(part);
    const at = Math.floor((ms - part) / this.memory.everyMs);
    counts[at] = (counts[at] ?? 0) + 1;
    sums[at] = (sums[at] ?? 0) + value;
  }

  points(ms: Float64Array, values: Float64Array, count: number, scale: number, from: number, to: number): void {
    const { everyMs } = this.memory;
    let i = 0;
    while (i < count && (ms[i] ?? 0) < from) i++;
    while (i < count && (ms[i] ?? 0) < to) {
      const part = partOf(ms[i] ?? 0);
      const { counts, sums } = this.of(part);
      const last = Math.min(to, part + PART_MS);
      let at = Math.floor(((ms[i] ?? 0) - part) / everyMs);
      let end = part + (at + 1) * everyMs;
      while (i < count && (ms[i] ?? 0) < last) {
        for (; (ms[i] ?? 0) >= end; at++) end += everyMs;
        const before = end < last ? end : last;
        const begin = i;
        // Whole numbers where they are decimals: their sum is exact.
        let total = 0;
        for (; i < count && (ms[i] ?? 0) < before; i++) total += values[i] ?? 0;
        counts[at] = (counts[at] ?? 0) + i - begin;
        sums[at] = (sums[at] ?? 0) + total / scale;
      }
    }
  }

  minutes(start: number, from: number, to: number, { count, minutes, parts }: Stretches): void {
    const { counts, sums } = this.of(start);
    const each = this.memory.everyMs / MINUTE;
    const low = (from - start) / MINUTE;
    const high = (to - start) / MINUTE;
    for (let i = 0; i < count; i++) {
      const minute = minutes[i] ?? 0;
      if (minute < low || minute >= high) continue;
      const at = Math.floor(minute / each);
      counts[at] = (counts[at] ?? 0) + (parts.count?.[i] ?? 0);
      if (parts.sum) sums[at] = (sums[at] ?? 0) + (parts.sum[i] ?? 0);
    }
  }

  /** Hands over what it holds of each partition, and gives its memory back. */
  drain(visit: (part: number, counts: Float64Array, sums: Float64Array) => void): void {
    for (const sums of this.held.values()) {
      visit(sums.part, sums.counts, sums.sums);
      this.memory.give(sums);
    }
    this.held.clear();
    this.last = null;
  }
}
