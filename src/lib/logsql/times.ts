import { durationOf } from './durations.ts';

/** Times are nanoseconds since the epoch, as BigInt; a span has its lower end in and its upper end out. */
export interface Span {
  readonly from: bigint;
  readonly to: bigint;
}

const TIME =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9})\d*)?)?)?)?)?)?(Z|z|[+-]\d\d:?\d\d)?$/;
const MS = 1_000_000n;

/**
 * The span that a time names at its precision: `2025-03Z` is all of March, `now` and `-5m` are an instant (one
 * nanosecond). Unix times are taken by their magnitude as s, ms, us or ns. Without a zone it is the machine's local time.
 * Null where the text is no time. `now` in nanoseconds.
 */
export function spanOf(text: string, now: bigint): Span | null {
  const instant = instantOf(text, now);
  if (instant !== null) return { from: instant, to: instant + 1n };
  const match = TIME.exec(text);
  if (match === null || (/^\d+$/.test(text) && text.length > 4)) return unixSpan(text);
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const parts: Parts = [
    Number(year),
    Number(month ?? 1) - 1,
    Number(day ?? 1),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
  ];
  const [, mo, da, ho, mi, se] = parts;
  if (mo > 11 || mo < 0 || da > 31 || da < 1 || ho > 24 || mi > 59 || se > 60) return null;
  const precision = [month, day, hour, minute, second].filter((part) => part !== undefined).length;
  const next: Parts = [...parts];
  next[precision] = (parts[precision] ?? 0) + 1;
  const from = msOf(parts, zone) * MS;
  if (fraction === undefined) return { from, to: msOf(next, zone) * MS };
  const nanos = BigInt(fraction.padEnd(9, '0'));
  return { from: from + nanos, to: from + nanos + 10n ** BigInt(9 - fraction.length) };
}

/** `now`, `now-1h`, `now+5m`, `-5m`, `5m` (ago). */
function instantOf(text: string, now: bigint): bigint | null {
  if (text === 'now') return now;
  const after = text.startsWith('now+');
  const ago = durationOf(text.startsWith('now') ? text.slice(4) : text.startsWith('-') ? text.slice(1) : text);
  if (ago === null || (text.startsWith('now') && !after && text[3] !== '-')) return null;
  return after ? now + ago : now - ago;
}

function unixSpan(text: string): Span | null {
  const match = /^(\d{5,19})(?:\.(\d{1,9})\d*)?$/.exec(text);
  if (match === null) return null;
  const [, whole = '', fraction] = match;
  const unit = whole.length <= 11 ? 1_000_000_000n : whole.length <= 14 ? MS : whole.length <= 17 ? 1000n : 1n;
  const from = BigInt(whole) * unit;
  if (fraction === undefined) return { from, to: from + unit };
  const scale = 10n ** BigInt(fraction.length);
  const part = (BigInt(fraction) * unit) / scale;
  const width = unit / scale;
  return { from: from + part, to: from + part + (width > 0n ? width : 1n) };
}

type Parts = [year: number, month: number, day: number, hour: number, minute: number, second: number];

function msOf([year, ...rest]: Parts, zone: string | undefined): bigint {
  const date = new Date(0);
  if (zone === undefined) {
    date.setFullYear(year, rest[0], rest[1]);
    date.setHours(rest[2], rest[3], rest[4], 0);
    return BigInt(date.getTime());
  }
  date.setUTCFullYear(year, rest[0], rest[1]);
  date.setUTCHours(rest[2], rest[3], rest[4], 0);
  const minutes =
    zone.toUpperCase() === 'Z'
      ? 0
      : (zone.startsWith('-') ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2)));
  return BigInt(date.getTime() - minutes * 60_000);
}

/** RFC 3339 in UTC; as many digits below the second as there are. `ns` counts below the millisecond. */
export function isoOf(ms: number, ns: number): string {
  if (Number.isNaN(new Date(ms).getTime())) return '';
  const iso = new Date(ms).toISOString();
  if (ns !== 0) return `${iso.slice(0, -1)}${String(ns).padStart(6, '0')}`.replace(/0+$/, '') + 'Z';
  return iso.endsWith('000Z') ? `${iso.slice(0, -5)}Z` : iso.endsWith('0Z') ? iso.replace(/0+Z$/, 'Z') : iso;
}
