import type { Stretches } from '../files/read-rolls.ts';
import { MINUTE, type RollPart } from '../files/roll-up.ts';

/** Where the values of a series go, piece by piece. */
export interface ValueSink {
  point(ms: number, value: number): void;
  /** The points of the first `count` times, which ascend, from `from` to before `to`. `values` are the points' times `scale`. */
  points(ms: Float64Array, values: Float64Array, count: number, scale: number, from: number, to: number): void;
  /** Minutes of a roll-up from `from` to before `to`: their places after `start`, and what is kept of them. */
  minutes(start: number, from: number, to: number, kept: Stretches): void;
}

/** Values put together by windows that are aligned to the epoch, or in one window where there is no interval. */
export interface Fold extends ValueSink {
  /** Windows that hold something: their values are at places below this. */
  readonly length: number;
  /** Places of the windows that hold something, in time order. */
  order(): Int32Array;
  /** What one part has of all windows, by `order`. */
  inOrder(order: Int32Array, part: RollPart | 'starts'): Float64Array;
  at(place: number, part: RollPart | 'starts'): number;
  /** Every value of each window; null: they are not kept. */
  readonly values: readonly number[][] | null;
  /** Hands over what each window that holds something comes to, in the order in which they were met, and empties it. Its memory stays. */
  drain(aggregate: RollPart | 'mean', visit: (start: number, value: number) => void): void;
}

/** Windows up to which their places stand in an array. */
const DENSE = 4096;
/** Windows that a fold has room for at first. */
const FIRST = 16;
const NOTHING = new Float64Array(0);

/** `everyMs` null: all from `from` on is one window. Of the parts only those that are asked for are kept. */
export function createFold(
  from: number,
  to: number,
  everyMs: number | null,
  keptParts: readonly RollPart[],
  keepValues: boolean,
  charge: (values: number) => void,
): Fold {
  const every = everyMs ?? Number.POSITIVE_INFINITY;
  const base = everyMs === null ? 0 : Math.floor(from / every);
  const many = everyMs === null ? 1 : Math.ceil(to / every) - base;
  const dense = many <= DENSE && many > 0 ? new Int32Array(many).fill(-1) : null;
  const sparse = dense ? null : new Map<number, number>();
  const keeps = (part: RollPart): boolean => keptParts.includes(part);
  const [sums, mins, maxs, firsts, lasts] = [keeps('sum'), keeps('min'), keeps('max'), keeps('first'), keeps('last')];
  const plain = !mins && !maxs && !firsts && !lasts;
  let room = 0;
  let length = 0;
  let ordered = true;
  let starts = NOTHING;
  let count = NOTHING;
  let sum = NOTHING;
  let min = NOTHING;
  let max = NOTHING;
  let first = NOTHING;
  let last = NOTHING;
  let firstMs = NOTHING;
  let lastMs = NOTHING;
  const values: number[][] | null = keepValues ? [] : null;

  function grow(): void {
    const before = room;
    room = Math.min(Math.max(FIRST, room * 4), dense ? many : Number.POSITIVE_INFINITY);
    charge(8 * (room - before));
    const larger = (old: Float64Array, kept = true): Float64Array<ArrayBuffer> => {
      if (!kept) return NOTHING;
      const all = new Float64Array(room);
      all.set(old);
      return all;
    };
    starts = larger(starts);
    count = larger(count);
    sum = larger(sum, sums);
    min = larger(min, mins);
    max = larger(max, maxs);
    first = larger(first, firsts);
    last = larger(last, lasts);
    firstMs = larger(firstMs, firsts);
    lastMs = larger(lastMs, lasts);
  }

  function drain(aggregate: RollPart | 'mean', visit: (start: number, value: number) => void): void {
    const of = valuesOf(aggregate === 'mean' ? 'sum' : aggregate);
    for (let slot = 0; slot < length; slot++) {
      const start = starts[slot] ?? 0;
      if (dense) dense[Math.floor(start / every) - base] = -1;
      visit(start, aggregate === 'mean' ? (of[slot] ?? 0) / (count[slot] ?? 0) : (of[slot] ?? 0));
    }
    sparse?.clear();
    for (const added of [count, sum]) added.fill(0, 0, length);
    if (values) values.length = 0;
    length = 0;
    ordered = true;
  }

  const slotOf = (ms: number): number => {
    const window = everyMs === null ? 0 : Math.floor(ms / every) - base;
    const known = dense ? (dense[window] ?? -1) : (sparse?.get(window) ?? -1);
    return known >= 0 ? known : newSlot(window);
  };

  function newSlot(window: number): number {
    const slot = length++;
    if (slot === room) grow();
    if (dense) dense[window] = slot;
    else sparse?.set(window, slot);
    const start = everyMs === null ? from : (window + base) * every;
    if (slot > 0 && start < (starts[slot - 1] ?? 0)) ordered = false;
    starts[slot] = start;
    if (mins) min[slot] = Number.POSITIVE_INFINITY;
    if (maxs) max[slot] = Number.NEGATIVE_INFINITY;
    if (firsts) firstMs[slot] = Number.POSITIVE_INFINITY;
    if (lasts) lastMs[slot] = Number.NEGATIVE_INFINITY;
    values?.push([]);
    return slot;
  }

  function takeEnds(slot: number, ms: number, least: number, most: number, oldest: number, newest: number): void {
    takeExtremes(slot, least, most);
    takeOldest(slot, ms, oldest);
    takeNewest(slot, ms, newest);
  }
  function takeExtremes(slot: number, least: number, most: number): void {
    if (mins && least < (min[slot] ?? 0)) min[slot] = least;
    if (maxs && most > (max[slot] ?? 0)) max[slot] = most;
  }
  function takeOldest(slot: number, ms: number, value: number): void {
    if (!firsts || ms >= (firstMs[slot] ?? 0)) return;
    firstMs[slot] = ms;
    first[slot] = value;
  }
  function takeNewest(slot: number, ms: number, value: number): void {
    if (!lasts || ms < (lastMs[slot] ?? 0)) return;
    lastMs[slot] = ms;
    last[slot] = value;
  }

  /** Points of which only counts and sums are kept, from the one at `i` on. */
  function addUp(ms: Float64Array, points: Float64Array, i: number, n: number, scale: number, before: number): void {
    const places = dense;
    let [ns, totals] = [count, sum];
    let window = 0;
    let end = everyMs === null ? before : Number.NEGATIVE_INFINITY;
    while (i < n) {
      const start = ms[i] ?? 0;
      if (start >= before) return;
      if (start >= end) {
        // Most often it is the next.
        if (start < end + every) {
          window++;
          end += every;
        } else {
          window = Math.floor(start / every);
          end = (window + 1) * every;
          window -= base;
        }
      }
      let slot = places ? (places[window] ?? -1) : (sparse?.get(window) ?? -1);
      if (slot < 0) {
        slot = newSlot(window);
        [ns, totals] = [count, sum];
      }
      const last = end < before ? end : before;
      const begin = i;
      // Whole numbers where they are decimals: their sum is exact.
      let total = 0;
      for (; i < n && (ms[i] ?? 0) < last; i++) total += points[i] ?? 0;
      ns[slot] = (ns[slot] ?? 0) + i - begin;
      if (sums) totals[slot] = (totals[slot] ?? 0) + total / scale;
    }
  }

  const valuesOf = (part: RollPart | 'starts'): Float64Array => {
    switch (part) {
      case 'starts':
        return starts;
      case 'count':
        return count;
      case 'sum':
        return sum;
      case 'min':
        return min;
      case 'max':
        return max;
      case 'first':
        return first;
      case 'last':
        return last;
    }
  };

  return {
    get length() {
      return length;
    },
    values,
    drain,
    point(ms, value) {
      const slot = slotOf(ms);
      count[slot] = (count[slot] ?? 0) + 1;
      if (sums) sum[slot] = (sum[slot] ?? 0) + value;
      if (!plain) takeEnds(slot, ms, value, value, value, value);
      if (values) {
        charge(1);
        (values[slot] as number[]).push(value);
      }
    },
    points(ms, points, n, scale, since, before) {
      let i = 0;
      while (i < n && (ms[i] ?? 0) < since) i++;
      if (plain && !values) return addUp(ms, points, i, n, scale, before);
      while (i < n) {
        const start = ms[i] ?? 0;
        if (start >= before) return;
        const slot = slotOf(start);
        const end = everyMs === null ? before : Math.min(before, (starts[slot] ?? 0) + every);
        const begin = i;
        let total = 0;
        let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
        for (; i < n && (ms[i] ?? 0) < end; i++) {
          const value = points[i] ?? 0;
          total += value;
          if (value < least) least = value;
          if (value > most) most = value;
        }
        count[slot] = (count[slot] ?? 0) + i - begin;
        if (sums) sum[slot] = (sum[slot] ?? 0) + total / scale;
        takeExtremes(slot, least / scale, most / scale);
        takeOldest(slot, start, (points[begin] ?? 0) / scale);
        takeNewest(slot, ms[i - 1] ?? 0, (points[i - 1] ?? 0) / scale);
        for (let k = begin; values && k < i; k++) {
          charge(1);
          (values[slot] as number[]).push((points[k] ?? 0) / scale);
        }
      }
    },
    minutes(start, since, before, { count: n, minutes: places, parts }) {
      const { min: least, max: most, first: oldest, last: newest } = parts;
      const counts = parts.count ?? NOTHING;
      const added = (sums && parts.sum) || null;
      // In minutes from here on, since the first window: this loop is what a long range takes its time for.
      const each = everyMs === null ? 0 : every / MINUTE;
      const begin = start / MINUTE - base * each;
      const low = (since - start) / MINUTE;
      const high = (before - start) / MINUTE;
      let [ns, totals] = [count, sum];
      for (let i = 0; i < n; i++) {
        const place = places[i] ?? 0;
        if (place < low || place >= high) continue;
        const window = each === 0 ? 0 : each === 1 ? begin + place : Math.floor((begin + place) / each);
        let slot = dense ? (dense[window] ?? -1) : (sparse?.get(window) ?? -1);
        if (slot < 0) {
          slot = newSlot(window);
          ns = count;
          totals = sum;
        }
        ns[slot] = (ns[slot] ?? 0) + (counts[i] ?? 0);
        if (added) totals[slot] = (totals[slot] ?? 0) + (added[i] ?? 0);
        if (!plain)
          takeEnds(
            slot,
            start + place * MINUTE,
            least?.[i] ?? Number.NaN,
            most?.[i] ?? Number.NaN,
            oldest?.[i] ?? Number.NaN,
            newest?.[i] ?? Number.NaN,
          );
      }
    },
    order() {
      const places = new Int32Array(length);
      for (let i = 0; i < length; i++) places[i] = i;
      return ordered ? places : places.sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0));
    },
    inOrder(order, part) {
      const of = valuesOf(part);
      const values = of.slice(0, order.length);
      if (!ordered) for (let i = 0; i < order.length; i++) values[i] = of[order[i] ?? 0] ?? 0;
      return values;
    },
    at: (place, part) => valuesOf(part)[place] ?? 0,
  };
}

/** Nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
