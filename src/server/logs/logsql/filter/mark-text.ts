import type { TextColumn } from '../../store/port.ts';
import { decimalIn } from '../decimals.ts';
import { asciiOf, readerOf } from '../frame.ts';
import { bitsOf, type Mask, nextOf, SPARSE } from '../mask.ts';
import { scanAscii, scanText } from './scan.ts';
import type { ValueTest } from './value-test.ts';

/** Characters that are looked at between two checks. */
const CHECK_CHARS = 64 * 1024;

/** Marks the rows of a text column that pass. */
export function markText(
  column: TextColumn,
  rows: number,
  test: ValueTest,
  within: Uint8Array | null,
  check: () => void,
): Mask {
  const left = within === null ? rows : bitsOf(within);
  if (test.needles === null || left * SPARSE < rows) return eachRow(column, rows, test, within, check);
  const out = new Uint8Array(rows);
  if (test.fold) {
    const ascii = asciiOf(column);
    if (ascii === null) return eachRow(column, rows, test, within, check);
    const lower = ascii.toLowerCase();
    for (const needle of test.needles) scanAscii(lower, column.ends, needle, out);
  } else {
    for (const needle of test.needles)
      if (!scanText(column, needle, out, !test.sure && within === null))
        return eachRow(column, rows, test, within, check);
  }
  if (!test.sure) {
    const read = readerOf(column);
    for (let row = nextOf(out, 0); row >= 0; row = nextOf(out, row + 1))
      if ((within !== null && within[row] !== 1) || !test.passes(read(row))) out[row] = 0;
  }
  return out;
}

function eachRow(
  column: TextColumn,
  rows: number,
  test: ValueTest,
  within: Uint8Array | null,
  check: () => void,
): Mask {
  const { bytes, ends } = column;
  const { number } = test;
  const ascii = within === null && number === undefined ? asciiOf(column) : null;
  const read =
    ascii === null ? readerOf(column) : (row: number) => ascii.slice(row === 0 ? 0 : ends[row - 1], ends[row]);
  const out = new Uint8Array(rows);
  let checked = 0;
  for (let row = 0; row < rows; row++) {
    const end = ends[row] ?? 0;
    if (within === null || within[row] === 1) {
      const value = number === undefined ? Number.NaN : decimalIn(bytes, row === 0 ? 0 : (ends[row - 1] ?? 0), end);
      if (number === undefined || Number.isNaN(value) ? test.passes(read(row)) : number(value)) out[row] = 1;
    }
    if (end - checked < CHECK_CHARS) continue;
    checked = end;
    check();
  }
  return out;
}
