import { itemAt } from '../../../../lib/item-at.ts';
import type { SortKey } from '../../../../lib/logsql/ast.ts';
import { compareNatural, compareText } from '../../../../lib/logsql/natural.ts';
import { type Numeric, plainNumberOf } from '../../../../lib/logsql/numbers.ts';
import { decimalText } from '../../store/blocks/decimal-column.ts';
import type { DecimalColumn } from '../../store/port.ts';
import { type Frame, readerOf } from '../frame.ts';

/** A value to sort by: times by their parts, numbers parsed once, all else by its text. */
export type Key =
  | { readonly ms: number; readonly ns: number }
  | { readonly number: Numeric | null; readonly text: string };

/** Readers of each key of a row. Without a field it is all of the row. */
export function keyReaders(frame: Frame, by: readonly SortKey[]): ((row: number) => Key)[] {
  return by.map(({ field }): ((row: number) => Key) => {
    if (field === '') {
      const names = frame.names.toSorted();
      const all = names.map((name) => readerOf(frame.column(name)));
      return (row) => ({ number: null, text: all.map((read) => read(row)).join('\0') });
    }
    const cells = frame.column(field);
    if (cells?.kind === 'time') {
      const { ms, ns } = cells;
      return (row) => ({ ms: ms[row] ?? 0, ns: ns === null ? 0 : (ns[row] ?? 0) });
    }
    if (cells?.kind === 'dictionary') {
      const keys: Key[] = [];
      return (row) => {
        const code = cells.codes[row] ?? 0;
        return (keys[code] ??= textKey(cells.values[code] ?? ''));
      };
    }
    if (cells?.kind === 'decimal') {
      const { values, places, padded } = cells;
      const form = { places, padded };
      return (row) => new DecimalKey(values[row] ?? Number.NaN, form);
    }
    const read = readerOf(cells);
    return (row) => textKey(read(row));
  });
}

/** Its text is made where two numbers are equal. Keys are kept, so they hold nothing of the block. */
class DecimalKey {
  /** Null: no value. */
  readonly number: number | null;
  private readonly form: Pick<DecimalColumn, 'places' | 'padded'>;

  /** `value` NaN: none. */
  constructor(value: number, form: Pick<DecimalColumn, 'places' | 'padded'>) {
    this.number = Number.isNaN(value) ? null : value;
    this.form = form;
  }
  get text(): string {
    return decimalText(this.number ?? Number.NaN, this.form);
  }
}

const textKey = (text: string): Key => ({ number: plainNumberOf(text), text });

/** Order of two rows by their keys. */
export function compareKeys(a: readonly Key[], b: readonly Key[], by: readonly SortKey[]): number {
  for (let i = 0; i < by.length; i++) {
    const order = compareKey(itemAt(a, i), itemAt(b, i));
    if (order !== 0) return itemAt(by, i).desc ? -order : order;
  }
  return 0;
}

export function compareKey(a: Key, b: Key): number {
  if ('ms' in a) return 'ms' in b ? a.ms - b.ms || a.ns - b.ns : 1;
  if ('ms' in b) return -1;
  if (a.number !== null && b.number !== null)
    return a.number < b.number ? -1 : a.number > b.number ? 1 : compareText(a.text, b.text);
  return compareNatural(a.text, b.text);
}
