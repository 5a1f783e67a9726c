// Every row of a block passes here: elements of typed arrays are cast, as the check of a default would cost some percent.

import type { NumberList, Numbers, TextColumn } from '../port.ts';
import { ByteReader, ChecksumError } from './bytes.ts';
import { digitsOf, FIRST, MAX_DIGITS } from './numbers.ts';
import { MAX_NUMBERS } from './templates.ts';

/** The templates of a column without its numbers. */
export interface TemplateCodes {
  readonly kind: 'templates';
  /** By code. */
  readonly texts: readonly Buffer[];
  readonly templates: readonly string[];
  /** How many numbers a template has, by code. */
  readonly slots: Uint8Array;
  readonly codes: Uint8Array | Uint16Array;
}

const ZERO = 48;
/** A loop is quicker than a call for copies up to so many bytes. */
const SHORT = 24;
const NEAR = 16;

/** Throws `ChecksumError`. */
export function templateCodes(texts: readonly Buffer[], codes: Uint8Array | Uint16Array): TemplateCodes {
  const slots = Uint8Array.from(texts, (bytes) => {
    let count = 0;
    for (const byte of bytes) if (byte === ZERO) count++;
    if (count > MAX_NUMBERS) throw new ChecksumError('a template has too many numbers');
    return count;
  });
  return { kind: 'templates', texts, templates: texts.map(String), slots, codes };
}

/** Reads what `numberBytes` wrote. Throws `ChecksumError`. */
export function decodeNumbers(raw: Buffer, { codes, slots }: TemplateCodes): Numbers {
  const rows = codes.length;
  // Rows that have so many numbers.
  const rowsOf = new Uint32Array(MAX_NUMBERS + 1);
  for (let row = 0; row < rows; row++) {
    const slot = slots[codes[row] as number] as number;
    rowsOf[slot] = (rowsOf[slot] as number) + 1;
  }
  const most = rowsOf.findLastIndex((count) => count > 0);
  const from = new ByteReader(raw);
  if (from.int() !== Math.max(0, most)) throw new ChecksumError('a column has the wrong number of numbers');
  const lists: NumberList[] = [];
  let count = rows;
  for (let slot = 0; slot < most; slot++) {
    count -= rowsOf[slot] as number;
    const width = from.u8();
    if (width < 1 || width > 4) throw new ChecksumError('numbers have an unknown width');
    lists.push(listOf(from.take(count * width), width, count, slot, { codes, slots }));
  }
  return lists;
}

/** Numbers in planes: the lowest bytes of all, the next ones, and so on. */
function listOf(
  planes: Buffer,
  width: number,
  count: number,
  slot: number,
  { codes, slots }: Pick<TemplateCodes, 'codes' | 'slots'>,
): NumberList {
  const lowest = planes.subarray(0, count);
  const at = (i: number): number => {
    let number = planes[i] as number;
    if (width > 1) number |= (planes[count + i] as number) << 8;
    if (width > 2) number |= (planes[count * 2 + i] as number) << 16;
    return width > 3 ? number + (planes[count * 3 + i] as number) * 0x1000000 : number;
  };
  /** The rows that have one; null: all. */
  let held: Uint32Array | null = null;
  let places: Uint32Array | null = null;
  function rows(): Uint32Array {
    if (held !== null) return held;
    held = new Uint32Array(count);
    for (let row = 0, i = 0; row < codes.length; row++)
      if ((slots[codes[row] as number] as number) > slot) held[i++] = row;
    return held;
  }
  function placesOf(): Uint32Array {
    if (places !== null) return places;
    places = new Uint32Array(codes.length);
    for (let row = 0, i = 0; row < codes.length; row++) {
      places[row] = i;
      if ((slots[codes[row] as number] as number) > slot) i++;
    }
    return places;
  }
  const all = count === codes.length;
  return {
    count,
    at,
    rowAt: all ? (i) => i : (i) => rows()[i] as number,
    of: all ? at : (row) => at(placesOf()[row] as number),
    find(number, i) {
      if (width < 4 && number >= 256 ** width) return -1;
      const low = number & 0xff;
      for (let next = i; ;) {
        // What is frequent is near; what is rare is sooner found by a search.
        const near = Math.min(count, next + NEAR);
        while (next < near && lowest[next] !== low) next++;
        if (next === near) next = near === count ? -1 : lowest.indexOf(low, next);
        if (next < 0 || at(next) === number) return next;
        next++;
      }
    },
  };
}

/** The texts of all rows, one after another. */
export function textOfTemplates({ texts, slots, codes }: TemplateCodes, numbers: Numbers): TextColumn {
  const rows = codes.length;
  const ends = new Uint32Array(rows);
  const pieces = texts.map(piecesOf);
  let size = 0;
  for (let row = 0; row < rows; row++) {
    const code = codes[row] as number;
    // A number has nine digits at the most.
    size += (texts[code] as Buffer).length + (slots[code] as number) * (MAX_DIGITS - 1);
  }
  const bytes = Buffer.allocUnsafeSlow(size);
  const next = new Uint32Array(numbers.length);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const cuts = pieces[codes[row] as number] as readonly Buffer[];
    for (let k = 0; k < cuts.length; k++) {
      if (k > 0) {
        const i = next[k - 1] as number;
        next[k - 1] = i + 1;
        at = writeRun(bytes, at, (numbers[k - 1] as NumberList).at(i));
      }
      const piece = cuts[k] as Buffer;
      if (piece.length > SHORT) bytes.set(piece, at);
      else for (let i = 0; i < piece.length; i++) bytes[at + i] = piece[i] as number;
      at += piece.length;
    }
    ends[row] = at;
  }
  return { kind: 'text', bytes: Buffer.from(bytes.subarray(0, at)), ends };
}

/** Writes the digits of a number; gives where they end. */
function writeRun(bytes: Buffer, at: number, number: number): number {
  const digits = digitsOf(number);
  let left = number - (FIRST[digits] as number);
  for (let place = at + digits - 1; place >= at; place--) {
    const rest = (left / 10) | 0;
    bytes[place] = ZERO + left - rest * 10;
    left = rest;
  }
  return at + digits;
}

/** What stands before, between and behind the numbers. */
function piecesOf(template: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = template.indexOf(ZERO); at >= 0; at = template.indexOf(ZERO, at + 1)) {
    pieces.push(template.subarray(from, at));
    from = at + 1;
  }
  pieces.push(template.subarray(from));
  return pieces;
}
