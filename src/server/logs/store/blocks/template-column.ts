// Every row of a block passes here: elements of typed arrays are cast, as the check of a default would cost some percent.

import type { Numbers, TextColumn } from '../port.ts';
import { byteReader, ChecksumError } from './bytes.ts';
import { digitsOf, FIRST, NUMBERS } from './numbers.ts';
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
  const first = new Uint32Array(rows + 1);
  let total = 0;
  let most = 0;
  for (let row = 0; row < rows; row++) {
    const n = slots[codes[row] as number] as number;
    if (n > most) most = n;
    first[row] = total;
    total += n;
  }
  first[rows] = total;
  const values = new Uint32Array(total);
  const from = byteReader(raw);
  if (from.int() !== most) throw new ChecksumError('a column has the wrong number of numbers');
  for (let slot = 0; slot < most; slot++) {
    const width = from.u8();
    if (width < 1 || width > 4) throw new ChecksumError('numbers have an unknown width');
    let count = 0;
    for (let code = 0, row = 0; row < rows; row++) {
      code = codes[row] as number;
      if ((slots[code] as number) > slot) count++;
    }
    const planes = from.take(count * width);
    const [second, third, fourth] = [width > 1 ? count : -1, width > 2 ? count * 2 : -1, width > 3 ? count * 3 : -1];
    let i = 0;
    for (let row = 0; row < rows; row++) {
      if ((slots[codes[row] as number] as number) <= slot) continue;
      let value = planes[i] as number;
      if (second >= 0) value |= (planes[second + i] as number) << 8;
      if (third >= 0) value |= (planes[third + i] as number) << 16;
      if (fourth >= 0) value += (planes[fourth + i] as number) * 0x1000000;
      if (value >= NUMBERS) throw new ChecksumError('a number is too large');
      values[(first[row] as number) + slot] = value;
      i++;
    }
  }
  return { first, values };
}

/** The texts of all rows, one after another. */
export function textOfTemplates({ texts, slots, codes }: TemplateCodes, { first, values }: Numbers): TextColumn {
  const rows = codes.length;
  const ends = new Uint32Array(rows);
  let size = 0;
  for (let row = 0; row < rows; row++) {
    const code = codes[row] as number;
    size += (texts[code] as Buffer).length - (slots[code] as number);
    for (let i = first[row] as number; i < (first[row + 1] as number); i++) size += digitsOf(values[i] as number);
    ends[row] = size;
  }
  const bytes = Buffer.allocUnsafeSlow(size);
  const pieces = texts.map(piecesOf);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const cuts = pieces[codes[row] as number] as readonly Buffer[];
    let next = first[row] as number;
    for (let k = 0; k < cuts.length; k++) {
      if (k > 0) {
        const number = values[next++] as number;
        const digits = digitsOf(number);
        let left = number - (FIRST[digits] as number);
        for (let place = at + digits - 1; place >= at; place--) {
          const rest = (left / 10) | 0;
          bytes[place] = ZERO + left - rest * 10;
          left = rest;
        }
        at += digits;
      }
      const piece = cuts[k] as Buffer;
      if (piece.length > SHORT) bytes.set(piece, at);
      else for (let i = 0; i < piece.length; i++) bytes[at + i] = piece[i] as number;
      at += piece.length;
    }
  }
  return { kind: 'text', bytes, ends };
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
