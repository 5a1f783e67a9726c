import type { Column } from '../store/port.ts';
import { asciiOf } from './frame.ts';
import { codePointAt, codePointBefore, isWordCode, type Phrase } from './words.ts';

type TextColumn = Extract<Column, { kind: 'text' }>;

/** A hit this often (in bytes) makes one call for each hit dearer than decoding the whole column once. */
const DENSE = 512;
const TRIAL = 64;

/**
 * Marks the rows that have the phrase: the needle is looked for in the bytes of all rows at once, and each hit is
 * mapped to its row.
 */
export function scanText(column: TextColumn, phrase: Phrase, out: Uint8Array): void {
  const needle = Buffer.from(phrase.text);
  const { bytes, ends } = column;
  let row = 0;
  let hits = 0;
  let at = bytes.indexOf(needle);
  while (at >= 0) {
    while ((ends[row] as number) <= at) row++;
    const start = row === 0 ? 0 : (ends[row - 1] as number);
    const end = ends[row] as number;
    const fits = at + needle.length <= end && (!phrase.left || !joins(codePointBefore(bytes, at, start))) && (!phrase.right || !joins(codePointAt(bytes, at + needle.length, end)));
    if (fits) out[row] = 1;
    if (++hits === TRIAL && at < hits * DENSE && asciiOf(column) !== null) {
      scanAscii(asciiOf(column) as string, ends, phrase, out, fits ? end : at + 1, row);
      return;
    }
    at = bytes.indexOf(needle, fits ? end : at + 1);
  }
}

const joins = (code: number): boolean => code >= 0 && isWordCode(code);

/** The same in a text of ASCII alone. */
export function scanAscii(text: string, ends: Uint32Array, phrase: Phrase, out: Uint8Array, from: number, fromRow: number): void {
  const needle = phrase.text;
  let row = fromRow;
  let at = text.indexOf(needle, from);
  while (at >= 0) {
    while ((ends[row] as number) <= at) row++;
    const start = row === 0 ? 0 : (ends[row - 1] as number);
    const end = ends[row] as number;
    const after = at + needle.length;
    const fits = after <= end && (!phrase.left || at === start || !isWordCode(text.charCodeAt(at - 1))) && (!phrase.right || after === end || !isWordCode(text.charCodeAt(after)));
    if (fits) out[row] = 1;
    at = text.indexOf(needle, fits ? end : at + 1);
  }
}
