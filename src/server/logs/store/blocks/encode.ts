// Every byte of what comes in passes here: elements of typed arrays are cast, as the check of a default would cost some percent.

import { ByteWriter, seal, tieOf } from './bytes.ts';
import { Tokens, VALUE_BYTES } from './bloom.ts';
import { copy, lengthOf, type Field, type Rows } from './rows.ts';
import { decimalBytes, decimalsOf } from './decimal-column.ts';
import { numberBytes, templatesOf, type Templates } from './templates.ts';

/** How a column lies in its bytes (docs/log-format.md). */
export const KIND = { constant: 0, bytes: 1, pairs: 2, text: 3, template: 4, decimal: 5 } as const;
/**
 * What a block is for: `hot` ones live for a minute, and all of them lies in the head, without a filter; a `batch` is on its
 * way into the store, to be merged with others; `whole` ones stay, and are worth the work of finding the templates of their texts.
 */
export type BlockUse = 'hot' | 'batch' | 'whole';
/** Where a column lies: in the block's head, or in a row of its own; in format 1 without a checksum that ties it to the head. */
export const PLACE = { head: 0, untied: 1, own: 2 } as const;
/** Which values of a column came as a JSON number, boolean or array: none, all, or those of a bitmap. */
export const UNQUOTED = { none: 0, all: 1, some: 2 } as const;

/** A block ready to be written. */
export interface EncodedBlock {
  use: BlockUse;
  rows: number;
  /** Unix ms of the first and the last row. */
  t0: number;
  t1: number;
  /** The least and the greatest arrival number. */
  s0: number;
  s1: number;
  /** Bytes of text. */
  bytes: number;
  head: Buffer;
  columns: Buffer[];
  /** Pieces of the filter over words and values. */
  bloom: Buffer[];
}

/** A column up to this size lies in the head, and so does one that is packed to so many bytes. */
const HEAD_RAW = 1024;
const HEAD_COLUMN = 256;
/** Above this many different values a column is kept as text: a code has two bytes. */
const MAX_VALUES = 65_536;
/** A search reads a dictionary once for each of its values, and text once for all rows. */
const FEW_VALUES = 256;
const VALUES_SHARE = 8;

/** Rows as a block: those that `order` names, in that order, which is by time. */
export function encodeBlock(rows: Rows, order: Uint32Array, level: number, use: BlockUse): EncodedBlock {
  const hot = use === 'hot';
  const tokens = hot ? null : new Tokens(order.length * 4);
  const columns: Buffer[] = [];
  const head = new ByteWriter(1024);
  let bytes = 0;
  let s0 = Infinity;
  let s1 = -Infinity;
  for (const row of order) {
    const seq = rows.seq[row] as number;
    if (seq < s0) s0 = seq;
    if (seq > s1) s1 = seq;
  }
  const place = (raw: Buffer) => {
    // Packing has its price for each call, and the head is packed as one.
    const sealed = seal(raw, hot || raw.length <= HEAD_RAW ? null : level);
    if (hot || raw.length <= HEAD_RAW || sealed.length <= HEAD_COLUMN) {
      head.u8(PLACE.head);
      head.blob(sealed);
    } else {
      head.u8(PLACE.own);
      head.int(tieOf(sealed));
      columns.push(sealed);
    }
  };

  head.int(order.length);
  place(timesOf(rows, order));
  const fine = fineOf(rows, order);
  head.u8(fine === null ? 0 : 1);
  if (fine) place(fine);
  place(arrivalsOf(rows, order));

  const used = [...rows.fields.values()]
    .map((field) => ({ field, codes: codesOf(field, order) }))
    .filter(({ codes }) => codes.used > 0);
  head.int(used.length);
  for (const { field, codes } of used) {
    head.chars(field.name);
    const column = columnOf(field, codes, order, use === 'whole');
    bytes += column.bytes;
    head.u8(column.kind);
    head.u8(column.bare);
    for (const raw of column.raw) place(raw);
    if (tokens) addTokens(tokens, field, codes);
  }
  const first = order[0] as number;
  const last = order[order.length - 1] as number;
  return {
    use,
    rows: order.length,
    t0: rows.ms[first] as number,
    t1: rows.ms[last] as number,
    s0,
    s1,
    bytes,
    head: seal(head.done(), level),
    columns,
    bloom: tokens?.pieces() ?? [],
  };
}

interface Codes {
  /** Values that rows of the block have, the empty one left out. */
  used: number;
  /** Some row has no value. */
  gaps: boolean;
  seen: Uint8Array;
}

function codesOf(field: Field, order: Uint32Array): Codes {
  const seen = new Uint8Array(field.count);
  const { codes } = field;
  let used = 0;
  for (const row of order) {
    const code = codes[row] as number;
    if (seen[code] === 0) {
      seen[code] = 1;
      if (code !== 0) used++;
    }
  }
  return { used, gaps: seen[0] === 1, seen };
}

interface EncodedColumn {
  kind: number;
  bare: number;
  /** What it consists of, each in a place of its own. */
  raw: Buffer[];
  /** Bytes of text. */
  bytes: number;
}

function columnOf(field: Field, { used, gaps, seen }: Codes, order: Uint32Array, templates: boolean): EncodedColumn {
  const rows = order.length;
  if (used === 1 && !gaps) {
    const code = seen.indexOf(1);
    const raw = field.bytes.subarray(field.ends[code - 1], field.ends[code]);
    return {
      kind: KIND.constant,
      bare: field.bare[code] ? UNQUOTED.all : UNQUOTED.none,
      raw: [raw],
      bytes: raw.length * rows,
    };
  }
  const few =
    used < MAX_VALUES - 1 && (used <= FEW_VALUES ? used * 2 <= rows || rows < 8 : used * VALUES_SHARE <= rows);
  return few && field.table !== null ? dictionaryOf(field, seen, order) : textColumn(field, seen, order, templates);
}

/** Codes of the rows, one byte each or two (u16 LE), then the values by code. */
function dictionaryOf(field: Field, seen: Uint8Array, order: Uint32Array): EncodedColumn {
  const code = new Uint32Array(seen.length);
  const old: number[] = [];
  for (let i = 0; i < seen.length; i++) {
    if (seen[i] === 0) continue;
    code[i] = old.length;
    old.push(i);
  }
  const wide = old.length > 256;
  const codes = wide ? new Uint16Array(order.length) : new Uint8Array(order.length);
  let bytes = 0;
  for (let i = 0; i < order.length; i++) {
    const from = field.codes[order[i] ?? 0] as number;
    codes[i] = code[from] as number;
    bytes += lengthOf(field, from);
  }
  const bare = bareOf(
    old.map((i) => field.bare[i] === 1),
    old.map((i) => i === 0),
  );
  const out = new ByteWriter(codes.byteLength + old.length * 16);
  out.blob(new Uint8Array(codes.buffer));
  out.int(old.length);
  for (const i of old) out.int(lengthOf(field, i));
  out.blob(gathered(field, old));
  if (bare.map) out.blob(bare.map);
  return { kind: wide ? KIND.pairs : KIND.bytes, bare: bare.kind, raw: [out.done()], bytes };
}

/** The templates by code as a dictionary has its values, and the numbers. */
function templateColumn({ codes, texts, numbers }: Templates, bytes: number): EncodedColumn {
  const out = new ByteWriter(codes.byteLength + texts.length * 128);
  out.u8(codes.BYTES_PER_ELEMENT);
  out.blob(new Uint8Array(codes.buffer));
  out.int(texts.length);
  for (const { length } of texts) out.int(length);
  out.blob(Buffer.concat(texts));
  return { kind: KIND.template, bare: UNQUOTED.none, raw: [out.done(), numberBytes(numbers)], bytes };
}

/** Width of the lengths (1, 2 or 4), the lengths (LE), the bytes of all values. */
function textColumn(field: Field, seen: Uint8Array, order: Uint32Array, apart: boolean): EncodedColumn {
  const codes = order.map((row) => field.codes[row] as number);
  let longest = 0;
  let bytes = 0;
  for (const code of codes) {
    const length = lengthOf(field, code);
    bytes += length;
    if (length > longest) longest = length;
  }
  const anyBare = seen.some((is, code) => is === 1 && field.bare[code] === 1);
  const allBare = anyBare && seen.every((is, code) => is === 0 || code === 0 || field.bare[code] === 1);
  const decimals = apart && anyBare === allBare ? decimalsOf(field, codes) : null;
  if (decimals) {
    const bare = allBare ? UNQUOTED.all : UNQUOTED.none;
    return { kind: KIND.decimal, bare, raw: [decimalBytes(decimals)], bytes };
  }
  const templates = apart && !anyBare ? templatesOf(field, codes) : null;
  if (templates) return templateColumn(templates, bytes);
  const lengths =
    longest < 256
      ? new Uint8Array(codes.length)
      : longest < 65_536
        ? new Uint16Array(codes.length)
        : new Uint32Array(codes.length);
  for (let i = 0; i < codes.length; i++) lengths[i] = lengthOf(field, codes[i] as number);
  const rowBare: boolean[] = [];
  const absent: boolean[] = [];
  if (anyBare) {
    for (const code of codes) {
      rowBare.push(field.bare[code] === 1);
      absent.push(code === 0);
    }
  }
  const bare = bareOf(rowBare, absent);
  const out = new ByteWriter(bytes + lengths.byteLength + 64);
  out.u8(lengths.BYTES_PER_ELEMENT);
  out.blob(new Uint8Array(lengths.buffer));
  out.blob(gathered(field, codes));
  if (bare.map) out.blob(bare.map);
  return { kind: KIND.text, bare: bare.kind, raw: [out.done()], bytes };
}

/** The bytes of codes, one after another; not copied where they lie so. */
function gathered(field: Field, codes: ArrayLike<number>): Buffer {
  let size = 0;
  let next = 0;
  let first = 0;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    if (code === 0) continue;
    size += lengthOf(field, code);
    if (next === 0) first = code;
    if (next >= 0) next = next === 0 || next === code ? code + 1 : -1;
  }
  if (next >= 0)
    return next === 0 ? Buffer.alloc(0) : field.bytes.subarray(field.ends[first - 1], field.ends[next - 1]);
  const out = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    if (code === 0) continue;
    const end = field.ends[code] as number;
    const start = field.ends[code - 1] as number;
    copy(field.bytes, start, end, out, at);
    at += end - start;
  }
  return out;
}

function bareOf(flags: readonly boolean[], absent: readonly boolean[]): { kind: number; map: Buffer | null } {
  if (!flags.some(Boolean)) return { kind: UNQUOTED.none, map: null };
  if (flags.every((flag, i) => flag || absent[i])) return { kind: UNQUOTED.all, map: null };
  const map = Buffer.alloc(Math.ceil(flags.length / 8));
  flags.forEach((flag, i) => {
    if (flag) map[i >>> 3] = (map[i >>> 3] as number) | (1 << (i & 7));
  });
  return { kind: UNQUOTED.some, map };
}

/** The first time, then the steps from row to row, in ms. */
function timesOf(rows: Rows, order: Uint32Array): Buffer {
  const out = new ByteWriter(order.length + 16);
  let before = 0;
  for (const row of order) {
    const at = rows.ms[row] as number;
    out.signed(at - before);
    before = at;
  }
  return out.done();
}

/** Nanoseconds below the millisecond; null where all are 0. */
function fineOf(rows: Rows, order: Uint32Array): Buffer | null {
  const fine = new Uint32Array(order.length);
  let any = 0;
  for (let i = 0; i < order.length; i++) any |= fine[i] = rows.ns[order[i] ?? 0] as number;
  return any === 0 ? null : Buffer.from(fine.buffer);
}

/** The first arrival number, then the steps less 1, which are 0 where rows came in order. */
function arrivalsOf(rows: Rows, order: Uint32Array): Buffer {
  const out = new ByteWriter(order.length + 16);
  let before = 0;
  for (const row of order) {
    const at = rows.seq[row] as number;
    out.signed(at - before - 1);
    before = at;
  }
  return out.done();
}

function addTokens(tokens: Tokens, field: Field, { seen }: Codes): void {
  const message = field.name === '_msg';
  for (let code = 1; code < seen.length; code++) {
    if (seen[code] === 0) continue;
    if (message) tokens.addWords(field.bytes, field.ends[code - 1] as number, field.ends[code] as number);
    else if (lengthOf(field, code) <= VALUE_BYTES) tokens.add(field.hashes[code] as number);
  }
}
