// Every byte of what is merged passes here: elements of typed arrays are cast, as the check of a default would cost some percent.

import { ByteWriter } from './bytes.ts';
import { digitsOf, FIRST, MAX_DIGITS } from './numbers.ts';

/** Texts by code, as a `Field` has them: code 0 is the empty one. */
export interface Texts {
  readonly bytes: Buffer;
  readonly ends: Uint32Array;
}

/** Texts apart: what they say, a few templates, and the numbers in it. */
export interface Templates {
  /** By row. */
  readonly codes: Uint8Array | Uint16Array;
  /** By code: the bytes of the text, with a `0` in the place of each number. */
  readonly texts: readonly Buffer[];
  readonly numbers: RowNumbers;
}

/** The numbers of row `i`: those from `first[i]` to `first[i + 1]`. */
export interface RowNumbers {
  readonly first: Uint32Array;
  readonly values: Uint32Array;
}

/** Shorter texts on average are as small without. */
const LEAST_BYTES = 16;
/** Rows to a template, at the least. */
const SHARE = 8;
/** More templates than this, and than a share of the rows so far, are too many. */
const MANY = 256;
const MANY_SHARE = 4;
/** A text of more numbers, or longer, is no line that a program writes over and over. */
export const MAX_NUMBERS = 64;
const MAX_BYTES = 4096;
const RECENT = 1024;
const KEY_BYTES = 8;
const ZERO = 48;
const NINE = 57;
const PRIME = 0x01000193;

/** The templates of the rows, of which each has the text of a code; null: they are not worth it. */
export function templatesOf({ bytes, ends }: Texts, codes: Uint32Array): Templates | null {
  const rows = codes.length;
  let total = 0;
  for (let row = 0; row < rows; row++) {
    const code = codes[row] as number;
    if (code !== 0) total += (ends[code] as number) - (ends[code - 1] as number);
  }
  if (total < rows * LEAST_BYTES) return null;
  const split = splitTexts(
    { bytes, ends },
    codes,
    (templates, row) => templates <= MANY || templates * MANY_SHARE <= row,
  );
  return split === null || split.texts.length * SHARE > rows ? null : split;
}

/** Texts by their templates; null: one is too long, has too many numbers, or there are more templates up to some row than there `may` be. */
export function splitTexts(
  { bytes, ends }: Texts,
  codes: Uint32Array,
  may: (templates: number, row: number) => boolean,
): Templates | null {
  const rows = codes.length;
  const texts: Buffer[] = [];
  const known = new Map<string, number>();
  /** The template that a text with the same beginning had last, plus 1. */
  const recent = new Uint16Array(RECENT);
  const scratch = Buffer.allocUnsafeSlow(MAX_BYTES);
  const out = new Uint16Array(rows);
  const first = new Uint32Array(rows + 1);
  let values = new Uint32Array(rows * 4 + MAX_NUMBERS);
  let count = 0;
  for (let row = 0; row < rows; row++) {
    const code = codes[row] as number;
    const start = code === 0 ? 0 : (ends[code - 1] as number);
    const end = code === 0 ? 0 : (ends[code] as number);
    if (end - start > MAX_BYTES) return null;
    if (count + MAX_NUMBERS > values.length) {
      const wider = new Uint32Array(values.length * 2);
      wider.set(values);
      values = wider;
    }
    const place = beginning(bytes, start, end);
    const guess = (recent[place] as number) - 1;
    let after = guess < 0 ? -1 : follow(texts[guess] as Buffer, bytes, start, end, values, count);
    if (after >= 0) out[row] = guess;
    else {
      after = parse(bytes, start, end, values, count, scratch);
      if (after < 0) return null;
      const size = end - start - shorterBy(values, count, after);
      const key = scratch.toString('latin1', 0, size);
      let template = known.get(key);
      if (template === undefined) {
        template = texts.push(Buffer.from(scratch.subarray(0, size))) - 1;
        known.set(key, template);
        if (!may(texts.length, row)) return null;
      }
      out[row] = template;
      recent[place] = template + 1;
    }
    count = after;
    first[row + 1] = count;
  }
  return {
    codes: texts.length > 256 ? out : Uint8Array.from(out),
    texts,
    numbers: { first, values: values.subarray(0, count) },
  };
}

/** A place of `recent` for texts that begin alike. */
function beginning(bytes: Buffer, start: number, end: number): number {
  const head = end < start + KEY_BYTES ? end : start + KEY_BYTES;
  let key = 0;
  for (let at = start; at < head; at++) {
    const byte = bytes[at] as number;
    key = Math.imul(key ^ (byte >= ZERO && byte <= NINE ? ZERO : byte), PRIME);
  }
  return (key >>> 16) % RECENT;
}

/** Adds the numbers of a text that has the template to the first `count` values; gives how many they are then, or -1 where the text has another template. */
function follow(
  template: Buffer,
  bytes: Buffer,
  start: number,
  end: number,
  values: Uint32Array,
  count: number,
): number {
  const size = template.length;
  let at = start;
  let next = count;
  for (let i = 0; i < size; i++) {
    if (at === end) return -1;
    const byte = bytes[at++] as number;
    if (template[i] !== ZERO) {
      if (byte !== template[i]) return -1;
      continue;
    }
    let value = byte - ZERO;
    if (value < 0 || value > 9) return -1;
    const from = at - 1;
    const last = end < from + MAX_DIGITS ? end : from + MAX_DIGITS;
    for (; at < last; at++) {
      const digit = (bytes[at] as number) - ZERO;
      if (digit < 0 || digit > 9) break;
      value = (value * 10 + digit) | 0;
    }
    values[next++] = (FIRST[at - from] as number) + value;
  }
  return at === end ? next : -1;
}

/** The same of any text, whose template it writes; -1: it has too many numbers. */
function parse(
  bytes: Buffer,
  start: number,
  end: number,
  values: Uint32Array,
  count: number,
  template: Buffer,
): number {
  const most = count + MAX_NUMBERS;
  let next = count;
  let size = 0;
  for (let at = start; at < end;) {
    const byte = bytes[at] as number;
    if (byte < ZERO || byte > NINE) {
      template[size++] = byte;
      at++;
      continue;
    }
    if (next === most) return -1;
    const last = Math.min(end, at + MAX_DIGITS);
    const from = at;
    let value = 0;
    for (; at < last; at++) {
      const digit = (bytes[at] as number) - ZERO;
      if (digit < 0 || digit > 9) break;
      value = (value * 10 + digit) | 0;
    }
    template[size++] = ZERO;
    values[next++] = (FIRST[at - from] as number) + value;
  }
  return next;
}

/** How many bytes shorter a text's template is than the text. */
function shorterBy(values: Uint32Array, from: number, end: number): number {
  let less = 0;
  for (let i = from; i < end; i++) less += digitsOf(values[i] as number) - 1;
  return less;
}

/** The numbers as they lie on disk: how many lists, and of each the bytes of a number, then the lowest bytes of all, the next ones, and so on. */
export function numberBytes({ first, values }: RowNumbers): Buffer {
  const rows = first.length - 1;
  let most = 0;
  for (let row = 0; row < rows; row++) most = Math.max(most, (first[row + 1] as number) - (first[row] as number));
  const out = new ByteWriter(values.length * 4 + 16);
  out.int(most);
  const list = new Uint32Array(rows);
  const plane = new Uint8Array(rows);
  for (let slot = 0; slot < most; slot++) {
    let count = 0;
    let all = 0;
    for (let row = 0; row < rows; row++) {
      const at = (first[row] as number) + slot;
      if (at >= (first[row + 1] as number)) continue;
      const value = values[at] as number;
      list[count++] = value;
      all |= value;
    }
    const width = all < 0x100 ? 1 : all < 0x10000 ? 2 : all < 0x1000000 ? 3 : 4;
    out.u8(width);
    for (let byte = 0; byte < width; byte++) {
      for (let i = 0; i < count; i++) plane[i] = (list[i] as number) >>> (byte * 8);
      out.bytes(plane.subarray(0, count));
    }
  }
  return out.done();
}
