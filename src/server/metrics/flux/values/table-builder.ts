import { itemAt } from '../../../../lib/item-at.ts';
import type { Budget } from '../budget.ts';
import { runtimeError } from '../language/errors.ts';
import { constant, dense, type Cell, type ColumnType, type Table } from './table.ts';

/** A column that grows. As long as all its rows are the same, they are kept once. */
interface Growing {
  type: ColumnType | null;
  value: Cell;
  cells: Cell[] | null;
}

/** A table that grows by rows of other tables, or cell by cell; what a row lacks is null. */
export interface Builder {
  /** Rows of a table; null: all of them. */
  append(table: Table, picks?: ArrayLike<number> | null): void;
  /** Cells by the names of their columns. Rows with the same array of names are quickest. */
  row(names: readonly string[], types: readonly (ColumnType | null)[], cells: readonly Cell[]): void;
  readonly rows: number;
  finish(): Table;
}

/** What is said where two types meet in one column. */
export type Collision = (column: string, first: ColumnType, second: ColumnType) => string;

/** In the words of InfluxDB, which clients look for. */
const collision: Collision = (column, first, second) =>
  `schema collision detected: column ${JSON.stringify(column)} is both of type ${first} and ${second}`;

export function createBuilder(key: ReadonlySet<string>, budget: Budget, told: Collision = collision): Builder {
  const columns = new Map<string, Growing>();
  let rows = 0;
  let shape: readonly string[] | null = null;
  let shaped: Growing[] = [];

  function growing(name: string, type: ColumnType | null): Growing {
    let column = columns.get(name);
    if (!column) columns.set(name, (column = { type, value: null, cells: null }));
    if (column.type === null) column.type = type;
    else if (type !== null && column.type !== type) throw runtimeError(told(name, column.type, type));
    return column;
  }
  function spread(column: Growing): Cell[] {
    budget.hold(rows);
    return (column.cells = new Array<Cell>(rows).fill(column.value));
  }
  /** Adds the same cell `count` times. */
  function addSame(column: Growing, cell: Cell, count: number): void {
    if (column.cells === null) {
      if (rows === 0) column.value = cell;
      if (column.value === cell) return;
    }
    const cells = column.cells ?? spread(column);
    budget.hold(count);
    for (let i = 0; i < count; i++) cells.push(cell);
  }

  return {
    append(table, picks = null) {
      const count = picks?.length ?? table.rows;
      if (count === 0) return;
      budget.tick(count);
      const had = new Set(table.columns.map(({ name }) => name));
      for (const [name, column] of columns) if (!had.has(name)) addSame(column, null, count);
      for (const { name, type, data, value } of table.columns) {
        const column = growing(name, type);
        if (data === null) {
          addSame(column, value, count);
          continue;
        }
        const cells = column.cells ?? spread(column);
        budget.hold(count);
        for (let i = 0; i < count; i++) cells.push(data[picks ? (picks[i] ?? 0) : i] ?? null);
      }
      rows += count;
    },
    row(names, types, cells) {
      budget.tick();
      if (names !== shape) {
        shape = names;
        shaped = names.map((name) => growing(name, null));
      }
      let kept = 0;
      for (let i = 0; i < names.length; i++) {
        const column = itemAt(shaped, i);
        const cell = cells[i] ?? null;
        if (types[i] !== column.type && types[i] !== null) growing(names[i] ?? '', itemAt(types, i));
        if (column.cells === null) {
          if (rows === 0) column.value = cell;
          if (column.value === cell) continue;
          spread(column);
        }
        // `spread` may have made it.
        (column.cells as Cell[] | null)?.push(cell);
        kept++;
      }
      if (names.length < columns.size) {
        const had = new Set(names);
        for (const [name, column] of columns) if (!had.has(name)) addSame(column, null, 1);
      }
      rows++;
      budget.hold(kept);
    },
    get rows() {
      return rows;
    },
    finish() {
      const made = [...columns].map(([name, { type, value, cells }]) =>
        // A column of nulls alone has no type; it is a string's for want of a better one.
        cells === null
          ? constant(name, type ?? 'string', value)
          : key.has(name)
            ? constant(name, type ?? 'string', cells[0] ?? null)
            : dense(name, type ?? 'string', cells),
      );
      return { key: new Set([...key].filter((name) => columns.has(name))), columns: made, rows };
    },
  };
}
