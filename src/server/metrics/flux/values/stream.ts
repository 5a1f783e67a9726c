import type { GroupedReading, SeriesWindows, StoreWindows } from '../pushdown/grouped.ts';
import type { Budget } from '../budget.ts';
import { constant, replaced, type Table } from './table.ts';
import type { Reducing } from '../functions/aggregates.ts';
import type { Reading } from '../pushdown/reading.ts';

/** The range that `range` gave, in nanoseconds since the epoch, the stop exclusive. */
export interface Bounds {
  readonly start: bigint;
  readonly stop: bigint;
}

/** Tables, made anew each time they are asked for, one at a time. */
export interface Stream {
  readonly kind: 'stream';
  readonly bounds: Bounds | null;
  /** What the store is asked for, where nothing but that has happened: the next step may hand its own work to the store. */
  readonly reading: Reading | null;
  /** The same where series have been put into groups, and nothing else. */
  readonly grouped?: GroupedReading | null;
  /** What was read, with its values as floats, and nothing else has happened. */
  readonly floats?: Reading | null;
  /** The same where series have been put into groups. */
  readonly groupedFloats?: GroupedReading | null;
  /** What a function did to a stream, where that is all that it did. */
  readonly reduced?: { readonly from: Stream; readonly by: Reducing } | null;
  /** Windows of single series as floats, and nothing else has happened: those of groups are what they add up to. */
  readonly windowed?: SeriesWindows | null;
  /** Windows of single series that have points, as the store gives them, and nothing else has happened. */
  readonly fromStore?: StoreWindows | null;
  /** What was put into groups by columns, where that is all that was done. */
  readonly regrouped?: Regrouped | null;
  /** In each window of so many milliseconds all rows of all tables have one time, or there are none. */
  readonly oneTimeMs?: number | null;
  tables(): Iterable<Table>;
}

export interface Regrouped {
  readonly from: Stream;
  readonly columns: ReadonlySet<string>;
}

/** What a step makes of a stream, table by table. */
export function derived(from: Stream, tables: () => Iterable<Table>, bounds: Bounds | null = from.bounds): Stream {
  return { kind: 'stream', bounds, reading: null, tables };
}

/** A stream of what is made of each table; null: nothing. */
export const eachTable = (from: Stream, budget: Budget, change: (table: Table) => Table | null): Stream =>
  derived(from, function* () {
    for (const table of from.tables()) {
      budget.tick(table.rows);
      const made = change(table);
      if (made) yield made;
    }
  });

/** The table within a range, which is part of its group key. */
export const bounded = (
  table: Table,
  { start, stop }: Bounds,
  startColumn = '_start',
  stopColumn = '_stop',
): Table => ({
  rows: table.rows,
  key: new Set([...table.key, startColumn, stopColumn]),
  columns: replaced(replaced(table.columns, constant(startColumn, 'time', start)), constant(stopColumn, 'time', stop)),
});
