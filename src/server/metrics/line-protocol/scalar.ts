// Every byte of what comes in passes here: elements of typed arrays are cast, as the check of a default would cost some percent.

import { latin1 } from './latin1.ts';
import type { Precision } from '../store/port.ts';
import { LineFault } from './head.ts';

/** Numbers and times of line protocol, straight from the bytes. */

const POWER = Array.from({ length: 23 }, (_, k) => 10 ** k);
const DIGIT0 = 0x30;
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

const textOf = (bytes: Buffer, from: number, to: number): string => latin1(bytes, from, Math.min(to, from + 60));

/** `1 1. .5 -.5 1e3 1E+3`. Throws a `LineFault` on all else, also on what is beyond a double. */
export function parseFloat64(bytes: Buffer, from: number, to: number): number {
  let at = from;
  const negative = bytes[at] === 0x2d;
  if (negative) at++;
  let mantissa = 0;
  let digits = 0;
  let places = 0;
  let seen = false;
  for (; at < to && isDigit(bytes[at]); at++) {
    mantissa = mantissa * 10 + (bytes[at] as number) - DIGIT0;
    if (mantissa > 0) digits++;
    seen = true;
  }
  if (bytes[at] === 0x2e && at < to) {
    for (at++; at < to && isDigit(bytes[at]); at++) {
      mantissa = mantissa * 10 + (bytes[at] as number) - DIGIT0;
      if (mantissa > 0) digits++;
      places++;
      seen = true;
    }
  }
  if (!seen) throw new LineFault('invalid number');
  // Up to 15 digits and 10^22 are exact, so one division rounds once.
  if (at === to && digits <= 15 && places <= 22) {
    const value = mantissa / (POWER[places] as number);
    return negative ? -value : value;
  }
  if (at < to) {
    if (((bytes[at] as number) | 0x20) !== 0x65) throw new LineFault('invalid number');
    let exponent = at + 1;
    if (bytes[exponent] === 0x2b || bytes[exponent] === 0x2d) exponent++;
    if (exponent >= to) throw new LineFault('invalid number');
    for (; exponent < to; exponent++) if (!isDigit(bytes[exponent])) throw new LineFault('invalid number');
  }
  const value = Number(latin1(bytes, from, to));
  if (!Number.isFinite(value))
    throw new LineFault(`the number ${textOf(bytes, from, to)} is out of the range of a float`);
  return value;
}

const INT_MAX = 2n ** 63n - 1n;
const UINT_MAX = 2n ** 64n - 1n;

/** The digits before an `i` or `u`. A number where it is exact, else a bigint. */
export function parseInteger(bytes: Buffer, from: number, to: number, unsigned: boolean): number | bigint {
  let at = from;
  const negative = bytes[at] === 0x2d;
  if (negative) at++;
  if (at >= to || (negative && unsigned))
    throw new LineFault(unsigned ? 'invalid unsigned integer' : 'invalid integer');
  let value = 0;
  for (let i = at; i < to; i++) {
    if (!isDigit(bytes[i])) throw new LineFault(unsigned ? 'invalid unsigned integer' : 'invalid integer');
    value = value * 10 + (bytes[i] as number) - DIGIT0;
  }
  if (to - at <= 15) return negative && value !== 0 ? -value : value;
  const exact = BigInt(latin1(bytes, from, to));
  if (exact > (unsigned ? UINT_MAX : INT_MAX) || exact < -INT_MAX - 1n)
    throw new LineFault(`the integer ${textOf(bytes, from, to)} is out of the range of 64 bits`);
  return exact >= BigInt(Number.MIN_SAFE_INTEGER) && exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact;
}

/** Digits of a time of this precision that lie below the millisecond, and what a whole unit is in milliseconds. */
const BELOW: Readonly<Record<Precision, number>> = { ns: 6, us: 3, ms: 0, s: 0 };
const MAX_MS = 9_223_372_036_854;
const MAX_NS = 775_807;

export interface Instant {
  ms: number;
  ns: number;
}

/** A time in whole units. Throws a `LineFault` beyond 64 bits of nanoseconds. */
export function parseTime(bytes: Buffer, from: number, to: number, precision: Precision, into: Instant): void {
  let at = from;
  const negative = bytes[at] === 0x2d;
  if (negative) at++;
  if (at >= to) throw new LineFault('bad timestamp');
  for (let i = at; i < to; i++) if (!isDigit(bytes[i])) throw new LineFault('bad timestamp');
  while (at < to - 1 && bytes[at] === DIGIT0) at++;
  if (to - at > 19) throw new LineFault('time outside range');
  const split = Math.max(at, to - BELOW[precision]);
  let ms = 0;
  for (let i = at; i < split; i++) ms = ms * 10 + (bytes[i] as number) - DIGIT0;
  let ns = 0;
  for (let i = split; i < to; i++) ns = ns * 10 + (bytes[i] as number) - DIGIT0;
  if (precision === 's') ms *= 1000;
  else if (precision === 'us') ns *= 1000;
  if (ms > MAX_MS || (ms === MAX_MS && ns > MAX_NS + (negative ? 1 : 0))) throw new LineFault('time outside range');
  if (negative && ns > 0) {
    into.ms = -ms - 1;
    into.ns = 1_000_000 - ns;
  } else {
    into.ms = negative && ms !== 0 ? -ms : ms;
    into.ns = ns;
  }
}
