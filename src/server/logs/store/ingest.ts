import { hash } from 'node:crypto';
import { BadJson, createJsonScan } from './json-scan.ts';
import type { LogBatch } from './port.ts';
import { bytesOf, textOf, type Field, type Rows } from './rows.ts';
import { createTimeReader, type Instant } from './time.ts';

export interface LineLimits {
  lineBytes: number;
  fields: number;
  nameBytes: number;
}

/** Objects that lie deeper stay JSON text. */
const DEPTH = 20;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const BRACKET = 0x5b;
const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const OWN: ReadonlySet<string> = new Set(['_time', '_stream', '_stream_id']);

/** Stands in no line. */
const NEVER = '\n';

/** A name as lines use it: what it means, and the column that it goes to. */
interface Key {
  readonly name: string;
  /** As it begins in a line: `"name":`. */
  readonly token: string;
  readonly role: 'plain' | 'ignored';
  /** How early it stands in the list of names for the time, and for the message; -1: it does not. */
  readonly time: number;
  readonly message: number;
  readonly inner: Map<string, Key>;
  rows: Rows | null;
  field: Field | null;
}

export interface LineReader {
  /**
   * Reads the lines of `text` (a byte string) from `from` into rows. Stops before a line when the rows are `full`. Lines
   * without a time are of `now`. Gives where it stopped.
   */
  read(text: string, from: number, rows: Rows, now: number, full: () => boolean): number;
  readonly stored: number;
  readonly skipped: number;
}

/** Reads one batch. `arrival` numbers the rows; `redact` takes secrets out of texts that escapes could hide. */
export function createLineReader(options: LogBatch['options'], limits: LineLimits, arrival: () => number, redact: ((text: string) => string) | null): LineReader {
  const timeNames = options.timeFields.map(bytesOf);
  const messageNames = options.messageFields.map(bytesOf);
  const streamNames = options.streamFields.map(bytesOf).sort();
  const ignored = options.ignoreFields.map(bytesOf);
  const extra = Object.entries(options.extraFields).map(([name, value]) => [bytesOf(name), bytesOf(value)] as const);
  const scan = createJsonScan(redact === null ? (bytes) => bytes : (bytes) => bytesOf(redact(textOf(bytes))));
  const times = createTimeReader();
  const top = new Map<string, Key>();
  const instant: Instant = { ms: 0, ns: 0 };
  // The values of a line, as they come.
  let keys: Key[] = [];
  let values: string[] = [];
  let bare: boolean[] = [];
  let count = 0;
  /** The keys of the line before, top level: the next line mostly has the same ones. */
  let before: Key[] = [];
  let stored = 0;
  let skipped = 0;
  const streams = new Map<string, string>();

  const isIgnored = (name: string) => ignored.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name));
  function keyOf(raw: string, parent: Key | null): Key {
    const known = (parent?.inner ?? top).get(raw);
    if (known) return known;
    const name = cut(parent ? `${parent.name}.${raw}` : raw, limits.nameBytes);
    // A name that escapes stood in does not look like this in a line.
    const token = /["\\]|[^\u0020-\uffff]/.test(raw) ? NEVER : `"${raw}":`;
    const key: Key = { name, token, role: raw === '' || isIgnored(name) ? 'ignored' : 'plain', time: timeNames.indexOf(name), message: messageNames.indexOf(name), inner: new Map(), rows: null, field: null };
    (parent?.inner ?? top).set(raw, key);
    return key;
  }
  function fieldOf(key: Key, rows: Rows): Field {
    if (key.rows !== rows || key.field === null) {
      key.rows = rows;
      key.field = rows.field(key.name);
    }
    return key.field;
  }
  function keep(key: Key, value: string, isBare: boolean): void {
    if (value === '' || key.role === 'ignored') return;
    if (count >= limits.fields) throw new BadJson('too many fields');
    keys[count] = key;
    values[count] = value;
    bare[count++] = isBare;
  }

  /** An object, whose opening brace is next. */
  function object(text: string, parent: Key | null, depth: number): void {
    scan.at++;
    if (scan.peek() === CLOSE) {
      scan.at++;
      return;
    }
    for (let n = 0; ; n++) {
      let key = parent === null ? before[n] : undefined;
      if (scan.peek() !== QUOTE) throw new BadJson('a name is missing');
      if (key !== undefined && text.startsWith(key.token, scan.at)) scan.at += key.token.length;
      else {
        key = keyOf(scan.string(), parent);
        if (scan.peek() !== COLON) throw new BadJson('a colon is missing');
        scan.at++;
        if (parent === null) before[n] = key;
      }
      value(text, key, depth);
      const next = scan.peek();
      scan.at++;
      if (next === COMMA) continue;
      if (next === CLOSE) return;
      throw new BadJson('a comma is missing');
    }
  }
  function value(text: string, key: Key, depth: number): void {
    const code = scan.peek();
    if (code === QUOTE) return keep(key, scan.string(), false);
    if (code === OPEN) {
      if (depth >= DEPTH) return keep(key, scan.compact(), false);
      const from = scan.at;
      const had = count;
      object(text, key, depth + 1);
      // Where a joined name is too long, the value stays JSON text.
      if (keys.slice(had, count).some(({ name }) => name.length >= limits.nameBytes)) {
        const to = scan.at;
        count = had;
        scan.at = from;
        keep(key, scan.compact(), false);
        scan.at = to;
      }
      return;
    }
    if (code === BRACKET) {
      const whole = scan.compact();
      return keep(key, whole, !/^\[{32}/.test(whole));
    }
    const token = scan.token();
    if (token !== 'null') keep(key, token, true);
  }

  /** The first name of a list that has a value; -1: none has. */
  function first(which: 'time' | 'message'): number {
    let best = -1;
    for (let i = 0; i < count; i++) {
      const rank = (keys[i] as Key)[which];
      if (rank >= 0 && (best < 0 || rank <= (keys[best] as Key)[which])) best = i;
    }
    return best;
  }

  function row(rows: Rows, now: number): boolean {
    instant.ms = now;
    instant.ns = 0;
    const time = timeNames.length > 0 ? first('time') : -1;
    if (time >= 0) {
      const text = values[time] as string;
      if (text !== '0' && text !== '-' && !times.read(text, instant)) return false;
    }
    const message = messageNames.length > 0 ? first('message') : -1;
    const timeName = time < 0 ? '_time' : (keys[time] as Key).name;
    const messageName = message < 0 ? '_msg' : (keys[message] as Key).name;
    for (let i = 0; i < count; i++) {
      const key = keys[i] as Key;
      // `_stream` and `_stream_id` are made here, never taken; a message by another name takes the place of `_msg`.
      if (key.name === timeName || OWN.has(key.name) || (key.name === '_msg' && messageName !== '_msg')) continue;
      if (key.name === messageName) rows.set(rows.field('_msg'), values[i] as string, false);
      else rows.set(fieldOf(key, rows), values[i] as string, bare[i] as boolean);
    }
    for (const [name, text] of extra) rows.set(rows.field(name), text, false);
    rows.set(rows.field('_stream'), streamOf(rows), false);
    rows.add(instant.ms, instant.ns, arrival());
    return true;
  }

  /** `{a="1",b="2"}` of the row's stream fields. */
  function streamOf(rows: Rows): string {
    let known = '';
    const parts: [string, string][] = [];
    for (const name of streamNames) {
      const field = rows.fields.get(name);
      const text = field === undefined ? '' : (field.values[field.codes[rows.count] as number] as string);
      if (text === '') continue;
      parts.push([name, text]);
      known += `${name}\n${text}\n`;
    }
    let stream = streams.get(known);
    if (stream === undefined) streams.set(known, (stream = `{${parts.map(([name, text]) => `${name}=${JSON.stringify(text)}`).join(',')}}`));
    return stream;
  }

  return {
    read(text, from, rows, now, full) {
      let at = from;
      while (at < text.length && !full()) {
        let end = text.indexOf('\n', at);
        if (end < 0) end = text.length;
        const next = end + 1;
        scan.over(text, at, end);
        const code = scan.peek();
        if (!Number.isNaN(code)) {
          count = 0;
          if (end - at <= limits.lineBytes && code === OPEN && line(text, end) && row(rows, now)) stored++;
          else skipped++;
        }
        at = next;
      }
      return at;
    },
    get stored() {
      return stored;
    },
    get skipped() {
      return skipped;
    },
  };

  function line(text: string, end: number): boolean {
    try {
      object(text, null, 0);
      return Number.isNaN(scan.peek()) || scan.at >= end;
    } catch (error) {
      if (error instanceof BadJson) return false;
      throw error;
    }
  }
}

/** At most so many bytes, no character in halves. */
function cut(name: string, most: number): string {
  if (name.length <= most) return name;
  let end = most;
  while (end > 0 && (name.charCodeAt(end) & 0xc0) === 0x80) end--;
  return name.slice(0, end);
}

/** The id of a stream: 48 hexadecimal digits. */
export const streamId = (stream: string): string => `${'0'.repeat(16)}${hash('sha256', stream, 'hex').slice(0, 32)}`;
