import { runtimeError } from '../language/errors.ts';
import { Duration } from './values.ts';

export const NS_PER_MS = 1_000_000n;
export const NS_PER_SECOND = 1_000_000_000n;
export const MIN_TIME = -(2n ** 63n);
export const MAX_TIME = 2n ** 63n - 1n;

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d))?$/;

/** Nanoseconds since the epoch of an RFC 3339 time or date; null where it is none, or beyond 64 bits. */
export function parseTime(text: string): bigint | null {
  const found = RFC3339.exec(text);
  if (!found) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = found;
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const date = new Date(ms);
  // Years below 100 and days beyond a month's end are moved elsewhere by `Date.UTC`.
  if (
    date.getUTCFullYear() !== Number(year) ||
    date.getUTCDate() !== Number(day) ||
    Number(month) > 12 ||
    Number(hour) > 23 ||
    Number(minute) > 59 ||
    Number(second) > 59
  )
    return null;
  let offset = 0;
  if (zone !== 'Z')
    offset = (zone.startsWith('-') ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))) * 60_000;
  const ns = BigInt(ms - offset) * NS_PER_MS + BigInt(fraction.padEnd(9, '0'));
  return inRange(ns) ? ns : null;
}

export const inRange = (ns: bigint): boolean => ns >= MIN_TIME && ns <= MAX_TIME;

/** `ns` split into whole milliseconds, towards the past, and the nanoseconds above them. */
export function splitNs(ns: bigint): { ms: number; rest: number } {
  let ms = ns / NS_PER_MS;
  let rest = ns % NS_PER_MS;
  if (rest < 0n) {
    rest += NS_PER_MS;
    ms -= 1n;
  }
  return { ms: Number(ms), rest: Number(rest) };
}

/** RFC 3339 with as many digits of the second as it needs. */
export function formatTime(ns: bigint): string {
  const { ms, rest } = splitNs(ns);
  const iso = new Date(ms).toISOString();
  if (rest === 0 && iso.endsWith('.000Z')) return `${iso.slice(0, -5)}Z`;
  const digits = `${iso.slice(-4, -1)}${String(rest).padStart(6, '0')}`.replace(/0+$/, '');
  return `${iso.slice(0, -5)}.${digits}Z`;
}

export const DAY_MS = 86_400_000;

/** `ns` moved by `count` calendar months; the day is cut to the month's last. */
export function addMonths(ns: bigint, count: number): bigint {
  if (count === 0) return ns;
  const { ms, rest } = splitNs(ns);
  const date = new Date(ms);
  const day = date.getUTCDate();
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count + 1, 0)).getUTCDate();
  const moved = first + (Math.min(day, last) - 1) * 86_400_000 + (((ms % 86_400_000) + 86_400_000) % 86_400_000);
  if (!Number.isFinite(moved)) throw runtimeError('time is out of range');
  return BigInt(moved) * NS_PER_MS + BigInt(rest);
}

export function addDuration(ns: bigint, by: Duration): bigint {
  const moved = addMonths(ns, by.months) + by.ns;
  if (!inRange(moved)) throw runtimeError('time is out of range: a time lies between 1677-09-21 and 2262-04-11');
  return moved;
}

const UNITS: Readonly<Record<string, bigint>> = {
  w: 604_800n * NS_PER_SECOND,
  d: 86_400n * NS_PER_SECOND,
  h: 3600n * NS_PER_SECOND,
  m: 60n * NS_PER_SECOND,
  s: NS_PER_SECOND,
  ms: NS_PER_MS,
  us: 1000n,
  µs: 1000n,
  ns: 1n,
};
const PART = /(\d+)(y|mo|w|d|h|ms|m|s|us|µs|ns)/gy;

/** A duration such as `1h30m`, `1mo`, `500ms`; null where it is none. */
export function parseDuration(text: string): Duration | null {
  const negative = text.startsWith('-');
  PART.lastIndex = negative ? 1 : 0;
  let months = 0;
  let ns = 0n;
  let end = PART.lastIndex;
  if (end === text.length) return null;
  while (end < text.length) {
    const found = PART.exec(text);
    if (!found) return null;
    const [, count = '', unit = ''] = found;
    if (unit === 'y' || unit === 'mo') months += Number(count) * (unit === 'y' ? 12 : 1);
    else ns += BigInt(count) * (UNITS[unit] ?? 0n);
    end = PART.lastIndex;
  }
  if (!inRange(ns) || months > 120_000) return null;
  const duration = new Duration(months, ns);
  return negative ? duration.negated() : duration;
}

const NAMED: readonly [string, bigint][] = [
  ...['w', 'd', 'h', 'm', 's', 'ms', 'us', 'ns'].map((unit): [string, bigint] => [unit, UNITS[unit] ?? 0n]),
];

export function formatDuration({ months, ns, negative }: Duration): string {
  if (months === 0 && ns === 0n) return '0ns';
  let text = negative ? '-' : '';
  const m = Math.abs(months);
  if (m >= 12) text += `${Math.floor(m / 12)}y`;
  if (m % 12 > 0) text += `${m % 12}mo`;
  let rest = ns < 0n ? -ns : ns;
  for (const [unit, size] of NAMED) {
    if (rest < size) continue;
    text += `${rest / size}${unit}`;
    rest %= size;
  }
  return text;
}
