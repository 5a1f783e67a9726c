import { builtIn, withOne } from './builtin.ts';
import { createBuilder, type Builder } from './builder.ts';
import { isClosure } from './closure.ts';
import type { Context } from './context.ts';
import { runtimeError } from './errors.ts';
import { truth } from './operators.ts';
import { narrowed, readTables } from './reading.ts';
import { derived, type Stream } from './stream.ts';
import { byName, constant, keyColumns, picked, Row, toCell, type Table } from './table.ts';
import { isRec, MapRec, typeOf, type Fn, type Rec, type Value } from './values.ts';

/** Functions that call one of the program's for each row. */
export function rowFunctions(ctx: Context): Fn[] {
  return [
    builtIn('filter', '<-tables fn onEmpty?', (args) => {
      const onEmpty = args.text('onEmpty', 'drop');
      if (onEmpty !== 'drop' && onEmpty !== 'keep') throw runtimeError(`onEmpty: expected "drop" or "keep", got ${JSON.stringify(onEmpty)}`);
      return filtered(ctx, args.stream(), args.fn('fn'), onEmpty === 'keep');
    }),
    builtIn('map', '<-tables fn mergeKey?', (args) => {
      const tables = args.stream();
      const fn = withOne(args.fn('fn'), 'r');
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
  let left = conditions ?? [{ columns: null, test: withOne(fn, 'r') as (row: Rec) => Value, equals: null }];
  if (reading && conditions && !keepEmpty) {
    left = conditions.filter((condition) => {
      const next = reading && narrowed(reading, condition);
      reading = next ?? reading;
      return next === null;
    });
    const pushed = reading;
    const from: Stream = { kind: 'stream', bounds: tables.bounds, reading: pushed, tables: pushed.bounds === null ? tables.tables : () => readTables(pushed) };
    if (left.length === 0) return from;
    return derived(from, () => kept(ctx, from, left, false));
  }
  return derived(tables, () => kept(ctx, tables, left, keepEmpty));
}

function* kept(ctx: Context, tables: Stream, conditions: readonly { test(row: Rec): Value }[], keepEmpty: boolean): Iterable<Table> {
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
    const names = keyColumns(table).map(({ name }) => name);
    for (let i = 0; i < table.rows; i++) {
      ctx.budget.tick();
      const row = fn(new Row(table, columns, i));
      if (!isRec(row)) throw runtimeError(`map: expected the function to return a record but found ${typeOf(row)}`);
      const cells = [...row.entries()].map(([name, value]) => {
        const cell = toCell(value);
        return [name, cell?.type ?? null, cell?.cell ?? null] as const;
      });
      let text = '';
      const key: string[] = [];
      for (const name of names) {
        const cell = cells.find(([one]) => one === name);
        if (!cell) continue;
        key.push(name);
        text += `${name}\u0001${String(cell[2])}\u0000`;
      }
      let builder = made.get(text);
      if (!builder) made.set(text, (builder = createBuilder(new Set(key), ctx.budget)));
      builder.row(cells);
    }
    // Tables come with a group key each; what the rows of one became can be given away unless another may still add to it.
    if (made.size === 1 && names.length > 0 && unchanged(table, made)) {
      for (const builder of made.values()) yield builder.finish();
      made.clear();
    }
  }
  for (const builder of made.values()) yield builder.finish();
}

const unchanged = (table: Table, made: ReadonlyMap<string, Builder>): boolean => made.has(keyColumns(table).map(({ name, value }) => `${name}\u0001${String(value)}\u0000`).join(''));

function* reduced(ctx: Context, tables: Stream, fn: Fn, identity: Rec): Iterable<Table> {
  for (const table of tables.tables()) {
    const columns = byName(table);
    let sum: Value = new MapRec(new Map(identity.entries()));
    for (let i = 0; i < table.rows; i++) {
      ctx.budget.tick();
      sum = fn.call(new Map<string, Value>([['r', new Row(table, columns, i)], ['accumulator', sum]]));
      if (!isRec(sum)) throw runtimeError(`reduce: expected the function to return a record but found ${typeOf(sum)}`);
    }
    const key = keyColumns(table);
    const made = [...(sum as Rec).entries()].filter(([name]) => !table.key.has(name)).map(([name, value]) => {
      const cell = toCell(value);
      return constant(name, cell?.type ?? 'string', cell?.cell ?? null);
    });
    yield { key: table.key, rows: 1, columns: [...key, ...made] };
  }
}
