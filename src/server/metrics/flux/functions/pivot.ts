import { builtIn } from './builtin.ts';
import { createBuilder } from '../values/table-builder.ts';
import type { Context } from '../context.ts';
import { runtimeError } from '../language/errors.ts';
import { derived, type Stream } from '../values/stream.ts';
import {
  cellAt,
  columnOf,
  keyColumns,
  keyText,
  needColumn,
  picked,
  type Cell,
  type Column,
  type Table,
} from '../values/table.ts';
import type { Fn } from '../values/values.ts';

interface Pivoted {
  readonly key: readonly Column[];
  /** Row key → the cells of the row, by column. */
  readonly rows: Map<string, Map<string, { type: Column['type']; cell: Cell }>>;
}

/** `pivot`: values of one column become columns of their own. */
export function pivotFunctions(ctx: Context): Fn[] {
  return [
    builtIn('pivot', '<-tables rowKey columnKey valueColumn', (args) => {
      const [tables, rowKey, columnKey, value] = [
        args.stream(),
        args.texts('rowKey'),
        args.texts('columnKey'),
        args.text('valueColumn'),
      ];
      if (rowKey.length === 0 || columnKey.length === 0)
        throw runtimeError('pivot: rowKey and columnKey each need a column');
      return pivoted(ctx, tables, rowKey, columnKey, value);
    }),
  ];
}

/** Nulls where a row has no value; rows in the order of their row key. */
export function pivoted(
  ctx: Context,
  tables: Stream,
  rowKey: readonly string[],
  columnKey: readonly string[],
  valueColumn: string,
): Stream {
  return derived(tables, function* () {
    const groups = new Map<string, Pivoted>();
    for (const table of tables.tables()) {
      const key = keyColumns(table).filter(
        ({ name }) => !columnKey.includes(name) && name !== valueColumn && !rowKey.includes(name),
      );
      const text = keyText(key);
      let group = groups.get(text);
      if (!group) groups.set(text, (group = { key, rows: new Map() }));
      collect(ctx, table, group, rowKey, columnKey, valueColumn);
    }
    for (const group of groups.values()) yield finished(ctx, group, rowKey);
  });
}

function collect(
  ctx: Context,
  table: Table,
  { rows }: Pivoted,
  rowKey: readonly string[],
  columnKey: readonly string[],
  valueColumn: string,
): void {
  const by = rowKey.map((name) => needColumn(table, name));
  const names = columnKey.map((name) => needColumn(table, name));
  const value = needColumn(table, valueColumn);
  for (let i = 0; i < table.rows; i++) {
    ctx.budget.tick();
    const text = by.map((column) => String(cellAt(column, i))).join('\u0000');
    let row = rows.get(text);
    if (!row) {
      ctx.budget.hold(4 + by.length);
      rows.set(
        text,
        (row = new Map(by.map((column) => [column.name, { type: column.type, cell: cellAt(column, i) }]))),
      );
    }
    ctx.budget.hold(1);
    row.set(names.map((column) => String(cellAt(column, i) ?? '')).join('_'), {
      type: value.type,
      cell: cellAt(value, i),
    });
  }
}

function finished(ctx: Context, { key, rows }: Pivoted, rowKey: readonly string[]): Table {
  const builder = createBuilder(new Set(key.map(({ name }) => name)), ctx.budget);
  for (const row of rows.values()) {
    const cells = [...row.values()];
    builder.row(
      [...key.map(({ name }) => name), ...row.keys()],
      [...key, ...cells].map(({ type }) => type),
      [...key.map(({ value }) => value), ...cells.map(({ cell }) => cell)],
    );
  }
  const table = builder.finish();
  const by = rowKey.flatMap((name) => columnOf(table, name) ?? []);
  const order = Array.from({ length: table.rows }, (_, i) => i);
  order.sort((a, b) => {
    for (const column of by) {
      const [x, y] = [cellAt(column, a), cellAt(column, b)];
      if (x !== y && x !== null && y !== null) return x < y ? -1 : 1;
    }
    return 0;
  });
  return picked(table, order);
}
