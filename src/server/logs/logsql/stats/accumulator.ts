import type { StatsCall } from '../../../../lib/logsql/ast.ts';
import type { Frame } from '../frame.ts';

/** Rows of a frame and the group of each, for one function. */
export interface Batch {
  readonly frame: Frame;
  /** Numbers of rows; null: all of the frame. */
  readonly rows: Uint32Array | null;
  readonly groups: Int32Array;
  /** How many groups there are by now. */
  readonly total: number;
}

/** A function of `stats` at work. */
export interface Accumulator {
  add(batch: Batch): void;
  /** Adds so many rows to a group. Only of functions to which nothing of the rows matters but their number. */
  tally?(group: number, rows: number): void;
  result(group: number): string;
}

export interface AccumulatorContext {
  readonly call: StatsCall;
  hold(bytes: number): void;
  /** Seconds that a group stands for, for rates. */
  readonly seconds: number;
}

/** A row of numbers, one for each group, that grows as groups come. */
export function grown(
  values: Float64Array<ArrayBuffer>,
  total: number,
  hold: (bytes: number) => void,
  fill = 0,
): Float64Array<ArrayBuffer> {
  if (values.length >= total) return values;
  const more = new Float64Array(Math.max(total, values.length * 2, 16)).fill(fill, values.length);
  more.set(values);
  hold((more.length - values.length) * 8);
  return more;
}

/** A number as LogsQL writes it. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Number.isInteger(value) && Math.abs(value) >= 1e21) return BigInt(value).toString();
  const text = String(value);
  if (!text.includes('e-')) return text;
  return value.toFixed(20).replace(/0+$/, '');
}
