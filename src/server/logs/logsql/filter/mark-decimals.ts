import { itemAt } from '../../../../lib/item-at.ts';
import type { DecimalColumn } from '../../store/port.ts';
import { readerOf } from '../frame.ts';
import { bitsOf, type Mask, SPARSE } from '../mask.ts';
import { markText } from './mark-text.ts';
import type { ValueTest } from './value-test.ts';
import type { Phrase } from './words.ts';

/** Rows that are looked at between two checks. */
const CHECK_ROWS = 512;
/** One text of each form that a number may have, apart from its digits: none, whole, with a point, and both below zero. */
const FORMS = ['', '0', '0.0', '-0', '-0.0'];
/** At most as many digits as the numbers have, which are exact. */
const DECIMAL = /^(?=[\d.]{1,16}$)\d+(\.\d+)?$/;

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
  const same = test.sure && test.needles?.length === 1 ? phraseTest(column, itemAt(test.needles, 0)) : null;
  if (same !== null) {
    for (let row = 0; row < rows; row++) if (same(values[row] ?? Number.NaN)) out[row] = 1;
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

/**
 * What a phrase that is a number says of values, without their texts: it is the whole value, or all that stands on one side of the
 * point. Null: it is no such phrase.
 */
function phraseTest(
  { places, padded }: DecimalColumn,
  { text, left, right }: Phrase,
): ((value: number) => boolean) | null {
  if (!left || !right || !DECIMAL.test(text)) return null;
  const [digits = '', fraction] = text.split('.');
  const isWhole = digits === '0' || !digits.startsWith('0');
  // As the fraction of a value is written, so that it may be equal to it.
  const fits = (part: string) => (padded ? part.length === places : part.length <= places && !part.endsWith('0'));
  if (fraction !== undefined) {
    const wanted = isWhole && fits(fraction) ? Number(text) : Number.NaN;
    return (value) => Math.abs(value) === wanted;
  }
  const whole = isWhole ? Number(digits) : Number.NaN;
  if (!fits(digits)) return (value) => Math.trunc(Math.abs(value)) === whole;
  const behind = Number(digits.padEnd(places, '0'));
  const scale = 10 ** places;
  return (value) => {
    const size = Math.abs(value);
    return Math.trunc(size) === whole || Math.round(size * scale) % scale === behind;
  };
}

const formOf = (value: number, padded: boolean): number =>
  Number.isNaN(value) ? 0 : (padded || !Number.isInteger(value) ? 2 : 1) + (value < 0 ? 2 : 0);
