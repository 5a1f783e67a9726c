import type { TemplateColumn } from '../../store/port.ts';
import { readerOf } from '../frame.ts';
import { bitsOf, type Mask, nextOf, SPARSE } from '../mask.ts';
import { markText } from './mark-text.ts';
import { scanTemplates } from './scan-templates.ts';
import type { ValueTest } from './value-test.ts';

/** Rows that are looked at between two checks. */
const CHECK_ROWS = 512;

/** Marks the rows of a column of templates that pass a test for which digits matter. */
export function markTemplates(
  column: TemplateColumn,
  rows: number,
  test: ValueTest,
  within: Uint8Array | null,
  check: () => void,
): Mask {
  const { needles } = test;
  const isSparse = within !== null && bitsOf(within) * SPARSE < rows;
  if (needles === null && !isSparse) return markText(column.text, rows, test, within, check);
  let marked = within;
  if (needles !== null) {
    marked = new Uint8Array(rows);
    for (const needle of needles) scanTemplates(column, needle, test.fold, within, marked, check);
    if (test.sure) return marked;
  }
  const out = new Uint8Array(rows);
  if (marked === null) return false;
  const read = readerOf(column);
  for (let row = nextOf(marked, 0), n = 1; row >= 0; row = nextOf(marked, row + 1), n++) {
    if (n % CHECK_ROWS === 0) check();
    if (test.passes(read(row))) out[row] = 1;
  }
  return out;
}
