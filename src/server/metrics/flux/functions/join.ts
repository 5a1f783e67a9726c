import { builtIn } from './builtin.ts';
import { createBuilder } from '../values/table-builder.ts';
import type { Context } from '../context.ts';
import { runtimeError } from '../language/errors.ts';
import type { Stream } from '../values/stream.ts';
import { cellAt, columnOf, keyColumns, type Column, type Table } from '../values/table.ts';
import { entriesOf, isStream, type Fn } from '../values/values.ts';

/** `join`: rows of two streams that agree in some columns, side by side. */
export function joinFunctions(ctx: Context): Fn[] {
  return [
    builtIn('join', 'tables on? method?', (args) => {
      const sides = [...entriesOf(args.record('tables'))].flatMap(([name, value]) =>
        isStream(value) ? [{ name, stream: value }] : [],
      );
      const [left, right] = sides;
      if (!left || !right || sides.length !== 2)
        throw runtimeError('argument tables: expected a record of two streams of tables');
      if (args.text('method', 'inner') !== 'inner') throw runtimeError('method: expected "inner"');
      const on = args.texts('on');
      if (on.length === 0) throw runtimeError('on: expected at least one column');
      return {
        kind: 'stream',
        bounds: left.stream.bounds,
        reading: null,
        tables: () => joined(ctx, left, right, on),
      } satisfies Stream;
    }),
  ];
}

interface Side {
  readonly name: string;
  readonly stream: Stream;
}

function* joined(ctx: Context, left: Side, right: Side, on: readonly string[]): Iterable<Table> {
  // What the second side has, by the columns to join on: each table and its rows.
  const index = new Map<string, { table: Table; row: number }[]>();
  for (const table of right.stream.tables()) {
    for (let row = 0; row < table.rows; row++) {
      ctx.budget.tick();
      const text = textOf(table, on, row);
      if (text === null) continue;
      ctx.budget.hold(3);
      const list = index.get(text);
      if (list) list.push({ table, row });
      else index.set(text, [{ table, row }]);
    }
  }
  for (const table of left.stream.tables()) {
    const made = new Map<Table, ReturnType<typeof pair>>();
    for (let row = 0; row < table.rows; row++) {
      const text = textOf(table, on, row);
      for (const match of (text === null ? null : index.get(text)) ?? []) {
        let pairing = made.get(match.table);
        if (!pairing) made.set(match.table, (pairing = pair(ctx, table, match.table, left.name, right.name, on)));
        pairing.add(row, match.row);
      }
    }
    for (const { finish } of made.values()) yield finish();
  }
}

function textOf(table: Table, on: readonly string[], row: number): string | null {
  let text = '';
  for (const name of on) {
    const column = columnOf(table, name);
    const cell = column ? cellAt(column, row) : null;
    if (!column || cell === null) return null;
    text += `${column.type}\u0001${String(cell)}\u0000`;
  }
  return text;
}

/** Columns that both have and that are not joined on get the name of their side. */
function pair(ctx: Context, left: Table, right: Table, leftName: string, rightName: string, on: readonly string[]) {
  const naming = (other: Table, side: string) => (column: Column) =>
    on.includes(column.name) || !columnOf(other, column.name) ? column.name : `${column.name}_${side}`;
  const [leftTo, rightTo] = [naming(right, leftName), naming(left, rightName)];
  const rightColumns = right.columns.filter(({ name }) => !on.includes(name));
  const key = new Set([
    ...keyColumns(left).map(leftTo),
    ...keyColumns(right)
      .filter(({ name }) => !on.includes(name))
      .map(rightTo),
  ]);
  const builder = createBuilder(key, ctx.budget);
  const names = [...left.columns.map(leftTo), ...rightColumns.map(rightTo)];
  const types = [...left.columns, ...rightColumns].map(({ type }) => type);
  return {
    add: (a: number, b: number) =>
      builder.row(names, types, [
        ...left.columns.map((column) => cellAt(column, a)),
        ...rightColumns.map((column) => cellAt(column, b)),
      ]),
    finish: builder.finish,
  };
}
