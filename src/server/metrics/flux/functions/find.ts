import { builtIn } from './builtin.ts';
import type { Context } from '../context.ts';
import { runtimeError } from '../language/errors.ts';
import { truth } from '../language/operators.ts';
import type { Stream } from '../values/stream.ts';
import { byName, cellAt, keyColumns, needColumn, Row, toValue, type Table } from '../values/table.ts';
import { entriesOf, MapRec, type Fn, type Value } from '../values/values.ts';

/** Functions that take values out of tables. */
export function recordFunctions(ctx: Context): Fn[] {
  const find = (tables: Stream, fn: Fn): Table | null => {
    for (const table of tables.tables()) {
      const key = new MapRec(
        new Map(keyColumns(table).map(({ name, type, value }): [string, Value] => [name, toValue(type, value)])),
      );
      if (truth(fn.call(new Map([['key', key]])), 'fn') === true) return table;
    }
    return null;
  };
  return [
    builtIn('findColumn', '<-tables fn column', (args) => {
      const table = find(args.stream(), args.fn('fn'));
      if (!table) return [];
      const column = needColumn(table, args.text('column'));
      ctx.budget.hold(table.rows);
      return Array.from({ length: table.rows }, (_, i) => toValue(column.type, cellAt(column, i)));
    }),
    builtIn('findRecord', '<-tables fn idx', (args) => {
      const table = find(args.stream(), args.fn('fn'));
      const row = args.count('idx');
      if (!table || row >= table.rows) throw runtimeError(`row ${row} not found in a table that fn accepts`);
      return new MapRec(entriesOf(new Row(table, byName(table), row)));
    }),
  ];
}
