import { builtIn, unaryCall, type Args } from './builtin.ts';
import { createGrouping } from '../values/grouping.ts';
import type { Context } from '../context.ts';
import { runtimeError } from '../language/errors.ts';
import { truth } from '../language/operators.ts';
import { keyed, span } from '../pushdown/reading.ts';
import { derived, type Stream } from '../values/stream.ts';
import {
  cellAt,
  columnOf,
  constant,
  dense,
  keyColumns,
  replaced,
  toCell,
  withColumns,
  type Cell,
  type Column,
  type Table,
} from '../values/table.ts';
import { isRec, type Fn, type Value } from '../values/values.ts';

/** Functions over the columns of each table. */
export function columnFunctions(ctx: Context): Fn[] {
  const each = (tables: Stream, change: (table: Table) => Table): Stream =>
    derived(tables, () => merging(ctx, tables, change));
  return [
    builtIn('keep', '<-tables columns? fn?', (args) => {
      const wanted = chosen(args);
      return each(args.stream(), (table) =>
        withColumns(
          table,
          table.columns.filter(({ name }) => wanted(name)),
        ),
      );
    }),
    builtIn('drop', '<-tables columns? fn?', (args) => {
      const unwanted = chosen(args);
      return each(args.stream(), (table) =>
        withColumns(
          table,
          table.columns.filter(({ name }) => !unwanted(name)),
        ),
      );
    }),
    builtIn('rename', '<-tables columns? fn?', (args) => {
      const names = renaming(args);
      return each(args.stream(), (table) => {
        const columns = table.columns.map((column) => ({ ...column, name: names(column.name) }));
        if (new Set(columns.map(({ name }) => name)).size < columns.length)
          throw runtimeError('rename: two columns would have the same name');
        return { ...table, columns, key: new Set([...table.key].map(names)) };
      });
    }),
    builtIn('duplicate', '<-tables column as', (args) => {
      const [from, as] = [args.text('column'), args.text('as')];
      return each(args.stream(), (table) => {
        const column = columnOf(table, from);
        return column
          ? withColumns(table, replaced(table.columns, { ...column, name: as }), without(table.key, as))
          : table;
      });
    }),
    builtIn('set', '<-tables key value', (args) => {
      const [name, value] = [args.text('key'), args.text('value')];
      return each(args.stream(), (table) =>
        withColumns(table, replaced(table.columns, constant(name, 'string', value))),
      );
    }),
    builtIn('fill', '<-tables column? value? usePrevious?', (args) => {
      const [name, previous] = [args.text('column', '_value'), args.bool('usePrevious', false)];
      const value = args.any('value');
      if (previous === args.has('value')) throw runtimeError('fill: give either value or usePrevious: true');
      return each(args.stream(), (table) => filled(table, name, value));
    }),
    builtIn('keys', '<-tables column?', (args) => {
      const [tables, name] = [args.stream(), args.text('column', '_value')];
      const { reading } = tables;
      // The names of tags need no points.
      if (reading?.bounds) return derived(tables, () => keyTables(tables, name));
      return derived(tables, () => listing(tables, name, (table) => keyColumns(table)));
    }),
    builtIn('columns', '<-tables column?', (args) => {
      const [tables, name] = [args.stream(), args.text('column', '_value')];
      return derived(tables, () => listing(tables, name, (table) => table.columns));
    }),
  ];
}

/** Tables that have the same key after a change become one. */
function* merging(ctx: Context, tables: Stream, change: (table: Table) => Table): Iterable<Table> {
  const grouping = createGrouping(ctx.budget);
  for (const table of tables.tables()) {
    ctx.budget.tick();
    const made = change(table);
    if (made.key.size === table.key.size && [...table.key].every((name) => made.key.has(name))) yield made;
    else grouping.add(made);
  }
  yield* grouping.finish();
}

const without = (names: ReadonlySet<string>, name: string): ReadonlySet<string> =>
  new Set([...names].filter((one) => one !== name));

function chosen(args: Args): (name: string) => boolean {
  if (args.has('fn') === args.has('columns')) throw runtimeError('give either columns or fn');
  if (args.has('columns')) {
    const names = new Set(args.texts('columns'));
    return (name) => names.has(name);
  }
  const fn = unaryCall(args.fn('fn'), 'column');
  return (name) => truth(fn(name), 'the predicate') === true;
}

function renaming(args: Args): (name: string) => string {
  if (args.has('fn') === args.has('columns')) throw runtimeError('give either columns or fn');
  const columns = args.any('columns');
  const fn = isRec(columns) ? (name: string): Value => columns.get(name) ?? name : unaryCall(args.fn('fn'), 'column');
  return (name) => {
    const to = fn(name);
    if (typeof to !== 'string') throw runtimeError('rename: a column needs a string for its name');
    return to;
  };
}

function filled(table: Table, name: string, value: Value): Table {
  const to = toCell(value);
  const column = columnOf(table, name);
  if (!column) return to ? withColumns(table, [...table.columns, constant(name, to.type, to.cell)]) : table;
  // A column of nulls alone takes the type of what fills it.
  const { type } = to && column.data !== null && allNull(column, table.rows) ? to : column;
  if (to && to.type !== type)
    throw runtimeError(`fill: column ${JSON.stringify(name)} is of type ${type}, the value of type ${to.type}`);
  const cells = new Array<Cell>(table.rows);
  let last: Cell = null;
  for (let i = 0; i < table.rows; i++) {
    const cell = cellAt(column, i);
    cells[i] = cell ?? (to ? to.cell : last);
    last = cells[i] ?? null;
  }
  return withColumns(
    table,
    replaced(table.columns, column.data === null ? constant(name, type, cells[0] ?? null) : dense(name, type, cells)),
  );
}

function allNull(column: Column, rows: number): boolean {
  for (let i = 0; i < rows; i++) if (cellAt(column, i) !== null) return false;
  return true;
}

function* listing(tables: Stream, name: string, of: (table: Table) => readonly Column[]): Iterable<Table> {
  for (const table of tables.tables())
    yield listed(
      table,
      name,
      of(table).map((one) => one.name),
    );
}

const listed = (table: Table, name: string, values: readonly string[]): Table => ({
  key: without(table.key, name),
  rows: values.length,
  columns: [...keyColumns(table).filter((one) => one.name !== name), dense(name, 'string', values)],
});

function* keyTables({ reading }: Stream, name: string): Iterable<Table> {
  if (!reading?.bounds || reading.nothing) return;
  const { from, to } = span(reading.bounds);
  for (const series of reading.source.keys(reading.filter, from, to)) {
    const table = keyed(series, reading.bounds, 1, []);
    yield listed(
      table,
      name,
      table.columns.map((one) => one.name),
    );
  }
}
