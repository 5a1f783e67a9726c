import { stripAnsi } from '../../../../lib/strip-ansi.ts';
import { hashBytes } from '../blocks/bloom.ts';
import { BadJson, createJsonScan } from './json-scan.ts';
import type { LogBatch } from '../port.ts';
import { bytesOf, type Field, type Rows } from '../blocks/rows.ts';
import { heldMessage, heldTime, isNoTime, type Bytes, type Held } from './held-values.ts';
import { createKeys, OWN, type Key, type LineLimits } from './line-keys.ts';
import { createStreams } from './streams.ts';
import { createTimeReader, type Instant } from '../time.ts';

/** Objects that lie deeper stay JSON text. */
const DEPTH = 20;
/** An array deeper than this stays text, so that whoever reads it need not go down. */
const DEEP_ARRAY = '['.repeat(32);
const OPEN = 0x7b;
const CLOSE = 0x7d;
const BRACKET = 0x5b;
const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const NEWLINE = 0x0a;
const ESCAPE = 0x1b;

export interface LineReader {
  /**
   * Reads the lines of `bytes` from `from` into rows. Stops before a line when the rows are `full`. Lines without a time
   * are of `now`. Gives where it stopped.
   */
  read(bytes: Buffer, from: number, rows: Rows, now: number, full: () => boolean): number;
  readonly stored: number;
  readonly skipped: number;
}

/** Reads one batch. `arrival` numbers the rows; `redact` takes secrets out of texts that escapes could hide. */
export function createLineReader(
  options: LogBatch['options'],
  limits: LineLimits,
  arrival: () => number,
  redact: ((text: string) => string) | null,
): LineReader {
  const scan = createJsonScan(redact === null ? (bytes) => bytes : (bytes) => Buffer.from(redact(bytes.toString())));
  const { piece } = scan;
  const { ownName, keyOf } = createKeys(options, limits, piece);
  const extra = Object.entries(options.extraFields).map(
    ([name, value]) => [ownName(bytesOf(name)), bytesOf(value)] as const,
  );
  const times = createTimeReader();
  const streamOf = createStreams(options.streamFields.map(bytesOf).sort());
  const instant: Instant = { ms: 0, ns: 0 };
  /** Fields that the line at hand has set, and its values that wait: so many of each. Emptied lists would be allocated anew for every line. */
  const touched: Field[] = [];
  let touchedCount = 0;
  const held: Held[] = [];
  let heldCount = 0;
  /** The keys of the line before, top level: the next line mostly has the same ones. */
  const before: Key[] = [];
  /** The rows at hand, and the keys whose columns there are known. */
  let current: Rows | null = null;
  const resolved: Key[] = [];
  let stored = 0;
  let skipped = 0;

  /** Keys of a batch with ever new names would hold all rows that they were in. */
  function takeRows(rows: Rows): void {
    if (rows === current) return;
    for (const key of resolved) {
      key.rows = null;
      key.field = null;
    }
    resolved.length = 0;
    current = rows;
  }
  function fieldOf(key: Key, rows: Rows): Field {
    if (key.rows !== rows || key.field === null) {
      key.rows = rows;
      key.field = rows.field(key.name);
      resolved.push(key);
    }
    return key.field;
  }
  function put(rows: Rows, field: Field, { bytes, start, end }: Bytes, hash: number, bare: number): void {
    if (touchedCount >= limits.fields) throw new BadJson('too many fields');
    touched[touchedCount++] = field;
    rows.put(field, bytes, start, end, hash, bare);
  }
  function putHeld(rows: Rows, one: Held, bare: number): void {
    const field = fieldOf(one.key, rows);
    // Messages are searched by their words: the hash of one is for looking it up alone.
    const needed = field.table !== null || one.key.name !== '_msg';
    put(rows, field, one, needed ? hashBytes(one.bytes, one.start, one.end, one.key.seed) : 0, bare);
  }
  /** Takes the colours out of the piece that was passed last. What they parted may be a secret. */
  function uncolor(seed: number): void {
    const text = stripAnsi(piece.bytes.toString('utf8', piece.start, piece.end));
    piece.bytes = Buffer.from(redact === null ? text : redact(text));
    piece.start = 0;
    piece.end = piece.bytes.length;
    piece.hash = hashBytes(piece.bytes, 0, piece.end, seed);
  }
  /** Keeps the piece that was passed last. */
  function keep(rows: Rows, key: Key, bare: number): void {
    if (key.plain && bare === 0 && piece.bytes.subarray(piece.start, piece.end).includes(ESCAPE)) uncolor(key.seed);
    if (piece.start === piece.end || key.ignored) return;
    if (key.waits) hold(key, bare);
    else put(rows, fieldOf(key, rows), piece, piece.hash, bare);
  }
  function hold(key: Key, bare: number): void {
    const { bytes, start, end: stop } = piece;
    const one = held[heldCount++];
    if (one === undefined) {
      held.push({ key, bytes, start, end: stop, bare });
      return;
    }
    one.key = key;
    one.bytes = bytes;
    one.start = start;
    one.end = stop;
    one.bare = bare;
  }

  /** An object, whose opening brace is next. */
  function object(rows: Rows, parent: Key | null, depth: number): void {
    scan.to(scan.at() + 1);
    if (scan.peek() === CLOSE) return scan.to(scan.at() + 1);
    for (let n = 0; ; n++) {
      if (scan.peek() !== QUOTE) throw new BadJson('a member name is missing');
      let key = parent === null ? before[n] : undefined;
      if (key === undefined || !scan.pass(key.token)) {
        scan.string(0);
        key = keyOf(parent);
        if (scan.peek() !== COLON) throw new BadJson('a colon is missing');
        scan.to(scan.at() + 1);
        if (parent === null && n < limits.fields) before[n] = key;
      }
      value(rows, key, depth);
      const next = scan.peek();
      scan.to(scan.at() + 1);
      if (next === COMMA) continue;
      if (next === CLOSE) return;
      throw new BadJson('a comma is missing');
    }
  }
  function value(rows: Rows, key: Key, depth: number): void {
    const code = scan.peek();
    if (code === QUOTE) {
      if (key.waits) scan.unhashed();
      else scan.string(key.seed);
      return keep(rows, key, 0);
    }
    if (code === OPEN) return inner(rows, key, depth);
    if (code === BRACKET) {
      scan.compact(key.seed);
      return keep(
        rows,
        key,
        piece.bytes.toString('latin1', piece.start, piece.start + DEEP_ARRAY.length) === DEEP_ARRAY ? 0 : 1,
      );
    }
    scan.token(key.seed);
    if (code !== 0x6e) keep(rows, key, 1);
  }
  /** An object in an object: its names are joined. Where that makes one too long, it stays JSON text. */
  function inner(rows: Rows, key: Key, depth: number): void {
    const from = scan.at();
    if (depth < DEPTH && !key.whole) {
      const [fields, others] = [touchedCount, heldCount];
      object(rows, key, depth + 1);
      const long = (name: string) => name.length >= limits.nameBytes;
      if (
        !touched.slice(fields, touchedCount).some(({ name }) => long(name)) &&
        !held.slice(others, heldCount).some((one) => long(one.key.name))
      )
        return;
      forget(rows, fields);
      heldCount = others;
      scan.to(from);
    }
    scan.compact(key.seed);
    keep(rows, key, 0);
  }

  /** Takes back what was set of the row at hand, but for so many fields. */
  function forget(rows: Rows, but: number): void {
    for (; touchedCount > but; touchedCount--) (touched[touchedCount - 1] as Field).codes[rows.count] = 0;
  }
  /** Ends the row of a line; false: its time cannot be read. */
  function end(rows: Rows, now: number): boolean {
    instant.ms = now;
    instant.ns = 0;
    const time = heldTime(held, heldCount);
    if (time !== undefined && !isNoTime(time) && !times.readBytes(time.bytes, time.start, time.end, instant))
      return false;
    const message = heldMessage(held, heldCount);
    for (let i = 0; i < heldCount; i++) {
      const one = held[i] as Held;
      const { name } = one.key;
      // A message by another name takes the place of `_msg`.
      if (
        name === time?.key.name ||
        OWN.has(name) ||
        (name === '_msg' && message !== undefined && message.key.name !== '_msg')
      )
        continue;
      if (name !== message?.key.name) putHeld(rows, one, one.bare);
      else if (name === '_msg') putHeld(rows, one, 0);
      else rows.set(rows.field('_msg'), one.bytes.toString('latin1', one.start, one.end), false);
    }
    for (const [name, text] of extra) rows.set(rows.field(name), text, false);
    streamOf(rows);
    rows.add(instant.ms, instant.ns, arrival());
    return true;
  }
  function line(rows: Rows, now: number): boolean {
    touchedCount = 0;
    heldCount = 0;
    try {
      object(rows, null, 0);
      if (scan.peek() === -1 && end(rows, now)) return true;
    } catch (error) {
      if (!(error instanceof BadJson)) throw error;
    }
    forget(rows, 0);
    return false;
  }

  return {
    read(bytes, from, rows, now, full) {
      let at = from;
      takeRows(rows);
      while (at < bytes.length && !full()) {
        let stop = bytes.indexOf(NEWLINE, at);
        if (stop < 0) stop = bytes.length;
        scan.over(bytes, at, stop);
        const code = scan.peek();
        if (code !== -1) {
          if (stop - at <= limits.lineBytes && code === OPEN && line(rows, now)) stored++;
          else skipped++;
        }
        at = stop + 1;
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
}
