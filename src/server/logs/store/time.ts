/** An instant: unix ms, and the nanoseconds below (0 to 999,999). */
export interface Instant {
  ms: number;
  ns: number;
}

const ZERO = 0x30;
const NINE = 0x39;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** `YYYY-MM-DDTHH:MM:` */
const MINUTE_CHARACTERS = 17;
/** 9999-12-31T23:59:59.999Z */
const LATEST_MS = 253_402_300_799_999;

export interface TimeReader {
  read(text: string, into: Instant): boolean;
  /** The same of the bytes of a text. */
  readBytes(bytes: Buffer, start: number, end: number, into: Instant): boolean;
}

/** Reads times; the day and the minute of the last one are remembered, since lines of a batch share them. */
export function createTimeReader(): TimeReader {
  let lastDay = '';
  let lastDayMs = 0;
  const lastMinute = new Uint8Array(MINUTE_CHARACTERS);
  let lastMinuteMs = Number.NaN;

  /** A UTC time of the last minute, which most are: no text need be made of it. False: it is another. */
  function readKnown(bytes: Buffer, start: number, end: number, into: Instant): boolean {
    const last = end - 1;
    const point = start + MINUTE_CHARACTERS + 2;
    if (last < point || last > point + 10 || bytes[last] !== 0x5a) return false;
    for (let i = 0; i < MINUTE_CHARACTERS; i++) if (bytes[start + i] !== lastMinute[i]) return false;
    const tens = (bytes[point - 2] as number) - ZERO;
    const ones = (bytes[point - 1] as number) - ZERO;
    if (!(tens >= 0 && tens <= 5 && ones >= 0 && ones <= 9)) return false;
    let nanos = 0;
    if (last > point) {
      if (bytes[point] !== 0x2e || last === point + 1) return false;
      for (let i = point + 1; i <= point + 9; i++) {
        const digit = i < last ? (bytes[i] as number) - ZERO : 0;
        if (!(digit >= 0 && digit <= 9)) return false;
        nanos = nanos * 10 + digit;
      }
    }
    const below = Math.floor(nanos / 1e6);
    into.ms = lastMinuteMs + (tens * 10 + ones) * 1000 + below;
    into.ns = nanos - below * 1e6;
    return true;
  }

  /** Unix ms of `YYYY-MM-DD` at the text's beginning; NaN: it is none. */
  function dayOf(text: string): number {
    if (lastDay !== '' && text.startsWith(lastDay)) return lastDayMs;
    const day = text.slice(0, 10);
    if (!/^\d{4}-\d\d-\d\d$/.test(day)) return Number.NaN;
    const ms = Date.parse(`${day}T00:00:00Z`);
    // Some engines take 31 February for 3 March.
    if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day) return Number.NaN;
    lastDay = day;
    lastDayMs = ms;
    return ms;
  }

  const reader: TimeReader = {
    /**
     * RFC 3339 with `T` or a space, up to nanoseconds, with `Z`, an offset with or without colon, or none (UTC); or a unix
     * time whose size tells s, ms, µs and ns apart. False: it is neither.
     */
    read(text, into) {
      if (text.charCodeAt(4) !== 0x2d) return unixTime(text, into);
      const day = dayOf(text);
      const between = text.charCodeAt(10);
      if (Number.isNaN(day) || text.length < 19 || (between !== 0x54 && between !== 0x74 && between !== 0x20))
        return false;
      const hours = two(text, 11);
      const minutes = two(text, 14);
      const seconds = two(text, 17);
      if (
        text.charCodeAt(13) !== 0x3a ||
        text.charCodeAt(16) !== 0x3a ||
        !(hours <= 23 && minutes <= 59 && seconds <= 60)
      )
        return false;
      let at = 19;
      let nanos = 0;
      const point = text.charCodeAt(at);
      if (point === 0x2e || point === 0x2c) {
        const from = ++at;
        for (let code = text.charCodeAt(at); code >= ZERO && code <= NINE; code = text.charCodeAt(++at))
          if (at - from < 9) nanos = nanos * 10 + code - ZERO;
        if (at === from || at - from > 18) return false;
        for (let digits = at - from; digits < 9; digits++) nanos *= 10;
      }
      const offset = offsetMs(text, at);
      if (Number.isNaN(offset)) return false;
      const below = Math.floor(nanos / 1e6);
      into.ms = day + hours * 3_600_000 + minutes * 60_000 + seconds * 1000 + below - offset;
      into.ns = nanos - below * 1e6;
      return into.ms <= LATEST_MS;
    },
    readBytes(bytes, start, end, into) {
      if (!Number.isNaN(lastMinuteMs) && readKnown(bytes, start, end, into)) return true;
      const text = bytes.toString('latin1', start, end);
      if (!reader.read(text, into)) return false;
      // A leap second is of the next minute.
      if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5].*Z$/.test(text)) {
        bytes.copy(lastMinute, 0, start, start + MINUTE_CHARACTERS);
        lastMinuteMs = Math.floor(into.ms / MINUTE_MS) * MINUTE_MS;
      }
      return true;
    },
  };
  return reader;
}

/** Two digits as a number; NaN where they are none. */
function two(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

function offsetMs(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (at === text.length) return 0;
  if (code === 0x5a || code === 0x7a) return at + 1 === text.length ? 0 : Number.NaN;
  if (code !== 0x2b && code !== 0x2d) return Number.NaN;
  const colon = text.charCodeAt(at + 3) === 0x3a ? 1 : 0;
  if (text.length !== at + 5 + colon) return Number.NaN;
  const hours = two(text, at + 1);
  const minutes = two(text, at + 3 + colon);
  if (!(hours <= 23 && minutes <= 59)) return Number.NaN;
  return (hours * 60 + minutes) * 60_000 * (code === 0x2d ? -1 : 1);
}

const UNIX = /^(\d{1,19})(?:\.(\d*))?$/;

function unixTime(text: string, into: Instant): boolean {
  const plain = /[eE]/.test(text) ? wholeOf(text) : text;
  const [, digits, fraction = ''] = UNIX.exec(plain) ?? [];
  if (digits === undefined) return false;
  const size = Number(digits);
  // Digits of the number that lie below a second.
  const below = size < 1e11 ? 0 : size < 1e14 ? 3 : size < 1e17 ? 6 : 9;
  const all = digits.padStart(below + 1, '0');
  const seconds = Number(all.slice(0, all.length - below));
  const nanos = Number((all.slice(all.length - below) + fraction).slice(0, 9).padEnd(9, '0'));
  const ms = Math.floor(nanos / 1e6);
  into.ms = seconds * 1000 + ms;
  into.ns = nanos - ms * 1e6;
  return into.ms <= LATEST_MS;
}

/** `1.7e9` written out. */
function wholeOf(text: string): string {
  const value = Number(text);
  return Number.isFinite(value) && Math.abs(value) < 1e20 ? String(value) : text;
}

/** The day of an instant as `2026-01-31`. */
export const dayName = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** The number of the day of an instant. */
export const dayNumber = (ms: number): number => Math.floor(ms / DAY_MS);
