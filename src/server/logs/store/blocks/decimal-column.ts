// Every value of a block passes here: elements of typed arrays are cast, as the check of a default would cost some percent.

import type { TextColumn } from '../port.ts';
import { ByteReader, ByteWriter, ChecksumError } from './bytes.ts';
import type { Field } from './rows.ts';

/** A column of decimal numbers. All texts that it stands for are written in one form, so that a number says what its text was. */
export interface Decimals {
  readonly kind: 'decimals';
  /** By row; NaN: no value. */
  readonly values: Float64Array;
  /** Digits after the point, at most; with `padded` each value has so many, and else none ends with a zero. */
  readonly places: number;
  readonly padded: boolean;
}

/** Digits of a whole number that, multiplied and divided by a power of ten, is still exact after rounding. */
const MAX_DIGITS = 15;
const LIMIT = 10 ** MAX_DIGITS;
const MAX_WIDTH = 7;
const POWERS = Float64Array.from({ length: MAX_DIGITS + 1 }, (_, digits) => 10 ** digits);
const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/**
 * The values of codes, by row, as numbers; null where one is none, or is not written as all are: without a leading zero, `+`, exponent
 * or minus of zero, with at most 15 digits, and either no zero at the end of a fraction or as many digits in each.
 */
export function decimalsOf({ bytes, ends }: Pick<Field, 'bytes' | 'ends'>, codes: Uint32Array): Decimals | null {
  const values = new Float64Array(codes.length);
  const fractions = new Uint8Array(codes.length);
  let places = 0;
  let least = MAX_DIGITS;
  let isPadded = false;
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    if (code === 0) {
      values[row] = Number.NaN;
      continue;
    }
    const end = ends[code] as number;
    const start = ends[code - 1] as number;
    const first = bytes[start] === MINUS ? start + 1 : start;
    if (end - first > MAX_DIGITS + 1) return null;
    let value = 0;
    let at = first;
    // Below zero a difference is a large number.
    for (let digit = 0; at < end && (digit = ((bytes[at] as number) - ZERO) >>> 0) < 10; at++)
      value = value * 10 + digit;
    const whole = at - first;
    if (whole === 0 || (whole > 1 && bytes[first] === ZERO)) return null;
    let fraction = 0;
    if (at < end) {
      if (bytes[at] !== POINT || at + 1 === end) return null;
      const point = at++;
      for (let digit = 0; at < end && (digit = ((bytes[at] as number) - ZERO) >>> 0) < 10; at++)
        value = value * 10 + digit;
      if (at < end) return null;
      fraction = at - point - 1;
      if (bytes[at - 1] === ZERO) isPadded = true;
    }
    if (whole + fraction > MAX_DIGITS || (value === 0 && first > start)) return null;
    values[row] = first > start ? -value : value;
    fractions[row] = fraction;
    if (fraction > places) places = fraction;
    if (fraction < least) least = fraction;
  }
  if (isPadded && least < places) return null;
  for (let row = 0; row < values.length; row++) {
    const more = places - (fractions[row] as number);
    const scaled = (values[row] as number) * (POWERS[more] as number);
    if (scaled >= LIMIT || scaled <= -LIMIT) return null;
    values[row] = scaled / (POWERS[places] as number);
  }
  return { kind: 'decimals', values, places, padded: isPadded };
}

/** Writes what `decodeDecimals` reads (docs/log-format.md, kind 5). */
export function decimalBytes({ values, places, padded }: Decimals): Buffer {
  const rows = values.length;
  const scale = POWERS[places] as number;
  let low = Infinity;
  let high = -Infinity;
  for (let row = 0; row < rows; row++) {
    const value = values[row] as number;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  low = Math.round(low * scale);
  const widest = Math.round(high * scale) - low + 1;
  let width = 1;
  while (256 ** width <= widest) width++;
  const planes = Buffer.alloc(rows * width);
  for (let row = 0; row < rows; row++) {
    const value = values[row] as number;
    if (Number.isNaN(value)) continue;
    const offset = Math.round(value * scale) - low + 1;
    planes[row] = offset;
    if (width === 1) continue;
    let left = offset;
    for (let at = rows + row; at < planes.length; at += rows) planes[at] = left = Math.floor(left / 256);
  }
  const out = new ByteWriter(planes.length + 16);
  out.u8(places * 2 + (padded ? 1 : 0));
  out.signed(low);
  out.u8(width);
  out.bytes(planes);
  return out.done();
}

/** Throws `ChecksumError`. */
export function decodeDecimals(raw: Buffer, rows: number): Decimals {
  const from = new ByteReader(raw);
  const form = from.u8();
  const places = form >>> 1;
  const low = from.signed();
  const width = from.u8();
  if (places > MAX_DIGITS || width < 1 || width > MAX_WIDTH || low <= -LIMIT || low >= LIMIT)
    throw new ChecksumError('a column has numbers of an unknown form');
  const planes = from.take(rows * width);
  const values = new Float64Array(rows);
  const scale = POWERS[places] as number;
  const base = low - 1;
  let high = 0;
  for (let row = 0; row < rows; row++) {
    let offset = planes[row] as number;
    if (width > 1) offset |= (planes[rows + row] as number) << 8;
    if (width > 2) offset |= (planes[rows * 2 + row] as number) << 16;
    for (let plane = 3; plane < width; plane++) offset += (planes[rows * plane + row] as number) * 2 ** (plane * 8);
    if (offset > high) high = offset;
    values[row] = offset === 0 ? Number.NaN : (base + offset) / scale;
  }
  if (base + high >= LIMIT) throw new ChecksumError('a column has a number that is too large');
  return { kind: 'decimals', values, places, padded: (form & 1) === 1 };
}

/** The text of a value; '' where there is none. */
export function decimalText(value: number, { places, padded }: Pick<Decimals, 'places' | 'padded'>): string {
  if (Number.isNaN(value)) return '';
  if (padded) return value.toFixed(places);
  // Smaller ones are written with an exponent.
  if (value !== 0 && value < 1e-6 && value > -1e-6) return value.toFixed(places).replace(/0+$/, '');
  return String(value);
}

/** The texts of all rows, one after another. */
export function textOfDecimals({ values, places, padded }: Decimals): TextColumn {
  const rows = values.length;
  const scale = POWERS[places] as number;
  const ends = new Uint32Array(rows);
  // A sign, a point, and a zero before it.
  const bytes = Buffer.allocUnsafeSlow(rows * (MAX_DIGITS + 3));
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const value = values[row] as number;
    if (!Number.isNaN(value)) {
      if (value < 0) bytes[at++] = MINUS;
      let left = Math.round(Math.abs(value) * scale);
      let fraction = places;
      if (!padded) for (; fraction > 0 && left % 10 === 0; fraction--) left /= 10;
      at = writeDigits(bytes, at, left, fraction);
    }
    ends[row] = at;
  }
  return { kind: 'text', bytes: Buffer.from(bytes.subarray(0, at)), ends };
}

/** Writes a whole number with a point before its last `fraction` digits; gives where it ends. */
function writeDigits(bytes: Buffer, at: number, number: number, fraction: number): number {
  let digits = fraction + 1;
  while (digits < MAX_DIGITS && number >= (POWERS[digits] as number)) digits++;
  const end = at + digits + (fraction > 0 ? 1 : 0);
  let left = number;
  for (let place = end - 1, n = 0; place >= at; place--, n++) {
    if (n === fraction && fraction > 0) bytes[place--] = POINT;
    const rest = Math.floor(left / 10);
    bytes[place] = ZERO + left - rest * 10;
    left = rest;
  }
  return end;
}
