import { runtimeError } from '../language/errors.ts';
import { NS_PER_MS } from './time.ts';
import { Time, typeOf, UInt, type Rec, type Value } from './values.ts';

export type ColumnType = 'string' | 'int' | 'uint' | 'float' | 'bool' | 'time';

/** `int`, `uint` and `time` (nanoseconds) are bigint. */
export type Cell = null | string | number | bigint | boolean;

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** A cell for each row; null: all rows have `value`. */
  readonly data: ArrayLike<Cell> | null;
  readonly value: Cell;
  /** The times of `data` where all are whole milliseconds: Unix ms, which are far quicker. */
  readonly ms?: Float64Array;
}

/** Rows that agree in the columns of the group key. */
export interface Table {
  readonly key: ReadonlySet<string>;
  readonly columns: readonly Column[];
  readonly rows: number;
}

export const constant = (name: string, type: ColumnType, value: Cell): Column => ({ name, type, data: null, value });
export const dense = (name: string, type: ColumnType, data: ArrayLike<Cell>): Column => ({
  name,
  type,
  data,
  value: null,
});

/** Times that are whole milliseconds; `data` is made when it is asked for, which most steps never do. */
export function msColumn(name: string, ms: Float64Array): Column {
  let times: BigInt64Array | null = null;
  return {
    name,
    type: 'time',
    value: null,
    ms,
    get data() {
      times ??= BigInt64Array.from(ms, (at) => BigInt(at) * NS_PER_MS);
      return times;
    },
  };
}

export const cellAt = (column: Column, row: number): Cell =>
  column.data === null ? column.value : (column.data[row] ?? null);

/** A cell of a numeric column; null also where there is none. */
export function numberAt(column: Column, row: number): number | bigint | null {
  const cell = cellAt(column, row);
  return typeof cell === 'number' || typeof cell === 'bigint' ? cell : null;
}

/** A cell of a column of times; null also where there is none. */
export function timeAt(column: Column, row: number): bigint | null {
  const cell = cellAt(column, row);
  return typeof cell === 'bigint' ? cell : null;
}

/** The sum of two cells of one numeric column. */
export const added = (a: number | bigint, b: number | bigint): number | bigint =>
  typeof a === 'bigint' && typeof b === 'bigint' ? a + b : Number(a) + Number(b);

export const subtracted = (a: number | bigint, b: number | bigint): number | bigint =>
  typeof a === 'bigint' && typeof b === 'bigint' ? a - b : Number(a) - Number(b);

/** Cells of one type in their order, as JavaScript compares numbers, texts and truths. */
export const isLess = (a: Cell, b: Cell): boolean => (a as number) < (b as number);

export const columnOf = (table: Table, name: string): Column | undefined =>
  table.columns.find((one) => one.name === name);

/** Throws FLUX_RUNTIME where the table has no such column. */
export function needColumn(table: Table, name: string): Column {
  const found = columnOf(table, name);
  if (!found)
    throw runtimeError(
      `column ${JSON.stringify(name)} does not exist; the table has ${table.columns.map((one) => one.name).join(', ') || 'no columns'}`,
    );
  return found;
}

/** The columns of the group key, in the order of the table's columns. */
export const keyColumns = (table: Table): Column[] => table.columns.filter(({ name }) => table.key.has(name));

export function toValue(type: ColumnType, cell: Cell): Value {
  if (typeof cell === 'bigint' && type === 'time') return new Time(cell);
  if (typeof cell === 'bigint' && type === 'uint') return new UInt(cell);
  return cell;
}

/** Type of the column that holds a value; null: any. Throws FLUX_RUNTIME where no column can. */
export function cellType(value: Value): ColumnType | null {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'float';
    case 'bigint':
      return 'int';
    case 'boolean':
      return 'bool';
    default:
      if (value === null) return null;
      if (value instanceof Time) return 'time';
      if (value instanceof UInt) return 'uint';
      throw runtimeError(`type error: a column cannot hold a value of type ${typeOf(value)}`);
  }
}

/** A value that a column can hold, as its cell. */
export const cellOf = (value: Value): Cell =>
  value instanceof Time ? value.ns : value instanceof UInt ? value.value : (value as Cell);

/** Both; null: any type. */
export function toCell(value: Value): { type: ColumnType; cell: Cell } | null {
  const type = cellType(value);
  return type === null ? null : { type, cell: cellOf(value) };
}

/** A row as functions see it. */
export class Row implements Rec {
  readonly kind = 'record';
  private readonly table: Table;
  private readonly byName: ReadonlyMap<string, Column>;
  private readonly at: number;
  constructor(table: Table, byName: ReadonlyMap<string, Column>, at: number) {
    this.table = table;
    this.byName = byName;
    this.at = at;
  }
  get(name: string): Value | undefined {
    const column = this.byName.get(name);
    return column === undefined ? undefined : toValue(column.type, cellAt(column, this.at));
  }
  each(visit: (name: string, value: Value) => void): void {
    for (const column of this.table.columns) visit(column.name, toValue(column.type, cellAt(column, this.at)));
  }
}

export const byName = (table: Table): ReadonlyMap<string, Column> =>
  new Map(table.columns.map((column) => [column.name, column]));

/** The rows from `from` up to, not including, `to`. */
export function sliced(table: Table, from: number, to: number): Table {
  if (from === 0 && to === table.rows) return table;
  return {
    ...table,
    rows: to - from,
    columns: table.columns.map((column) =>
      column.data === null ? column : dense(column.name, column.type, part(column.data, from, to)),
    ),
  };
}

function part(data: ArrayLike<Cell>, from: number, to: number): ArrayLike<Cell> {
  if (data instanceof BigInt64Array || data instanceof Float64Array) return data.subarray(from, to);
  return Array.isArray(data) ? data.slice(from, to) : Array.prototype.slice.call(data, from, to);
}

/** Rows in the order of `rows`. */
export function picked(table: Table, rows: ArrayLike<number>): Table {
  return {
    ...table,
    rows: rows.length,
    columns: table.columns.map((column) =>
      column.data === null ? column : dense(column.name, column.type, gathered(column.data, rows)),
    ),
  };
}

function gathered(data: ArrayLike<Cell>, rows: ArrayLike<number>): Cell[] {
  const cells = new Array<Cell>(rows.length);
  for (let i = 0; i < rows.length; i++) cells[i] = data[rows[i] ?? 0] ?? null;
  return cells;
}

/** The same rows with other columns; what is no longer there leaves the group key. */
export function withColumns(table: Table, columns: readonly Column[], key: ReadonlySet<string> = table.key): Table {
  const names = new Set(columns.map(({ name }) => name));
  return { rows: table.rows, columns, key: new Set([...key].filter((name) => names.has(name))) };
}

/** Replaces the column of that name where it stands, or appends it. */
export function replaced(columns: readonly Column[], column: Column): Column[] {
  return columns.some(({ name }) => name === column.name)
    ? columns.map((one) => (one.name === column.name ? column : one))
    : [...columns, column];
}

/** Tells tables apart by their group key. */
export function keyText(columns: readonly Column[], row = 0): string {
  let text = '';
  for (const column of columns) {
    const cell = cellAt(column, row);
    text += `${column.name}\u0001${column.type}\u0001${cell === null ? '\u0002' : String(cell)}\u0000`;
  }
  return text;
}
