import { builtIn, type Args } from './builtin.ts';
import type { Context } from '../context.ts';
import { runtimeError } from '../language/errors.ts';
import { groupedReading, groupedSeriesWindows } from '../pushdown/grouped.ts';
import { createGrouping } from '../values/grouping.ts';
import { derived, eachTable, type Stream } from '../values/stream.ts';
import {
  cellAt,
  columnOf,
  constant,
  dense,
  keyColumns,
  needColumn,
  picked,
  sliced,
  type Cell,
  type Column,
  type Table,
} from '../values/table.ts';
import { isStream, type Fn } from '../values/values.ts';

/** Functions that order rows, take some of them, or put tables together anew. */
export function tableFunctions(ctx: Context): Fn[] {
  const each = (tables: Stream, change: (table: Table) => Table | null): Stream =>
    eachTable(tables, ctx.budget, change);
  const ranked = (args: Args, desc: boolean): Stream => {
    const [n, columns] = [args.count('n'), args.texts('columns', ['_value'])];
    return each(args.stream(), (table) => sliced(sorted(ctx, table, columns, desc), 0, Math.min(n, table.rows)));
  };
  return [
    builtIn('group', '<-tables columns? mode?', (args) => {
      const [tables, columns, mode] = [args.stream(), args.texts('columns', []), args.text('mode', 'by')];
      if (mode !== 'by' && mode !== 'except')
        throw runtimeError(`mode: expected "by" or "except", got ${JSON.stringify(mode)}`);
      return {
        ...derived(tables, () => grouped(ctx, tables, columns, mode === 'except')),
        grouped: mode === 'by' ? groupedReading(tables.reading, columns) : null,
        groupedFloats: mode === 'by' ? groupedReading(tables.floats ?? null, columns) : null,
        regrouped: mode === 'by' ? { from: tables, columns: new Set(columns) } : null,
        windowed: mode === 'by' ? groupedSeriesWindows(tables.windowed, columns) : null,
      };
    }),
    builtIn('sort', '<-tables columns? desc?', (args) => {
      const [columns, desc] = [args.texts('columns', ['_value']), args.bool('desc', false)];
      return each(args.stream(), (table) => sorted(ctx, table, columns, desc));
    }),
    builtIn('limit', '<-tables n offset?', (args) => {
      const [n, offset] = [args.count('n'), args.count('offset', 0n)];
      return each(args.stream(), (table) =>
        sliced(table, Math.min(offset, table.rows), Math.min(offset + n, table.rows)),
      );
    }),
    builtIn('tail', '<-tables n offset?', (args) => {
      const [n, offset] = [args.count('n'), args.count('offset', 0n)];
      return each(args.stream(), (table) =>
        sliced(table, Math.max(0, table.rows - offset - n), Math.max(0, table.rows - offset)),
      );
    }),
    builtIn('top', '<-tables n columns?', (args) => ranked(args, true)),
    builtIn('bottom', '<-tables n columns?', (args) => ranked(args, false)),
    builtIn('distinct', '<-tables column?', (args) => {
      const name = args.text('column', '_value');
      return each(args.stream(), (table) => distinct(ctx, table, name));
    }),
    builtIn('unique', '<-tables column?', (args) => {
      const name = args.text('column', '_value');
      return each(args.stream(), (table) => picked(table, firstOfEach(ctx, needColumn(table, name), table.rows)));
    }),
    builtIn('union', 'tables', (args) => {
      const streams = args.array('tables').filter(isStream);
      if (streams.length < args.array('tables').length)
        throw runtimeError('argument tables: expected an array of streams of tables');
      return { kind: 'stream', bounds: streams[0]?.bounds ?? null, reading: null, tables: () => united(ctx, streams) };
    }),
  ];
}

const STORED_TYPES = {
  string: 'string',
  int: 'integer',
  uint: 'unsigned',
  float: 'float',
  bool: 'boolean',
  time: 'time',
} as const;

function* grouped(ctx: Context, tables: Stream, columns: readonly string[], except: boolean): Iterable<Table> {
  // InfluxDB leaves a group of what was just read to its storage, which has its own words for this.
  const byStorage = tables.reading !== null && !except;
  const grouping = createGrouping(
    ctx.budget,
    byStorage
      ? (_, first, second) =>
          `schema collision: cannot group ${STORED_TYPES[first]} and ${STORED_TYPES[second]} types together`
      : undefined,
  );
  const listed = new Set(columns);
  for (const table of tables.tables())
    grouping.split(
      table,
      except ? new Set(table.columns.map(({ name }) => name).filter((name) => !listed.has(name))) : listed,
    );
  yield* grouping.finish();
}

function* united(ctx: Context, streams: readonly Stream[]): Iterable<Table> {
  const grouping = createGrouping(ctx.budget);
  for (const stream of streams) for (const table of stream.tables()) grouping.add(table);
  yield* grouping.finish();
}

/** Nulls come last, or first where the order is turned round. Columns that a table lacks do not count. */
function sorted(ctx: Context, table: Table, names: readonly string[], desc: boolean): Table {
  const columns = names.flatMap((name) => columnOf(table, name) ?? []).filter(({ data }) => data !== null);
  if (columns.length === 0) return table;
  const sign = desc ? -1 : 1;
  const rows = Array.from({ length: table.rows }, (_, i) => i);
  rows.sort((a, b) => {
    ctx.budget.tick();
    for (const column of columns) {
      const by = order(cellAt(column, a), cellAt(column, b));
      if (by !== 0) return by * sign;
    }
    return 0;
  });
  return rows.every((row, i) => row === i) ? table : picked(table, rows);
}

function order(a: Cell, b: Cell): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function firstOfEach(ctx: Context, column: Column, rows: number): number[] {
  const seen = new Set<Cell>();
  const found: number[] = [];
  for (let i = 0; i < (column.data === null ? Math.min(1, rows) : rows); i++) {
    const cell = cellAt(column, i);
    if (seen.has(cell)) continue;
    seen.add(cell);
    ctx.budget.hold(1);
    found.push(i);
  }
  return found;
}

function distinct(ctx: Context, table: Table, name: string): Table | null {
  const column = columnOf(table, name);
  if (!column) return null;
  const cells = firstOfEach(ctx, column, table.rows).map((row) => cellAt(column, row));
  const key = keyColumns(table).filter((one) => one.name !== '_value');
  return {
    key: new Set(key.map((one) => one.name)),
    rows: cells.length,
    columns: [...key, dense('_value', column.type, cells)],
  };
}

/** One row with the group key of a table and no other column but these. */
export const keyRow = (table: Table, more: readonly Column[]): Table => ({
  key: table.key,
  rows: 1,
  columns: [...keyColumns(table).map(({ name, type, value }) => constant(name, type, value)), ...more],
});
