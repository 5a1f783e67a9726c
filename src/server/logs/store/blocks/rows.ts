// Every byte of what comes in passes here: elements of typed arrays are cast, as the check of a default would cost some percent.

import { fieldSeed, hashOf } from './bloom.ts';

/**
 * Rows on their way into blocks, in columns of bytes: no text is made of what is only passed on. "Byte strings" are
 * JavaScript strings whose characters are the bytes of a UTF-8 text.
 */
export interface Field {
  /** A byte string. */
  readonly name: string;
  /** Where the hashes of its values start. */
  readonly seed: number;
  /** By row; code 0 is the empty value, which is the same as none. */
  codes: Uint32Array;
  /** How many codes there are. */
  count: number;
  /** The bytes of the values by code, one after another; value `c` ends before `ends[c]`. */
  bytes: Buffer;
  ends: Uint32Array;
  /** By code: the value's hash; 0 where it was not needed. */
  hashes: Uint32Array;
  /** By code: 1 where the value came as a JSON number, boolean or array. */
  bare: Uint8Array;
  /** Codes by hash. Null: nearly every value differs from those before, so looking them up costs more than it saves. */
  table: Uint32Array | null;
}

/** Rows in the order of arrival. */
export interface Rows {
  readonly fields: ReadonlyMap<string, Field>;
  readonly count: number;
  /** True while rows came in the order of their times. */
  readonly ordered: boolean;
  readonly ms: Float64Array;
  readonly ns: Uint32Array;
  readonly seq: Float64Array;
  /** Bytes of text in all values. */
  readonly bytes: number;
  field(name: string): Field;
  /** Sets a value, with its hash from the field's seed, of the row that `add` ends. */
  put(field: Field, from: Uint8Array, start: number, end: number, hash: number, bare: number): void;
  /** Sets a byte string. */
  set(field: Field, text: string, bare: boolean): void;
  /** Sets a code that the field has. */
  again(field: Field, code: number): void;
  /** Ends the row. */
  add(ms: number, ns: number, seq: number): void;
}

const LOOK_UP_AFTER = 512;
const LOOK_UP_SHARE = 0.6;
/** A loop is quicker than a call for copies up to so many bytes. */
const SHORT = 48;

export const lengthOf = (field: Field, code: number): number =>
  code === 0 ? 0 : (field.ends[code] as number) - (field.ends[code - 1] as number);
/** The byte string of a code. */
export const valueOf = (field: Field, code: number): string =>
  code === 0 ? '' : field.bytes.toString('latin1', field.ends[code - 1], field.ends[code]);

export function createRows(expected = 1024): Rows {
  const fields = new Map<string, Field>();
  let capacity = Math.max(1, expected);
  let count = 0;
  let ms = new Float64Array(capacity);
  let ns = new Uint32Array(capacity);
  let seq = new Float64Array(capacity);
  let ordered = true;
  let bytes = 0;

  function grow(): void {
    capacity *= 2;
    ms = wider(ms, new Float64Array(capacity));
    ns = wider(ns, new Uint32Array(capacity));
    seq = wider(seq, new Float64Array(capacity));
    for (const field of fields.values()) field.codes = wider(field.codes, new Uint32Array(capacity));
  }

  function put(field: Field, from: Uint8Array, start: number, end: number, hash: number, bare: number): void {
    const size = end - start;
    bytes += size;
    if (size === 0) {
      field.codes[count] = 0;
      return;
    }
    const { table } = field;
    let at = 0;
    if (table !== null) {
      const mask = table.length - 1;
      at = (hash ^ (hash >>> 15)) & mask;
      for (let code = table[at] as number; code !== 0; code = table[at] as number) {
        if (field.hashes[code] === hash && field.bare[code] === bare && same(field, code, from, start, size)) {
          field.codes[count] = code;
          return;
        }
        at = (at + 1) & mask;
      }
    }
    const code = field.count++;
    if (code >= field.ends.length) widen(field);
    const place = field.ends[code - 1] as number;
    if (place + size > field.bytes.length)
      field.bytes = wider(field.bytes, Buffer.allocUnsafeSlow(Math.max(field.bytes.length * 2, place + size)));
    copy(from, start, end, field.bytes, place);
    field.ends[code] = place + size;
    field.hashes[code] = hash;
    field.bare[code] = bare;
    field.codes[count] = code;
    if (table === null) return;
    table[at] = code;
    if (code > LOOK_UP_AFTER && code > count * LOOK_UP_SHARE) field.table = null;
    else if (code * 2 > table.length) field.table = tableOf(field, table.length * 2);
  }

  return {
    fields,
    get count() {
      return count;
    },
    get ordered() {
      return ordered;
    },
    get ms() {
      return ms;
    },
    get ns() {
      return ns;
    },
    get seq() {
      return seq;
    },
    get bytes() {
      return bytes;
    },
    field(name) {
      let field = fields.get(name);
      if (field === undefined) {
        field = {
          name,
          seed: fieldSeed(name),
          codes: new Uint32Array(capacity),
          count: 1,
          bytes: Buffer.allocUnsafeSlow(256),
          ends: new Uint32Array(16),
          hashes: new Uint32Array(16),
          bare: new Uint8Array(16),
          table: new Uint32Array(32),
        };
        fields.set(name, field);
      }
      return field;
    },
    put,
    set(field, text, bare) {
      const raw = Buffer.from(text, 'latin1');
      put(field, raw, 0, raw.length, hashOf(text, field.seed), bare ? 1 : 0);
    },
    again(field, code) {
      bytes += lengthOf(field, code);
      field.codes[count] = code;
    },
    add(atMs, atNs, arrival) {
      if (ordered && count > 0) {
        const before = ms[count - 1] as number;
        if (
          atMs < before ||
          (atMs === before &&
            (atNs < (ns[count - 1] as number) || (atNs === ns[count - 1] && arrival < (seq[count - 1] as number))))
        )
          ordered = false;
      }
      ms[count] = atMs;
      ns[count] = atNs;
      seq[count] = arrival;
      if (++count === capacity) grow();
    },
  };
}

function wider<T extends Float64Array | Uint32Array | Uint8Array>(old: T, fresh: T): T {
  fresh.set(old);
  return fresh;
}

function widen(field: Field): void {
  const size = field.ends.length * 2;
  field.ends = wider(field.ends, new Uint32Array(size));
  field.hashes = wider(field.hashes, new Uint32Array(size));
  field.bare = wider(field.bare, new Uint8Array(size));
}

function tableOf(field: Field, size: number): Uint32Array {
  const table = new Uint32Array(size);
  for (let code = 1; code < field.count; code++) {
    const hash = field.hashes[code] as number;
    let at = (hash ^ (hash >>> 15)) & (size - 1);
    while (table[at] !== 0) at = (at + 1) & (size - 1);
    table[at] = code;
  }
  return table;
}

function same(field: Field, code: number, from: Uint8Array, start: number, size: number): boolean {
  const place = field.ends[code - 1] as number;
  if ((field.ends[code] as number) - place !== size) return false;
  const { bytes } = field;
  for (let i = 0; i < size; i++) if (bytes[place + i] !== from[start + i]) return false;
  return true;
}

export function copy(from: Uint8Array, start: number, end: number, to: Buffer, place: number): void {
  if (end - start > SHORT) to.set(from.subarray(start, end), place);
  else for (let i = start, at = place; i < end; i++, at++) to[at] = from[i] as number;
}

/** The rows' numbers in the order of their times, and of their arrival where times are equal. */
export function orderOf(rows: Rows): Uint32Array {
  const order = new Uint32Array(rows.count);
  for (let i = 0; i < order.length; i++) order[i] = i;
  if (rows.ordered) return order;
  const { ms, ns, seq } = rows;
  return order.sort(
    (a, b) =>
      (ms[a] as number) - (ms[b] as number) ||
      (ns[a] as number) - (ns[b] as number) ||
      (seq[a] as number) - (seq[b] as number),
  );
}

export const bytesOf = (text: string): string => (isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1'));
export const textOf = (bytes: string): string => (isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString());
const beyondAscii = /[\u0080-\uffff]/;
const isAscii = (text: string): boolean => !beyondAscii.test(text);
