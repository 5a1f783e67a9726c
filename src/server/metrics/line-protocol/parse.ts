// Every byte of what comes in passes here: elements of typed arrays are cast, as the check of a default would cost some percent.

import { latin1 } from './latin1.ts';
import type { Precision } from '../store/port.ts';
import { LineFault, parseHead, unescapeKey } from './head.ts';
import type { FieldRef, Head, KnownField, Measurement } from './head.ts';
import { parseFloat64, parseInteger, parseTime, type Instant } from './scalar.ts';

/** Types of values, as the catalog numbers them: see `FIELD_TYPES` in `store/files/catalog.ts`. */
const FLOAT = 0;
const INT = 1;
const UINT = 2;
const BOOL = 3;
const STRING = 4;

/** The points of a batch, in columns: point `i` has the values from `ends[i - 1]` to before `ends[i]`. */
export interface Points {
  readonly count: number;
  readonly heads: readonly Head[];
  readonly ms: readonly number[];
  readonly ns: readonly number[];
  readonly ends: readonly number[];
  readonly fields: readonly FieldRef[];
  readonly types: readonly number[];
  /** Booleans are 0 and 1; whole numbers that no double holds are bigints. */
  readonly values: readonly (number | bigint | string)[];
  readonly faults: readonly { readonly line: number; readonly text: string; readonly reason: string }[];
  /** Lines that are no points; `faults` has the first of them. */
  readonly faulty: number;
}

/** Faulty lines that are told, and how much of each. */
const FAULTS = 100;
const FAULT_CHARACTERS = 1000;
/** Bytes of a measurement with its tags, as with InfluxDB. */
const HEAD_BYTES = 65_535;
/** Heads and field keys that are remembered between batches. */
const REMEMBERED = 200_000;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const HASH = 0x23;
const COMMA = 0x2c;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;

export interface LineParser {
  /** `now` (Unix ms) is the time of points that have none. Never throws for what the bytes are. */
  parse(bytes: Uint8Array, precision: Precision, now: number): Points;
  /** Forgets what was looked up: the catalog has changed under it. */
  forget(): void;
}

/** Columns of points while they are read. */
interface Growing {
  readonly heads: Head[];
  readonly ms: number[];
  readonly ns: number[];
  readonly ends: number[];
  readonly fields: FieldRef[];
  readonly types: number[];
  readonly values: (number | bigint | string)[];
}

/** A head as it stands in lines. */
interface KnownHead {
  readonly raw: string;
  readonly head: Head;
  /** Which came behind it the last time: clients send their series in the same order again and again. */
  next: KnownHead | null;
}

/**
 * Line protocol of InfluxDB 2. Heads and field keys are looked up as they stand, so each is taken apart once; those that
 * come where they came before are compared with that alone.
 */
export function createLineParser(): LineParser {
  const heads = new Map<string, KnownHead>();
  let before: KnownHead | null = null;
  const measurements = new Map<string, Measurement>();
  const measurementOf = (name: string): Measurement => {
    let known = measurements.get(name);
    if (!known) measurements.set(name, (known = { name, fields: new Map(), first: null }));
    return known;
  };

  function headOf(bytes: Buffer, from: number, to: number): Head {
    if (to - from > HEAD_BYTES) throw new LineFault(`max key length exceeded: ${to - from} > ${HEAD_BYTES}`);
    const raw = latin1(bytes, from, to);
    let known = heads.get(raw);
    if (!known) {
      const head = parseHead(bytes.toString('utf8', from, to), measurementOf);
      // Those of one job each would only drive out the others.
      if (head.job !== '' || head.task !== '') return head;
      heads.set(raw, (known = { raw, head, next: null }));
    }
    if (before) before.next = known;
    before = known;
    return known.head;
  }

  function fieldOf(measurement: Measurement, bytes: Buffer, from: number, to: number): KnownField {
    if (to - from > HEAD_BYTES) throw new LineFault(`max key length exceeded: ${to - from} > ${HEAD_BYTES}`);
    const raw = latin1(bytes, from, to);
    let known = measurement.fields.get(raw);
    if (!known) {
      const name = unescapeKey(bytes.toString('utf8', from, to));
      if (name === 'time') throw new LineFault('the field key "time" is reserved');
      measurement.fields.set(raw, (known = { raw, ref: { name, id: -1, type: -1 }, next: null }));
    }
    return known;
  }

  function forget(): void {
    heads.clear();
    measurements.clear();
    before = null;
  }

  return {
    forget,
    parse(given, precision, now) {
      if (heads.size > REMEMBERED || measurements.size > REMEMBERED) forget();
      const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
      const length = bytes.length;
      const points: Growing = { heads: [], ms: [], ns: [], ends: [], fields: [], types: [], values: [] };
      const faults: { line: number; text: string; reason: string }[] = [];
      let faulty = 0;
      let line = 1;
      let at = 0;
      const instant: Instant = { ms: 0, ns: 0 };
      /** Where the last time stands, and what it is. */
      let timeAt = 0;
      let timeTo = 0;
      let lastMs = 0;
      let lastNs = 0;

      /** One value; gives where it ends. */
      function value(from: number): number {
        if (bytes[from] === QUOTE) {
          let to = from + 1;
          let escapes = false;
          for (; to < length && bytes[to] !== QUOTE; to++) {
            if (bytes[to] === LF) line++;
            if (bytes[to] === BACKSLASH && (bytes[to + 1] === QUOTE || bytes[to + 1] === BACKSLASH)) {
              escapes = true;
              to++;
            }
          }
          if (to >= length) throw new LineFault('unbalanced quotes');
          const text = bytes.toString('utf8', from + 1, to);
          points.types.push(STRING);
          points.values.push(escapes ? text.replace(/\\(["\\])/g, '$1') : text);
          return to + 1;
        }
        let to = from;
        for (; to < length; to++) {
          const byte = bytes[to] as number;
          if (byte === COMMA || byte === SPACE || byte === LF || byte === CR) break;
        }
        if (to === from) throw new LineFault('missing field value');
        const last = bytes[to - 1];
        if (last === 0x69 || last === 0x75) {
          points.values.push(parseInteger(bytes, from, to - 1, last === 0x75));
          points.types.push(last === 0x69 ? INT : UINT);
        } else if ((bytes[from] as number) > 0x39) {
          points.values.push(parseBool(latin1(bytes, from, Math.min(to, from + 6))));
          points.types.push(BOOL);
        } else {
          points.values.push(parseFloat64(bytes, from, to));
          points.types.push(FLOAT);
        }
        return to;
      }

      function point(): void {
        const start = at;
        const guess: KnownHead | null = before && before.next;
        let head: Head;
        if (guess && standsAt(bytes, start, guess.raw) && bytes[start + guess.raw.length] === SPACE) {
          before = guess;
          head = guess.head;
          at += guess.raw.length;
        } else {
          for (; at < length && bytes[at] !== LF; at++) if (bytes[at] === SPACE && bytes[at - 1] !== BACKSLASH) break;
          if (at >= length || bytes[at] === LF) throw new LineFault('missing fields');
          head = headOf(bytes, start, at);
        }
        let field: KnownField | null = null;
        while (bytes[at] === SPACE || bytes[at] === TAB) at++;
        for (;;) {
          const keyFrom = at;
          const known: KnownField | null = field ? field.next : head.measurement.first;
          if (known && standsAt(bytes, at, known.raw) && bytes[at + known.raw.length] === EQUALS) {
            points.fields.push(known.ref);
            at = value(at + known.raw.length + 1);
            field = known;
            if (bytes[at] !== COMMA || at >= length) break;
            at++;
            continue;
          }
          for (; at < length && bytes[at] !== LF; at++) {
            const byte = bytes[at];
            if ((byte === EQUALS || byte === COMMA || byte === SPACE) && bytes[at - 1] !== BACKSLASH) break;
          }
          if (at === keyFrom && bytes[at] === EQUALS) throw new LineFault('missing field key');
          if (bytes[at] !== EQUALS || at >= length)
            throw new LineFault(at === keyFrom ? 'missing fields' : 'invalid field format');
          const found = fieldOf(head.measurement, bytes, keyFrom, at);
          if (field) field.next = found;
          else head.measurement.first = found;
          field = found;
          points.fields.push(found.ref);
          at = value(at + 1);
          if (bytes[at] !== COMMA || at >= length) break;
          at++;
        }
        const blank = at;
        // As with InfluxDB a space ends the fields: a tab behind a value is part of it, and no value has one.
        if (bytes[at] === TAB) throw new LineFault('invalid field format');
        while (at < length && (bytes[at] === SPACE || bytes[at] === TAB)) at++;
        instant.ms = now;
        instant.ns = 0;
        if (at < length && bytes[at] !== LF && bytes[at] !== CR) {
          if (at === blank) throw new LineFault('invalid field format');
          const timeFrom = at;
          while (at < length && bytes[at] !== LF && bytes[at] !== CR && bytes[at] !== SPACE) at++;
          // Lines of one time follow each other.
          if (at - timeFrom === timeTo - timeAt && isSame(bytes, timeFrom, timeAt, at - timeFrom)) {
            instant.ms = lastMs;
            instant.ns = lastNs;
          } else {
            parseTime(bytes, timeFrom, at, precision, instant);
            timeAt = timeFrom;
            timeTo = at;
            lastMs = instant.ms;
            lastNs = instant.ns;
          }
          while (bytes[at] === SPACE) at++;
        }
        if (bytes[at] === CR) at++;
        if (at < length && bytes[at] !== LF) throw new LineFault('bad timestamp');
        points.heads.push(head);
        points.ms.push(instant.ms);
        points.ns.push(instant.ns);
        points.ends.push(points.fields.length);
      }

      while (at < length) {
        const byte = bytes[at];
        if (byte === LF) {
          at++;
          line++;
        } else if (byte === SPACE || byte === TAB || byte === CR || byte === 0) at++;
        else if (byte === HASH) at = endOf(bytes, at);
        else {
          const from = at;
          const firstLine = line;
          try {
            point();
          } catch (error) {
            if (!(error instanceof LineFault)) throw error;
            // What the line gave before it went wrong.
            const keep = points.ends.at(-1) ?? 0;
            points.fields.length = points.types.length = points.values.length = keep;
            const quoted = error.message === 'unbalanced quotes' || at < from;
            at = endOf(bytes, quoted ? from : Math.max(from, at));
            line = quoted ? firstLine : line;
            if (faulty++ < FAULTS)
              faults.push({
                line: firstLine,
                text: bytes.toString('utf8', from, Math.min(at, from + FAULT_CHARACTERS)).replace(/\r$/, ''),
                reason: error.message,
              });
          }
        }
      }
      return { count: points.heads.length, ...points, faults, faulty };
    },
  };
}

/** Whether a text of single bytes stands there. */
function standsAt(bytes: Buffer, from: number, text: string): boolean {
  const count = text.length;
  if (from + count > bytes.length) return false;
  for (let i = 0; i < count; i++) if (bytes[from + i] !== text.charCodeAt(i)) return false;
  return true;
}

function isSame(bytes: Buffer, a: number, b: number, count: number): boolean {
  for (let i = 0; i < count; i++) if (bytes[a + i] !== bytes[b + i]) return false;
  return true;
}

function endOf(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(LF, from);
  return end < 0 ? bytes.length : end;
}

const TRUE: ReadonlySet<string> = new Set(['t', 'T', 'true', 'True', 'TRUE']);
const FALSE: ReadonlySet<string> = new Set(['f', 'F', 'false', 'False', 'FALSE']);

function parseBool(text: string): number {
  if (TRUE.has(text)) return 1;
  if (FALSE.has(text)) return 0;
  throw new LineFault(/^[tTfF]/.test(text) ? 'invalid boolean' : 'invalid field format');
}
