import type { TextColumn } from '../../store/port.ts';
import { codePointAt, codePointBefore, isWordCode, type Phrase } from './words.ts';

/** So many hits in at most twice as many rows: the text is no help to find the few rows that matter. */
const DENSE = 64;

/**
 * Marks the rows that have the phrase: the needle is looked for in the bytes of all rows at once, and each hit is
 * mapped to its row. `rare`: gives up, with false, where most rows have it.
 */
export function scanText(column: TextColumn, phrase: Phrase, out: Uint8Array, rare: boolean): boolean {
  const needle = Buffer.from(phrase.text);
  const { bytes, ends } = column;
  let row = 0;
  let hits = 0;
  let at = bytes.indexOf(needle);
  while (at >= 0) {
    while ((ends[row] ?? Infinity) <= at) row++;
    const start = row === 0 ? 0 : (ends[row - 1] ?? 0);
    const end = ends[row] ?? 0;
    const fits =
      at + needle.length <= end &&
      (!phrase.left || !joins(codePointBefore(bytes, at, start))) &&
      (!phrase.right || !joins(codePointAt(bytes, at + needle.length, end)));
    if (fits) out[row] = 1;
    if (rare && ++hits === DENSE && row < DENSE * 2) return false;
    at = bytes.indexOf(needle, fits ? end : at + 1);
  }
  return true;
}

const joins = (code: number): boolean => code >= 0 && isWordCode(code);

/** The same in a text of ASCII alone. */
export function scanAscii(text: string, ends: Uint32Array, phrase: Phrase, out: Uint8Array): void {
  const needle = phrase.text;
  let row = 0;
  let at = text.indexOf(needle);
  while (at >= 0) {
    while ((ends[row] ?? Infinity) <= at) row++;
    const start = row === 0 ? 0 : (ends[row - 1] ?? 0);
    const end = ends[row] ?? 0;
    const after = at + needle.length;
    const fits =
      after <= end &&
      (!phrase.left || at === start || !isWordCode(text.charCodeAt(at - 1))) &&
      (!phrase.right || after === end || !isWordCode(text.charCodeAt(after)));
    if (fits) out[row] = 1;
    at = text.indexOf(needle, fits ? end : at + 1);
  }
}
