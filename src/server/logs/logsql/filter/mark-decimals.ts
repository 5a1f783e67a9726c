import type { DecimalColumn } from '../../store/port.ts';
import { readerOf } from '../frame.ts';
import { bitsOf, type Mask, SPARSE } from '../mask.ts';
import { markText } from './mark-text.ts';
import type { ValueTest } from './value-test.ts';

/** Rows that are looked at between two checks. */
const CHECK_ROWS = 512;
/** One text of each form that a number may have, apart from its digits: none, whole, with a point, and both below zero. */
const FORMS = ['', '0', '0.0', '-0', '-0.0'];

/** Marks the rows of a column of numbers that pass. Texts are made only for a test that looks at them. */
export function markDecimals(
  column: DecimalColumn,
  rows: number,
  test: ValueTest,
  within: Uint8Array | null,
  check: () => void,
): Mask {
  const { values, padded } = column;
  const out = new Uint8Array(rows);
  const { number } = test;
  if (number !== undefined) {
    for (let row = 0; row < rows; row++) {
      const value = values[row] ?? Number.NaN;
      if ((within === null || within[row] === 1) && !Number.isNaN(value) && number(value)) out[row] = 1;
    }
    return out;
  }
  if (test.blind) {
    const passes = FORMS.map((text) => test.passes(text));
    for (let row = 0; row < rows; row++) if (passes[formOf(values[row] ?? Number.NaN, padded)]) out[row] = 1;
    return out;
  }
  if (within === null || bitsOf(within) * SPARSE >= rows) return markText(column.text, rows, test, within, check);
  const read = readerOf(column);
  for (let row = 0; row < rows; row++) {
    if (row % CHECK_ROWS === 0) check();
    if (within[row] === 1 && test.passes(read(row))) out[row] = 1;
  }
  return out;
}

const formOf = (value: number, padded: boolean): number =>
  Number.isNaN(value) ? 0 : (padded || !Number.isInteger(value) ? 2 : 1) + (value < 0 ? 2 : 0);
