// Every byte of what comes in passes here: elements of typed arrays are cast, as the check of a default would cost some percent.

import { fieldSeed, hashBytes, hashOf } from './bloom.ts';

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

const LOOK_UP_AFTER = 512;
const LOOK_UP_SHARE = 0.6;
/** A loop is quicker than a call for copies up to so many bytes. */
const SHORT = 48;
/** Room that is taken over is not more than this, and so many times what it last held. */
const SPARE_BYTES = 64 * 1024;
const SPARE_SHARE = 4;

export const lengthOf = (field: Field, code: number): number =>
  code === 0 ? 0 : (field.ends[code] as number) - (field.ends[code - 1] as number);
/** The byte string of a code. */
export const valueOf = (field: Field, code: number): string =>
  code === 0 ? '' : field.bytes.toString('latin1', field.ends[code - 1], field.ends[code]);

/** Rows in the order of arrival. */
export class Rows {
  /** As of `ByteWriter`; with a field, for the shape of fields. */
  static readonly kept = new Rows(1);
  static {
    Rows.kept.field('');
  }
  readonly fields = new Map<string, Field>();
  count = 0;
  /** True while rows came in the order of their times. */
  ordered = true;
  ms: Float64Array;
  ns: Uint32Array;
  seq: Float64Array;
  /** Bytes of text in all values, and how many values there are. */
  bytes = 0;
  values = 0;
  private capacity: number;
  private spare: Rows | null;

  /** `spare`: rows that nobody reads any more. These take over the room that they had. */
  constructor(expected = 1024, spare: Rows | null = null) {
    this.spare = spare;
    if (spare !== null) spare.spare = null;
    this.capacity = spare?.capacity ?? Math.max(1, expected);
    this.ms = spare?.ms ?? new Float64Array(this.capacity);
    this.ns = spare?.ns ?? new Uint32Array(this.capacity);
    this.seq = spare?.seq ?? new Float64Array(this.capacity);
  }

  field(name: string): Field {
    let field = this.fields.get(name);
    if (field === undefined) {
      const old = this.spareField(name);
      field = {
        name,
        seed: fieldSeed(name),
        codes: old?.codes.length === this.capacity ? old.codes.fill(0) : new Uint32Array(this.capacity),
        count: 1,
        bytes: old?.bytes ?? Buffer.allocUnsafeSlow(256),
        ends: old?.ends ?? new Uint32Array(16),
        hashes: old?.hashes ?? new Uint32Array(16),
        bare: old?.bare ?? new Uint8Array(16),
        table: old?.table?.fill(0) ?? new Uint32Array(32),
      };
      this.fields.set(name, field);
    }
    return field;
  }

  /** Its room is taken over; not where it is far more than its values last took. */
  private spareField(name: string): Field | undefined {
    const old = this.spare?.fields.get(name);
    const used = old?.ends[old.count - 1] ?? 0;
    return old && old.bytes.length <= SPARE_BYTES + used * SPARE_SHARE ? old : undefined;
  }

  /** Room for so many more rows. */
  reserve(more: number): void {
    while (this.count + more > this.capacity) this.grow();
  }

  /** Sets a value, with its hash from the field's seed, of the row that `add` ends, or of a later one that there is room for. */
  put(
    field: Field,
    from: Uint8Array,
    start: number,
    end: number,
    hash: number,
    bare: number,
    row: number = this.count,
  ): void {
    const size = end - start;
    this.bytes += size;
    if (size === 0) {
      field.codes[row] = 0;
      return;
    }
    this.values++;
    const { table } = field;
    let at = 0;
    if (table !== null) {
      const mask = table.length - 1;
      at = (hash ^ (hash >>> 15)) & mask;
      for (let code = table[at] as number; code !== 0; code = table[at] as number) {
        if (field.hashes[code] === hash && field.bare[code] === bare && same(field, code, from, start, size)) {
          field.codes[row] = code;
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
    field.codes[row] = code;
    if (table === null) return;
    table[at] = code;
    if (code > LOOK_UP_AFTER && code > row * LOOK_UP_SHARE) field.table = null;
    else if (code * 2 > table.length) field.table = tableOf(field, table.length * 2);
  }

  /**
   * Sets the values from number `first` on, which end in `from` at `ends`, of as many rows from `row` on, as `put` does where values
   * are not looked up. `hashed`: with their hashes.
   */
  putAll(
    field: Field,
    from: Buffer,
    ends: Uint32Array,
    first: number,
    row: number,
    bare: (n: number) => boolean,
    hashed: boolean,
  ): void {
    const begin = first === 0 ? 0 : (ends[first - 1] as number);
    const size = (ends[ends.length - 1] as number) - begin;
    const place = field.ends[field.count - 1] as number;
    if (place + size > field.bytes.length)
      field.bytes = wider(field.bytes, Buffer.allocUnsafeSlow(Math.max(field.bytes.length * 2, place + size)));
    field.bytes.set(from.subarray(begin, begin + size), place);
    while (field.count + ends.length - first > field.ends.length) widen(field);
    this.bytes += size;
    const { codes, ends: to, hashes, seed } = field;
    let start = begin;
    for (let n = first, at = row; n < ends.length; n++, at++) {
      const end = ends[n] as number;
      if (end === start) {
        codes[at] = 0;
        continue;
      }
      const code = field.count++;
      this.values++;
      codes[at] = code;
      to[code] = place + end - begin;
      hashes[code] = hashed ? hashBytes(from, start, end, seed) : 0;
      field.bare[code] = bare(n) ? 1 : 0;
      start = end;
    }
  }

  /** Sets a byte string. */
  set(field: Field, text: string, bare: boolean, row: number = this.count): void {
    const raw = Buffer.from(text, 'latin1');
    this.put(field, raw, 0, raw.length, hashOf(text, field.seed), bare ? 1 : 0, row);
  }

  /** Sets a code that the field has. */
  again(field: Field, code: number, row: number = this.count): void {
    this.bytes += lengthOf(field, code);
    if (code !== 0) this.values++;
    field.codes[row] = code;
  }

  /** Ends the row. */
  add(ms: number, ns: number, seq: number): void {
    const { count } = this;
    if (this.ordered && count > 0) {
      const before = this.ms[count - 1] as number;
      if (
        ms < before ||
        (ms === before &&
          (ns < (this.ns[count - 1] as number) || (ns === this.ns[count - 1] && seq < (this.seq[count - 1] as number))))
      )
        this.ordered = false;
    }
    this.ms[count] = ms;
    this.ns[count] = ns;
    this.seq[count] = seq;
    if (++this.count === this.capacity) this.grow();
  }

  private grow(): void {
    this.capacity *= 2;
    this.ms = wider(this.ms, new Float64Array(this.capacity));
    this.ns = wider(this.ns, new Uint32Array(this.capacity));
    this.seq = wider(this.seq, new Float64Array(this.capacity));
    for (const field of this.fields.values()) field.codes = wider(field.codes, new Uint32Array(this.capacity));
  }
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
