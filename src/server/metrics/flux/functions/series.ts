import { added, numberAt, subtracted, timeAt } from '../values/table.ts';
import { builtIn, type Args } from './builtin.ts';
import type { Context } from '../context.ts';
import { runtimeError } from '../language/errors.ts';
import { eachTable, type Stream } from '../values/stream.ts';
import {
  cellAt,
  columnOf,
  dense,
  needColumn,
  replaced,
  sliced,
  type Cell,
  type Column,
  type ColumnType,
  type Table,
} from '../values/table.ts';
import { addDuration, NS_PER_SECOND } from '../values/time.ts';
import { Duration, type Fn } from '../values/values.ts';

/** Functions in which a row depends on those before it. */
export function seriesFunctions(ctx: Context): Fn[] {
  const each = (tables: Stream, change: (table: Table) => Table | null): Stream =>
    eachTable(tables, ctx.budget, change);
  const named = (args: Args): readonly string[] => args.texts('columns', ['_value']);
  const unitOf = (args: Args): number => {
    const unit = args.duration('unit', new Duration(0, NS_PER_SECOND));
    if (unit.months !== 0 || unit.ns <= 0n) throw runtimeError('unit: expected a duration above 0 without months');
    return Number(unit.ns);
  };
  return [
    builtIn('difference', '<-tables nonNegative? columns? keepFirst? initialZero?', (args) => {
      const [names, options] = [
        named(args),
        { nonNegative: args.bool('nonNegative', false), zero: args.bool('initialZero', false) },
      ];
      const first = args.bool('keepFirst', false);
      return each(args.stream(), (table) =>
        sliced(
          changed(table, names, (column) => differences(column, table.rows, options)),
          first ? 0 : Math.min(1, table.rows),
          table.rows,
        ),
      );
    }),
    builtIn('increase', '<-tables columns?', (args) => {
      const names = named(args);
      return each(args.stream(), (table) =>
        changed(
          changed(table, names, (column) => differences(column, table.rows, { nonNegative: true, zero: true })),
          names,
          (column) => running(column, table.rows),
        ),
      );
    }),
    builtIn('derivative', '<-tables unit? nonNegative? columns? timeColumn? initialZero?', (args) => {
      const [names, unit, time] = [named(args), unitOf(args), args.text('timeColumn', '_time')];
      const options = { nonNegative: args.bool('nonNegative', false), zero: args.bool('initialZero', false) };
      return each(args.stream(), (table) =>
        sliced(
          changed(table, names, (column) => derivatives(column, needColumn(table, time), table.rows, unit, options)),
          Math.min(1, table.rows),
          table.rows,
        ),
      );
    }),
    builtIn('cumulativeSum', '<-tables columns?', (args) => {
      const names = named(args);
      return each(args.stream(), (table) => changed(table, names, (column) => running(column, table.rows)));
    }),
    builtIn('movingAverage', '<-tables n', (args) => {
      const n = args.count('n');
      if (n === 0) throw runtimeError('n: expected at least 1');
      return each(args.stream(), (table) => moving(table, n));
    }),
    builtIn('elapsed', '<-tables unit? timeColumn? columnName?', (args) => {
      const [unit, time, name] = [
        BigInt(unitOf(args)),
        args.text('timeColumn', '_time'),
        args.text('columnName', 'elapsed'),
      ];
      return each(args.stream(), (table) => {
        const column = needColumn(table, time);
        const cells = rowsOf(table.rows, (i) =>
          i === 0 ? null : ((timeAt(column, i) ?? 0n) - (timeAt(column, i - 1) ?? 0n)) / unit,
        );
        return sliced(
          { ...table, columns: replaced(table.columns, dense(name, 'int', cells)) },
          Math.min(1, table.rows),
          table.rows,
        );
      });
    }),
    builtIn('timeShift', '<-tables duration columns?', (args) => {
      const [by, names] = [args.duration('duration'), new Set(args.texts('columns', ['_start', '_stop', '_time']))];
      const shift = (cell: Cell): Cell => (typeof cell === 'bigint' ? addDuration(cell, by) : null);
      return each(args.stream(), (table) => ({
        ...table,
        columns: table.columns.map((one): Column =>
          one.type !== 'time' || !names.has(one.name)
            ? one
            : one.data === null
              ? { ...one, value: shift(one.value) }
              : dense(
                  one.name,
                  'time',
                  rowsOf(table.rows, (i) => shift(cellAt(one, i))),
                ),
        ),
      }));
    }),
  ];
}

function rowsOf(rows: number, of: (row: number) => Cell): Cell[] {
  const cells = new Array<Cell>(rows);
  for (let i = 0; i < rows; i++) cells[i] = of(i);
  return cells;
}

const NUMERIC = new Set<ColumnType>(['int', 'uint', 'float']);

/** The named columns remade; they must be of numbers. */
function changed(
  table: Table,
  names: readonly string[],
  make: (column: Column) => { type: ColumnType; cells: Cell[] },
): Table {
  let { columns } = table;
  for (const name of names) {
    const column = columnOf(table, name);
    if (!column) throw runtimeError(`column ${JSON.stringify(name)} does not exist`);
    if (!NUMERIC.has(column.type))
      throw runtimeError(`column ${JSON.stringify(name)} is of type ${column.type}, expected a number`);
    const { type, cells } = make(column);
    columns = replaced(columns, dense(name, type, cells));
  }
  return { ...table, columns };
}

interface Falling {
  /** What falls becomes null. */
  nonNegative: boolean;
  /** What falls is taken to have begun again at 0. */
  zero: boolean;
}

/** A difference of two uints may be below 0, so it is an int. */
function differences(
  column: Column,
  rows: number,
  { nonNegative, zero }: Falling,
): { type: ColumnType; cells: Cell[] } {
  let before: number | bigint | null = null;
  const cells = rowsOf(rows, (i) => {
    const cell = numberAt(column, i);
    if (cell === null) return null;
    const last = before;
    before = cell;
    if (last === null) return null;
    const by = subtracted(cell, last);
    return by >= 0 || !nonNegative ? by : zero ? cell : null;
  });
  return { type: column.type === 'uint' ? 'int' : column.type, cells };
}

function derivatives(
  column: Column,
  time: Column,
  rows: number,
  unit: number,
  { nonNegative, zero }: Falling,
): { type: ColumnType; cells: Cell[] } {
  let before: { value: number; at: bigint } | null = null;
  const cells = rowsOf(rows, (i) => {
    const cell = cellAt(column, i);
    const at = cellAt(time, i);
    if (typeof at !== 'bigint') throw runtimeError('derivative needs a time in every row');
    if (cell === null) return null;
    const value = Number(cell);
    const last = before;
    before = { value, at };
    if (last === null || at === last.at) return null;
    const by = value - last.value;
    if (by < 0 && nonNegative && !zero) return null;
    return (by < 0 && nonNegative ? value : by) / (Number(at - last.at) / unit);
  });
  return { type: 'float', cells };
}

function running(column: Column, rows: number): { type: ColumnType; cells: Cell[] } {
  let total: number | bigint = column.type === 'float' ? 0 : 0n;
  const cells = rowsOf(rows, (i) => {
    const cell = numberAt(column, i);
    if (cell === null) return null;
    total = added(total, cell);
    return total;
  });
  return { type: column.type, cells };
}

/** With fewer rows than `n` there is one average, of all of them. */
function moving(table: Table, n: number): Table {
  const made = changed(table, ['_value'], (column) => {
    let total = 0;
    let count = 0;
    const cells = rowsOf(table.rows, (i) => {
      const [cell, gone] = [cellAt(column, i), i >= n ? cellAt(column, i - n) : null];
      if (cell !== null) [total, count] = [total + Number(cell), count + 1];
      if (gone !== null) [total, count] = [total - Number(gone), count - 1];
      return count === 0 ? null : total / count;
    });
    return { type: 'float', cells };
  });
  return sliced(made, Math.min(n, table.rows) - (table.rows === 0 ? 0 : 1), table.rows);
}
