import { builtIn, unaryCall } from './builtin.ts';
import { createBuilder, type Builder } from '../values/table-builder.ts';
import { isClosure } from '../language/closure.ts';
import type { Context } from '../context.ts';
import { runtimeError } from '../language/errors.ts';
import { truth } from '../language/operators.ts';
import { narrowed, readTables } from '../pushdown/reading.ts';
import { derived, type Stream } from '../values/stream.ts';
import {
  byName,
  cellOf,
  cellType,
  constant,
  keyColumns,
  picked,
  Row,
  toCell,
  type Cell,
  type Column,
  type ColumnType,
  type Table,
} from '../values/table.ts';
import { entriesOf, isRec, typeOf, type Fn, type Rec, type Value } from '../values/values.ts';

/** Functions that call one of the program's for each row. */
export function rowFunctions(ctx: Context): Fn[] {
  return [
    builtIn('filter', '<-tables fn onEmpty?', (args) => {
      const onEmpty = args.text('onEmpty', 'drop');
      if (onEmpty !== 'drop' && onEmpty !== 'keep')
        throw runtimeError(`onEmpty: expected "drop" or "keep", got ${JSON.stringify(onEmpty)}`);
      return filtered(ctx, args.stream(), args.fn('fn'), onEmpty === 'keep');
    }),
    builtIn('map', '<-tables fn mergeKey?', (args) => {
      const tables = args.stream();
      const fn = unaryCall(args.fn('fn'), 'r');
      return derived(tables, () => mapped(ctx, tables, fn));
    }),
    builtIn('reduce', '<-tables fn identity', (args) => {
      const tables = args.stream();
      const [fn, identity] = [args.fn('fn'), args.record('identity')];
      return derived(tables, () => reduced(ctx, tables, fn, identity));
    }),
  ];
}

/** Hands to the store what it can decide, and looks at rows for the rest. */
function filtered(ctx: Context, tables: Stream, fn: Fn, keepEmpty: boolean): Stream {
  const conditions = isClosure(fn) ? fn.conditions() : null;
  let reading = tables.reading;
  let left = conditions ?? [{ columns: null, test: unaryCall(fn, 'r') as (row: Rec) => Value, equals: null }];
  if (reading && conditions && !keepEmpty) {
    left = conditions.filter((condition) => {
      const next = reading && narrowed(reading, condition);
      reading = next ?? reading;
      return next === null;
    });
    const pushed = reading;
    const from: Stream = {
      kind: 'stream',
      bounds: tables.bounds,
      reading: pushed,
      tables: pushed.bounds === null ? tables.tables : () => readTables(pushed),
    };
    if (left.length === 0) return from;
    return derived(from, () => kept(ctx, from, left, false));
  }
  return derived(tables, () => kept(ctx, tables, left, keepEmpty));
}

function* kept(
  ctx: Context,
  tables: Stream,
  conditions: readonly { test(row: Rec): Value }[],
  keepEmpty: boolean,
): Iterable<Table> {
  for (const table of tables.tables()) {
    const columns = byName(table);
    const rows: number[] = [];
    for (let i = 0; i < table.rows; i++) {
      ctx.budget.tick();
      const row = new Row(table, columns, i);
      if (conditions.every(({ test }) => truth(test(row), 'the predicate of filter') === true)) rows.push(i);
    }
    if (rows.length > 0 || keepEmpty) yield rows.length === table.rows ? table : picked(table, rows);
  }
}

/** Rows whose group key changed go to a table of that key. */
function* mapped(ctx: Context, tables: Stream, fn: (row: Value) => Value): Iterable<Table> {
  const made = new Map<string, Builder>();
  for (const table of tables.tables()) {
    const columns = byName(table);
    const keys = keyColumns(table);
    const own = textOf(
      keys,
      keys.map(({ value }) => value),
    );
    // Rows mostly have the columns and the key of the row before.
    let names: string[] = [];
    let places: number[] = [];
    let key: Cell[] = [];
    let builder: Builder | null = null;
    let stays = true;
    for (let i = 0; i < table.rows; i++) {
      ctx.budget.tick();
      const row = fn(new Row(table, columns, i));
      if (!isRec(row)) throw runtimeError(`map: expected the function to return a record but found ${typeOf(row)}`);
      const [found, types, cells]: [string[], (ColumnType | null)[], Cell[]] = [[], [], []];
      let same = true;
      row.each((name, value) => {
        if (names[found.length] !== name) same = false;
        found.push(name);
        types.push(cellType(value));
        cells.push(cellOf(value));
      });
      if (!same || found.length !== names.length) {
        names = found;
        places = keys.map(({ name }) => found.indexOf(name));
        builder = null;
      }
      if (builder === null || places.some((place, at) => place >= 0 && cells[place] !== key[at])) {
        key = places.map((place) => (place < 0 ? null : (cells[place] ?? null)));
        const kept = keys.filter((_, at) => (places[at] ?? 0) >= 0);
        const text = textOf(
          kept,
          key.filter((_, at) => (places[at] ?? 0) >= 0),
        );
        stays &&= text === own;
        builder = made.get(text) ?? createBuilder(new Set(kept.map(({ name }) => name)), ctx.budget);
        made.set(text, builder);
      }
      builder.row(names, types, cells);
    }
    // A table that kept its key is whole: no other has that key, unless rows were moved there.
    if (stays && made.size === 1 && keys.length > 0) {
      for (const one of made.values()) yield one.finish();
      made.clear();
    }
  }
  for (const one of made.values()) yield one.finish();
}

const textOf = (columns: readonly Column[], cells: readonly Cell[]): string =>
  columns.map(({ name }, i) => `${name}\u0001${String(cells[i])}\u0000`).join('');

function* reduced(ctx: Context, tables: Stream, fn: Fn, identity: Rec): Iterable<Table> {
  for (const table of tables.tables()) {
    const columns = byName(table);
    let sum: Value = identity;
    for (let i = 0; i < table.rows; i++) {
      ctx.budget.tick();
      sum = fn.call(
        new Map<string, Value>([
          ['r', new Row(table, columns, i)],
          ['accumulator', sum],
        ]),
      );
      if (!isRec(sum)) throw runtimeError(`reduce: expected the function to return a record but found ${typeOf(sum)}`);
    }
    const key = keyColumns(table);
    // The next line of a reduction is a record, as was looked at.
    const made = [...entriesOf(sum as Rec)]
      .filter(([name]) => !table.key.has(name))
      .map(([name, value]) => {
        const cell = toCell(value);
        return constant(name, cell?.type ?? 'string', cell?.cell ?? null);
      });
    yield { key: table.key, rows: 1, columns: [...key, ...made] };
  }
}
