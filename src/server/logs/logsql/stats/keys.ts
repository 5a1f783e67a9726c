import type { ByField } from '../../../../lib/logsql/ast.ts';
import { durationOf } from '../../../../lib/logsql/durations.ts';
import { ipv4Of, ipv4Text, numberOf } from '../../../../lib/logsql/numbers.ts';
import { isoOf, spanOf } from '../../../../lib/logsql/times.ts';
import { type Cells, type Frame, readerOf, type TimeCells } from '../frame.ts';
import { calendarBucket } from './calendar.ts';

const NS = 1_000_000n;

/** One group key of a frame: a small number for each picked row, and what the numbers stand for. */
export interface Keys {
  /** Of the i-th picked row; null: all have the first value. */
  readonly codes: Uint8Array | Uint16Array | Int32Array | null;
  /** The codes are by row of the frame, not by picked row. */
  readonly byRow: boolean;
  readonly values: readonly string[];
}

export function keysOf(frame: Frame, by: ByField): Keys {
  const cells = frame.column(by.field);
  if (by.step !== null && cells?.kind === 'time') return timeKeys(frame, cells, by.step, by.offset);
  const cut = by.step === null ? null : cutter(by.field, by.step, by.offset);
  if (cells === null || cells.kind === 'constant') {
    const value = cells?.value ?? '';
    return { codes: null, byRow: false, values: [cut === null ? value : cut(value)] };
  }
  if (cells.kind === 'dictionary')
    return { codes: cells.codes, byRow: true, values: cut === null ? cells.values : cells.values.map(cut) };
  return textKeys(frame, cells, cut);
}

function textKeys(frame: Frame, cells: Cells, cut: ((value: string) => string) | null): Keys {
  const read = readerOf(cells);
  const codes = new Int32Array(frame.picked?.length ?? frame.rows);
  const known = new Map<string, number>();
  const values: string[] = [];
  for (let i = 0; i < codes.length; i++) {
    const text = read(frame.picked === null ? i : (frame.picked[i] ?? 0));
    let code = known.get(text);
    if (code === undefined) {
      code = values.push(cut === null ? text : cut(text)) - 1;
      known.set(text, code);
    }
    codes[i] = code;
  }
  return { codes, byRow: false, values };
}

/**
 * The rows of a block by the buckets that they are in, oldest first: they are in the order of time, so of each bucket only
 * the end is looked for, and nothing where the whole block is in one. Null: the step is below a millisecond.
 */
export function timeRuns(
  cells: TimeCells,
  rows: number,
  step: string,
  offset: string | null,
): { ends: readonly number[]; values: readonly string[] } | null {
  const bucket = timeBucket(step, offset);
  const ends: number[] = [];
  const values: string[] = [];
  for (let row = 0, at = cells.t0; row < rows;) {
    const { low, high } = bucket(at, 0);
    if (high <= at) return null;
    values.push(isoOf(low, 0));
    row = cells.t1 < high ? rows : rowFrom(cells.ms, null, high, row + 1);
    ends.push(row);
    if (row < rows) at = cells.ms[row] ?? 0;
  }
  return { ends, values };
}

/** The first of the rows (of `picked`, null: of all), which are in the order of time, from the `from`-th on that is not before `at`. */
export function rowFrom(ms: Float64Array, picked: Uint32Array | null, at: number, from: number): number {
  let low = from;
  let high = picked?.length ?? ms.length;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if ((ms[picked === null ? mid : (picked[mid] ?? 0)] ?? 0) < at) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** Rows are mostly in the order of time, so a new bucket is looked for only where the last one ends. */
function timeKeys(frame: Frame, cells: TimeCells, step: string, offset: string | null): Keys {
  const codes = new Int32Array(frame.picked?.length ?? frame.rows);
  const known = new Map<number, number>();
  const values: string[] = [];
  const bucket = timeBucket(step, offset);
  const first = bucket(cells.t0, 0);
  if (cells.t1 < first.high) return { codes: null, byRow: false, values: [isoOf(first.low, first.ns)] };
  const { ms: millis, ns: nanos } = cells;
  let low = 0;
  let high = 0;
  let code = -1;
  for (let i = 0; i < codes.length; i++) {
    const row = frame.picked === null ? i : (frame.picked[i] ?? 0);
    const ms = millis[row] ?? 0;
    if (code < 0 || ms < low || ms >= high) {
      const found = bucket(ms, nanos === null ? 0 : (nanos[row] ?? 0));
      [low, high] = [found.low, found.high];
      const key = found.low + found.ns / 1e6;
      code = known.get(key) ?? values.push(isoOf(found.low, found.ns)) - 1;
      known.set(key, code);
    }
    codes[i] = code;
  }
  return { codes, byRow: false, values };
}

/** The bucket of an instant: it holds from `low` to `high` (ms); of a step below a millisecond it is asked anew each time. */
function timeBucket(
  step: string,
  offset: string | null,
): (ms: number, ns: number) => { low: number; ns: number; high: number } {
  const shift = offset === null ? 0n : (durationOf(offset) ?? 0n);
  const size = durationOf(step) ?? FIXED[step];
  if (size === undefined) {
    const shiftMs = Number(shift / NS);
    return (ms) => {
      const { low, high } = calendarBucket(ms - shiftMs, step);
      return { low: low + shiftMs, ns: 0, high: high + shiftMs };
    };
  }
  if (size % NS === 0n && shift % NS === 0n) {
    const [sizeMs, shiftMs] = [Number(size / NS), Number(shift / NS)];
    return (ms) => {
      const low = Math.floor((ms - shiftMs) / sizeMs) * sizeMs + shiftMs;
      return { low, ns: 0, high: low + sizeMs };
    };
  }
  return (ms, ns) => {
    const at = BigInt(ms) * NS + BigInt(ns);
    const low = floorTo(at - shift, size) + shift;
    const lowMs = floorTo(low, NS) / NS;
    return { low: Number(lowMs), ns: Number(low - lowMs * NS), high: Number.NEGATIVE_INFINITY };
  };
}

/** Names of steps that are always equally long. */
const FIXED: Readonly<Record<string, bigint>> = {
  nanosecond: 1n,
  microsecond: 1000n,
  millisecond: NS,
  second: 1000n * NS,
  minute: 60_000n * NS,
  hour: 3_600_000n * NS,
  day: 86_400_000n * NS,
};
const floorTo = (value: bigint, step: bigint): bigint => value - (((value % step) + step) % step);

/** Nanoseconds of a step; null where it is of the calendar. */
export const stepNs = (step: string): bigint | null => durationOf(step) ?? FIXED[step] ?? null;

/** The bucket of a value: of a time, an address or a number. What is none of these stands for itself. */
function cutter(field: string, step: string, offset: string | null): (value: string) => string {
  if (step.startsWith('/')) {
    const size = 2 ** (32 - Number(step.slice(1)));
    return (value) => {
      const address = ipv4Of(value);
      return address === null ? value : ipv4Text(Math.floor(address / size) * size);
    };
  }
  if (field === '_time') {
    const bucket = timeBucket(step, offset);
    return (value) => {
      const at = spanOf(value, 0n)?.from;
      if (at === undefined) return value;
      const ms = floorTo(at, NS) / NS;
      const { low, ns } = bucket(Number(ms), Number(at - ms * NS));
      return isoOf(low, ns);
    };
  }
  const size = Number(numberOf(step) ?? 1);
  const shift = offset === null ? 0 : Number(numberOf(offset) ?? 0);
  return (value) => {
    const number = numberOf(value);
    if (number === null) return value;
    const low = Math.floor((Number(number) - shift) / size) * size + shift;
    // Steps such as 0.1 have no exact value: 0.30000000000000004 is 0.3.
    return String(Number.isInteger(low) ? low : Number(low.toPrecision(12)));
  };
}
