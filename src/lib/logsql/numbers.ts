import { durationOf } from './durations.ts';

const SIZES: Readonly<Record<string, number>> = {
  B: 1,
  K: 1e3,
  KB: 1e3,
  Ki: 1024,
  KiB: 1024,
  M: 1e6,
  MB: 1e6,
  Mi: 1024 ** 2,
  MiB: 1024 ** 2,
  G: 1e9,
  GB: 1e9,
  Gi: 1024 ** 3,
  GiB: 1024 ** 3,
  T: 1e12,
  TB: 1e12,
  Ti: 1024 ** 4,
  TiB: 1024 ** 4,
};
const SIZE = /^([+-]?\d+(?:\.\d+)?)([KMGT]i?B?|B)$/;
const PLAIN = /^[+-]?(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INTEGER = /^[+-]?\d+$/;
const RADIX = /^[+-]?0(?:[xX][0-9a-fA-F_]+|[oO][0-7_]+|[bB][01_]+)$/;
const LONGEST = 64;

/** A number by its value. Whole numbers beyond 2^53 are BigInt, which compares exactly with numbers. */
export type Numeric = number | bigint;

/**
 * The value of a number as logs write them: `12`, `1_000`, `0x1f`, `1e3`, sizes (`1.5KiB`), durations (`1h30m`, in
 * nanoseconds) and IPv4 addresses (as unsigned 32 bits). Null where the text is none of these.
 */
export function numberOf(text: string): Numeric | null {
  const plain = plainNumberOf(text);
  if (plain !== null) return plain;
  const first = text.charCodeAt(0);
  if (text.length > LONGEST || text.length === 0 || first > 57 || first < 43) return null;
  if (RADIX.test(text)) return radix(text.replaceAll('_', ''));
  const size = SIZE.exec(text);
  if (size !== null) return Number(size[1]) * (SIZES[size[2] ?? ''] ?? Number.NaN);
  const address = ipv4Of(text);
  if (address !== null) return address;
  const duration = durationOf(text);
  return duration === null ? null : slim(duration);
}

/** The value of a plain decimal number; null for all else. */
export function plainNumberOf(text: string): Numeric | null {
  const first = text.charCodeAt(0);
  // Most values of logs begin with a letter: one look decides. (NaN, of the empty text, fails too.)
  if (!(first <= 57 && first >= 43) || text.length > LONGEST || !PLAIN.test(text)) return null;
  const clean = text.includes('_') ? text.replaceAll('_', '') : text;
  if (clean.length > 15 && INTEGER.test(clean)) return slim(BigInt(clean.startsWith('+') ? clean.slice(1) : clean));
  return Number(clean);
}

const slim = (value: bigint): Numeric =>
  value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;

function radix(text: string): Numeric {
  const negative = text.startsWith('-');
  const digits = /^[+-]/.test(text) ? text.slice(1) : text;
  if (digits.length < 3) return 0;
  const value = slim(BigInt(digits));
  return negative ? -value : value;
}

/** The 32 bits of a dotted address; null where the text is none. */
export function ipv4Of(text: string): number | null {
  if (text.length < 7 || text.length > 15) return null;
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (match === null) return null;
  let value = 0;
  for (const part of match.slice(1)) {
    if (Number(part) > 255) return null;
    value = value * 256 + Number(part);
  }
  return value;
}

/** `a.b.c.d` of 32 bits. */
export const ipv4Text = (value: number): string =>
  [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join('.');
