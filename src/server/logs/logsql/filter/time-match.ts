import type { Filter } from '../../../../lib/logsql/ast.ts';
import { durationOf } from '../../../../lib/logsql/durations.ts';
import { spanOf } from '../../../../lib/logsql/times.ts';
import type { Cells, Frame, TimeCells } from '../frame.ts';
import { readerOf } from '../frame.ts';
import type { Mask } from '../mask.ts';
import { boundsOf } from './time-bounds.ts';

type TimeFilter = Extract<Filter, { kind: 'time' }>;
const NS = 1_000_000n;
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** Rows by their time. `now` in nanoseconds. */
export function timeMatcher(filter: TimeFilter, now: bigint): (frame: Frame) => Mask {
  const { spec } = filter;
  if (spec.kind === 'day_range') {
    const [low, high] = [spec.low * MINUTE, spec.high * MINUTE];
    return eachTime((ms, ns) => {
      const time = timeOfDay(ms, filter.offset);
      const afterLow = time > low || (time === low && (spec.lowIn || ns > 0));
      return afterLow && (time < high || (time === high && spec.highIn && ns === 0));
    });
  }
  if (spec.kind === 'week_range')
    return eachTime((ms) => weekdayOf(ms, filter.offset) >= spec.low && weekdayOf(ms, filter.offset) <= spec.high);
  const { from, to } = boundsOf(filter, now);
  return (frame) => {
    const cells = frame.column('_time');
    return cells?.kind === 'time' ? between(cells, frame.rows, from, to) : betweenTexts(cells, frame.rows, from, to);
  };
}

/** The rows of a block are in the order of their times, so the span is one run of rows. */
function between(cells: TimeCells, rows: number, from: bigint | null, to: bigint | null): Mask {
  // Where the span holds or misses the whole block, its times are not decoded.
  const first = BigInt(cells.t0) * NS;
  const end = (BigInt(cells.t1) + 1n) * NS;
  if ((from !== null && from >= end) || (to !== null && to <= first)) return false;
  if ((from === null || from <= first) && (to === null || to >= end)) return true;
  const low = from === null ? 0 : rowAt(cells, rows, from);
  const high = to === null ? rows : rowAt(cells, rows, to);
  if (low >= high) return false;
  if (low === 0 && high === rows) return true;
  return new Uint8Array(rows).fill(1, low, high);
}

/** The first row that is not before the instant. */
function rowAt({ ms, ns }: TimeCells, rows: number, instant: bigint): number {
  let whole = instant / NS;
  let rest = instant % NS;
  if (rest < 0n) {
    whole -= 1n;
    rest += NS;
  }
  const [atMs, atNs] = [Number(whole), Number(rest)];
  let low = 0;
  let high = rows;
  while (low < high) {
    const mid = (low + high) >>> 1;
    const before = (ms[mid] ?? 0) < atMs || ((ms[mid] ?? 0) === atMs && (ns === null ? 0 : (ns[mid] ?? 0)) < atNs);
    if (before) low = mid + 1;
    else high = mid;
  }
  return low;
}

function betweenTexts(cells: Cells | null, rows: number, from: bigint | null, to: bigint | null): Mask {
  const read = readerOf(cells);
  const out = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) {
    const at = spanOf(read(row), 0n)?.from;
    if (at !== undefined && (from === null || at >= from) && (to === null || at < to)) out[row] = 1;
  }
  return out;
}

/** `ns`: nanoseconds within the millisecond. */
function eachTime(passes: (ms: number, ns: number) => boolean): (frame: Frame) => Mask {
  return (frame) => {
    const cells = frame.column('_time');
    const read = readerOf(cells);
    const out = new Uint8Array(frame.rows);
    if (cells?.kind === 'time') {
      const { ms, ns } = cells;
      for (let row = 0; row < frame.rows; row++) {
        const at = ms[row] ?? 0;
        if (at >= 0 && passes(at, ns?.[row] ?? 0)) out[row] = 1;
      }
      return out;
    }
    for (let row = 0; row < frame.rows; row++) {
      const at = spanOf(read(row), 0n)?.from ?? -1n;
      if (at >= 0n && passes(Number(at / NS), Number(at % NS))) out[row] = 1;
    }
    return out;
  };
}

/** Milliseconds since midnight. Without an offset in the zone of the machine; with one, UTC and so much later. */
function timeOfDay(ms: number, offset: string | null): number {
  if (offset !== null) return mod(ms + shiftOf(offset), DAY);
  const date = new Date(ms);
  return (date.getHours() * 60 + date.getMinutes()) * MINUTE + mod(ms, MINUTE);
}

const weekdayOf = (ms: number, offset: string | null): number =>
  offset === null ? new Date(ms).getDay() : new Date(ms + shiftOf(offset)).getUTCDay();
const shiftOf = (offset: string): number => Number((durationOf(offset) ?? 0n) / NS);
const mod = (value: number, by: number): number => ((value % by) + by) % by;
