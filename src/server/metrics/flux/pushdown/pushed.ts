import type { FieldType } from '../../store/port.ts';
import { keyed, readTables, seriesTable, span, wholeMs, type Reading } from './reading.ts';
import { constant, sliced, type Cell, type Table } from '../values/table.ts';

/**
 * What the store computes itself, from its roll-ups where it can. Only where the outcome is the same: counts and means
 * of numbers, sums of floats (its sums are floats, those of ints here are exact), and never with half milliseconds.
 */
const PUSHED = new Set(['sum', 'mean', 'count', 'min', 'max', 'first', 'last']);
export type PushedName = 'sum' | 'mean' | 'count' | 'min' | 'max' | 'first' | 'last';

export const isPushed = (name: string): name is PushedName => PUSHED.has(name);

export const MINUTE = 60_000;

const EXACT: Readonly<Record<PushedName, ReadonlySet<FieldType>>> = (() => {
  const floats: ReadonlySet<FieldType> = new Set(['float']);
  const numbers: ReadonlySet<FieldType> = new Set(['float', 'int', 'uint']);
  return { sum: floats, min: floats, max: floats, first: floats, last: floats, mean: numbers, count: numbers };
})();

/** The cell of a value that the store computed. */
export const pushedCell = (name: PushedName, value: number): Cell => (name === 'count' ? BigInt(value) : value);

/** True where the store may compute `name` for all the series that are read. */
export function allSame({ source, filter, bounds }: Reading, name: PushedName): boolean {
  if (!bounds || !wholeMs(bounds) || bounds.start < 0n) return false;
  for (const type of source.types(filter)) if (!EXACT[name].has(type)) return false;
  return true;
}

/** One row for each series, over the whole of the range. */
export function* wholeRange({ bounds, source, filter }: Reading, name: PushedName): Iterable<Table> {
  if (!bounds) return;
  const { from, to } = span(bounds);
  // One window from the epoch on holds all of it.
  const every = Math.ceil(to / MINUTE) * MINUTE;
  for (const { values, ...series } of source.windows(filter, from, to, every, name)) {
    if (values.length === 0) continue;
    const table = keyed(series, bounds, 1, []);
    yield {
      key: table.key,
      rows: 1,
      columns: [
        ...table.columns,
        constant('_value', name === 'count' ? 'int' : 'float', pushedCell(name, values[0] ?? 0)),
      ],
    };
  }
}

/** The last row of each series. */
export function* lastTables(reading: Reading): Iterable<Table> {
  const { bounds, source, filter } = reading;
  if (!bounds || reading.nothing) return;
  const { from, to } = span(bounds);
  // Whether the last one lies in the last part of a millisecond, beyond the range, only all of them tell.
  if (!wholeMs(bounds)) {
    for (const table of readTables(reading)) yield sliced(table, table.rows - 1, table.rows);
    return;
  }
  for (const series of source.last(filter, from, to)) {
    const table = seriesTable(series, bounds);
    if (table.rows > 0) yield sliced(table, table.rows - 1, table.rows);
  }
}
