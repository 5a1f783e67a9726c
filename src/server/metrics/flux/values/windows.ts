import { runtimeError } from '../language/errors.ts';
import type { Bounds } from './stream.ts';
import { addMonths, MAX_TIME, NS_PER_SECOND } from './time.ts';
import { Duration } from './values.ts';

/** Windows that begin at every multiple of a duration since the epoch. */
export interface Windows {
  /** Number of the last window that begins at or before an instant. */
  at(ns: bigint): number;
  start(index: number): bigint;
  stop(index: number): bigint;
}

/** What `inf` stands for: one window that holds all. */
export const INFINITE = new Duration(0, MAX_TIME);

export const isInfinite = ({ months, ns }: Duration): boolean => months === 0 && ns === MAX_TIME;

/** Windows that one instant may lie in. */
const OVERLAP = 10_000;
const MONTH_NS = 2_592_000_000_000_000;
const lengthOf = ({ months, ns }: Duration): number => months * MONTH_NS + Number(ns);

/** Throws FLUX_RUNTIME where the durations make no windows. */
export function createWindows(every: Duration, period: Duration, offset: Duration): Windows {
  if (every.zero || every.negative) throw runtimeError('every: expected a duration above 0');
  if (period.zero || period.negative) throw runtimeError('period: expected a duration above 0');
  for (const [name, one] of [
    ['every', every],
    ['period', period],
  ] as const)
    if (one.months !== 0 && one.ns !== 0n)
      throw runtimeError(`${name}: duration used as an interval cannot mix month and nanosecond units`);
  if (every.months === 0 && every.ns < 1000n) throw runtimeError('every: expected at least 1us');
  if (lengthOf(period) / lengthOf(every) > OVERLAP)
    throw runtimeError(`period: expected at most ${OVERLAP} times every`);
  const shift = (index: number): bigint =>
    every.months > 0 ? addMonths(0n, index * every.months) : BigInt(index) * every.ns;
  const start = (index: number): bigint => addMonths(shift(index), offset.months) + offset.ns;
  return {
    at(ns) {
      if (every.months > 0) {
        const date = new Date(Number(addMonths(ns - offset.ns, -offset.months) / (NS_PER_SECOND / 1000n)));
        let index = Math.floor(((date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()) / every.months);
        while (start(index) > ns) index--;
        while (start(index + 1) <= ns) index++;
        return index;
      }
      const since = ns - start(0);
      const quotient = since / every.ns;
      return Number(since < 0n && quotient * every.ns !== since ? quotient - 1n : quotient);
    },
    start,
    stop: (index) => addMonths(start(index), period.months) + period.ns,
  };
}

export interface Part extends Bounds {
  /** Rows of the window, `to` exclusive. */
  readonly from: number;
  readonly to: number;
}

/**
 * The windows of a range, cut to it, with their rows. `times` in order; without `empty` only windows that have rows.
 */
export function* partsOf(windows: Windows, bounds: Bounds, times: ArrayLike<bigint>, empty: boolean): Iterable<Part> {
  // The first window that reaches into the range: windows longer than their distance overlap.
  let index = windows.at(bounds.start);
  while (windows.stop(index - 1) > bounds.start) index--;
  while (windows.stop(index) <= bounds.start) index++;
  let from = 0;
  for (; windows.start(index) < bounds.stop; index++) {
    const start = windows.start(index) > bounds.start ? windows.start(index) : bounds.start;
    const stop = windows.stop(index) < bounds.stop ? windows.stop(index) : bounds.stop;
    while (from < times.length && (times[from] ?? 0n) < start) from++;
    let to = from;
    while (to < times.length && (times[to] ?? 0n) < stop) to++;
    if (to > from || empty) {
      yield { start, stop, from, to };
      continue;
    }
    if (from >= times.length) return;
    // To the first window that holds the next row.
    const next = windows.at(times[from] ?? 0n);
    if (next > index) {
      index = next;
      while (windows.stop(index - 1) > (times[from] ?? 0n)) index--;
      index--;
    }
  }
}
