import type { Column } from '../port.ts';
import { ByteReader, ChecksumError, tieOf, unseal } from './bytes.ts';
import { UNQUOTED, KIND, PLACE } from './encode.ts';
import { decodeDecimals, textOfDecimals, type Decimals } from './decimal-column.ts';
import { decodeNumbers, templateCodes, textOfTemplates, type TemplateCodes } from './template-column.ts';

/** Where the bytes of a column are: themselves, or in a row of their own. */
export type Place =
  | Buffer
  | { readonly part: number; /** See `tieOf`; null: the format had none. */ readonly tie: number | null };

/** The bytes of a place. Throws `ChecksumError` where the row is missing or another one stands there. */
export function bytesAt(place: Place, read: (part: number) => Buffer | undefined): Buffer {
  if (!('part' in place)) return place;
  const bytes = read(place.part);
  if (bytes === undefined) throw new ChecksumError('a part is missing');
  if (place.tie !== null && tieOf(bytes) !== place.tie) throw new ChecksumError('another part is in the place of one');
  return bytes;
}

export interface Head {
  /** Its size unpacked, which what lies in it holds. */
  bytes: number;
  rows: number;
  times: Place;
  fine: Place | null;
  arrivals: Place;
  columns: Map<string, ColumnHead>;
}

/** What a head says of a column. `numbers`: those of a column of templates, which lie apart. */
export interface ColumnHead {
  readonly kind: number;
  readonly bare: number;
  readonly place: Place;
  readonly numbers: Place | null;
}

/** Reads the head of a block. Throws `ChecksumError`. */
export function decodeHead(sealed: Uint8Array): Head {
  const raw = unseal(sealed);
  const from = new ByteReader(raw);
  let own = 0;
  const place = (): Place => {
    const where = from.u8();
    if (where === PLACE.head) return from.blob();
    if (where === PLACE.untied) return { part: own++, tie: null };
    if (where !== PLACE.own) throw new ChecksumError(`a column has the unknown location ${where}`);
    return { tie: from.int(), part: own++ };
  };
  const rows = from.int();
  const times = place();
  const fine = from.u8() === 0 ? null : place();
  const arrivals = place();
  const columns: Head['columns'] = new Map();
  for (let left = from.int(); left > 0; left--) {
    const name = Buffer.from(from.chars(), 'latin1').toString();
    const kind = from.u8();
    columns.set(name, { kind, bare: from.u8(), place: place(), numbers: kind === KIND.template ? place() : null });
  }
  return { bytes: raw.length, rows, times, fine, arrivals, columns };
}

/** What is read of a column at first: of one of templates the numbers come later, of one of numbers the texts. */
export type ReadColumn = Exclude<Column, { kind: 'template' | 'decimal' }> | TemplateCodes | Decimals;

/** A column, and which of its values came bare: by code of a dictionary, by row of a text; true: all, null: none. */
export interface DecodedColumn {
  column: ReadColumn;
  bare: Uint8Array | true | null;
  /** About how much memory it takes. */
  bytes: number;
}

/** Reads a column of a block with so many rows. Throws `ChecksumError`. */
export function decodeColumn(sealed: Uint8Array, kind: number, bareKind: number, rows: number): DecodedColumn {
  const raw = unseal(sealed);
  if (kind === KIND.constant)
    return {
      column: { kind: 'constant', value: raw.toString() },
      bare: bareKind === UNQUOTED.all ? true : null,
      bytes: raw.length,
    };
  const from = new ByteReader(raw);
  if (kind === KIND.text) {
    const width = from.u8();
    const lengths = from.blob();
    const bytes = from.blob();
    if (lengths.length !== rows * width) throw new ChecksumError('a text column has the wrong number of rows');
    const ends = endsOf(lengths, width, rows);
    if ((ends[rows - 1] ?? 0) !== bytes.length) throw new ChecksumError('a text column has the wrong length');
    return {
      column: { kind: 'text', bytes, ends },
      bare: bareFrom(bareKind, from),
      bytes: raw.length + ends.byteLength,
    };
  }
  if (kind === KIND.template) {
    const width = from.u8();
    const codes = codesFrom(from.blob(), width, rows);
    const texts = textsFrom(from);
    checkCodes(codes, texts.length);
    const column = templateCodes(texts, codes);
    return { column, bare: null, bytes: raw.length * 3 };
  }
  if (kind === KIND.decimal) {
    const column = decodeDecimals(raw, rows);
    return { column, bare: bareKind === UNQUOTED.all ? true : null, bytes: column.values.byteLength };
  }
  if (kind !== KIND.bytes && kind !== KIND.pairs) throw new ChecksumError(`a column is of the unknown kind ${kind}`);
  const codes = codesFrom(from.blob(), kind === KIND.pairs ? 2 : 1, rows);
  const values = valuesFrom(from);
  checkCodes(codes, values.length);
  return { column: { kind: 'dictionary', values, codes }, bare: bareFrom(bareKind, from), bytes: raw.length * 2 };
}

/** A column in texts, whatever it is kept as. Throws `ChecksumError`. */
export function decodeTexts(
  { kind, bare, place, numbers }: ColumnHead,
  at: (place: Place) => Buffer,
  rows: number,
): { column: Exclude<ReadColumn, TemplateCodes | Decimals>; bare: DecodedColumn['bare'] } {
  const read = decodeColumn(at(place), kind, bare, rows);
  const { column } = read;
  if (column.kind === 'decimals') return { column: textOfDecimals(column), bare: read.bare };
  if (column.kind !== 'templates') return { column, bare: read.bare };
  return { column: textOfTemplates(column, decodeNumbers(numbersAt(numbers, at), column)), bare: read.bare };
}

/** The numbers of a column, unpacked. */
export function numbersAt(numbers: Place | null, at: (place: Place) => Buffer): Buffer {
  if (numbers === null) throw new ChecksumError('a column has no numbers');
  return unseal(at(numbers));
}

function codesFrom(packed: Buffer, width: number, rows: number): Uint8Array | Uint16Array {
  if ((width !== 1 && width !== 2) || packed.length !== rows * width)
    throw new ChecksumError('a column has the wrong number of rows');
  return width === 2 ? new Uint16Array(aligned(packed, 2)) : packed;
}

function checkCodes(codes: Uint8Array | Uint16Array, values: number): void {
  let most = 0;
  for (let row = 0; row < codes.length; row++) if ((codes[row] as number) > most) most = codes[row] as number;
  if (most >= values) throw new ChecksumError('a column has a code without a value');
}

/** Values as bytes: how many, how long each is, and then they. */
function textsFrom(from: ByteReader): Buffer[] {
  const lengths = Array.from({ length: from.int() }, () => from.int());
  const bytes = new ByteReader(from.blob());
  return lengths.map((length) => bytes.take(length));
}

function bareFrom(kind: number, from: ByteReader): Uint8Array | true | null {
  return kind === UNQUOTED.none ? null : kind === UNQUOTED.all ? true : from.blob();
}

function valuesFrom(from: ByteReader): string[] {
  const lengths = Array.from({ length: from.int() }, () => from.int());
  const bytes = from.blob();
  const all = bytes.toString();
  const plain = all.length === bytes.length;
  let at = 0;
  return lengths.map((length) => {
    at += length;
    if (at > bytes.length) throw new ChecksumError('a dictionary ends too early');
    return plain ? all.slice(at - length, at) : bytes.toString('utf8', at - length, at);
  });
}

/** Running sums of lengths of 1, 2 or 4 bytes. */
function endsOf(lengths: Buffer, width: number, rows: number): Uint32Array {
  const each =
    width === 1 ? lengths : width === 2 ? new Uint16Array(aligned(lengths, 2)) : new Uint32Array(aligned(lengths, 4));
  const ends = new Uint32Array(rows);
  let end = 0;
  for (let i = 0; i < rows; i++) ends[i] = end += each[i] ?? 0;
  return ends;
}

/** The bytes where numbers of `width` may be read from. */
const aligned = (bytes: Buffer, width: number): ArrayBuffer => {
  if (bytes.length % width !== 0) throw new ChecksumError('numbers are truncated');
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
};

/** Unix ms of each row. */
export function decodeTimes(sealed: Uint8Array, rows: number): Float64Array {
  return sumsOf(unseal(sealed), rows, 0);
}

export function decodeFine(sealed: Uint8Array, rows: number): Uint32Array {
  const raw = unseal(sealed);
  if (raw.length !== rows * 4) throw new ChecksumError('the sub-millisecond column has the wrong length');
  return new Uint32Array(aligned(raw, 4));
}

/** Arrival numbers of the rows. */
export function decodeArrivals(sealed: Uint8Array, rows: number): Float64Array {
  return sumsOf(unseal(sealed), rows, 1);
}

/** Running sums of signed numbers, each with `more` added. Most numbers are of one byte. */
function sumsOf(raw: Buffer, rows: number, more: number): Float64Array {
  const out = new Float64Array(rows);
  const { length } = raw;
  let at = 0;
  let sum = 0;
  for (let row = 0; row < rows; row++) {
    if (at >= length) throw new ChecksumError('ends too early');
    const byte = raw[at++] ?? 0;
    if (byte < 0x80) {
      sum += ((byte >>> 1) ^ -(byte & 1)) + more;
      out[row] = sum;
      continue;
    }
    let value = byte & 0x7f;
    for (let scale = 0x80; ; scale *= 0x80) {
      if (scale > Number.MAX_SAFE_INTEGER) throw new ChecksumError('a number is too long');
      if (at >= length) throw new ChecksumError('ends too early');
      const next = raw[at++] ?? 0;
      value += (next & 0x7f) * scale;
      if (next < 0x80) break;
    }
    sum += (value % 2 === 1 ? -(value + 1) / 2 : value / 2) + more;
    out[row] = sum;
  }
  return out;
}
