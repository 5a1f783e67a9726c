import { MINUTE, type RollPart } from '../files/roll-up.ts';

/** Values put together by windows that are aligned to the epoch, or in one window where there is no interval. */
export interface Fold {
  point(ms: number, value: number): void;
  /** Minutes of a roll-up from `from` to before `to`: their places after `start`, and what is kept of them. */
  minutes(
    start: number,
    from: number,
    to: number,
    minutes: Float64Array,
    parts: Readonly<Partial<Record<RollPart, Float64Array>>>,
  ): void;
  /** Places of the windows that hold something, in time order. */
  order(): number[];
  readonly starts: readonly number[];
  readonly count: readonly number[];
  readonly sum: readonly number[];
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** Every value of each window; null: they are not kept. */
  readonly values: readonly number[][] | null;
}

/** Windows up to which their places stand in an array. */
const DENSE = 4096;

/** `everyMs` null: all from `from` on is one window. */
export function createFold(
  from: number,
  to: number,
  everyMs: number | null,
  keepValues: boolean,
  charge: (values: number) => void,
): Fold {
  const every = everyMs ?? Number.POSITIVE_INFINITY;
  const base = everyMs === null ? 0 : Math.floor(from / every);
  const many = everyMs === null ? 1 : Math.ceil(to / every) - base;
  const dense = many <= DENSE && many > 0 ? new Int32Array(many).fill(-1) : null;
  const sparse = dense ? null : new Map<number, number>();
  const starts: number[] = [];
  const count: number[] = [];
  const sum: number[] = [];
  const min: number[] = [];
  const max: number[] = [];
  const first: number[] = [];
  const last: number[] = [];
  const firstMs: number[] = [];
  const lastMs: number[] = [];
  const values: number[][] | null = keepValues ? [] : null;

  const slotOf = (ms: number): number => slotAt(everyMs === null ? 0 : Math.floor(ms / every) - base);

  function slotAt(window: number): number {
    const known = dense ? (dense[window] ?? -1) : (sparse?.get(window) ?? -1);
    if (known >= 0) return known;
    const slot = starts.length;
    charge(8);
    if (dense) dense[window] = slot;
    else sparse?.set(window, slot);
    starts.push(everyMs === null ? from : (window + base) * every);
    count.push(0);
    sum.push(0);
    min.push(Number.POSITIVE_INFINITY);
    max.push(Number.NEGATIVE_INFINITY);
    first.push(0);
    last.push(0);
    firstMs.push(Number.POSITIVE_INFINITY);
    lastMs.push(Number.NEGATIVE_INFINITY);
    values?.push([]);
    return slot;
  }

  function take(
    slot: number,
    ms: number,
    n: number,
    total: number,
    least: number,
    most: number,
    oldest: number,
    newest: number,
  ): void {
    count[slot] = (count[slot] ?? 0) + n;
    sum[slot] = (sum[slot] ?? 0) + total;
    if (least < (min[slot] ?? 0)) min[slot] = least;
    if (most > (max[slot] ?? 0)) max[slot] = most;
    if (ms < (firstMs[slot] ?? 0)) {
      firstMs[slot] = ms;
      first[slot] = oldest;
    }
    if (ms >= (lastMs[slot] ?? 0)) {
      lastMs[slot] = ms;
      last[slot] = newest;
    }
  }

  return {
    starts,
    count,
    sum,
    min,
    max,
    first,
    last,
    values,
    point(ms, value) {
      const slot = slotOf(ms);
      take(slot, ms, 1, value, value, value, value, value);
      if (values) {
        charge(1);
        (values[slot] as number[]).push(value);
      }
    },
    minutes(start, since, before, places, parts) {
      const { min: least, max: most, first: oldest, last: newest } = parts;
      const counts = parts.count as Float64Array;
      const sums = parts.sum ?? null;
      const plain = !least && !most && !oldest && !newest;
      // In minutes from here on: this loop is what a long range takes its time for.
      const begin = start / MINUTE;
      const low = since / MINUTE - begin;
      const high = before / MINUTE - begin;
      const each = every / MINUTE;
      for (let i = 0; i < places.length; i++) {
        const place = places[i] ?? 0;
        if (place < low || place >= high) continue;
        const window = everyMs === null ? 0 : (each === 1 ? begin + place : Math.floor((begin + place) / each)) - base;
        const known = dense ? (dense[window] ?? -1) : -1;
        const slot = known >= 0 ? known : slotAt(window);
        if (plain) {
          count[slot] = (count[slot] ?? 0) + (counts[i] ?? 0);
          if (sums) sum[slot] = (sum[slot] ?? 0) + (sums[i] ?? 0);
        } else
          take(
            slot,
            start + place * MINUTE,
            counts[i] ?? 0,
            sums?.[i] ?? 0,
            least?.[i] ?? Number.NaN,
            most?.[i] ?? Number.NaN,
            oldest?.[i] ?? Number.NaN,
            newest?.[i] ?? Number.NaN,
          );
      }
    },
    order: () => starts.map((_, i) => i).sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0)),
  };
}

/** Nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
