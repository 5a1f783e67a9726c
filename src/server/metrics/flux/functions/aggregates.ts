import { added, isLess, numberAt, subtracted } from '../values/table.ts';
import { runtimeError } from '../language/errors.ts';
import { cellAt, type Cell, type Column, type ColumnType } from '../values/table.ts';

/** What becomes of a column of rows `from` up to, not including, `to`. */
export interface Aggregate {
  readonly name: string;
  /** Type of the outcome. Throws FLUX_RUNTIME where it takes no such column. */
  type(column: ColumnType): ColumnType;
  of(column: Column, from: number, to: number): Cell;
}

/** Picks a row, or -1 for none. */
export interface Selector {
  readonly name: string;
  /** Of a quantile: its share. */
  readonly q?: number;
  pick(column: Column, from: number, to: number): number;
}

/** A function of the program that aggregates or selects, and what it does: a window may do the same without it. */
export interface Reducing {
  readonly aggregate?: Aggregate;
  readonly selector?: Selector;
}

const isNumeric = (type: ColumnType): boolean => type === 'int' || type === 'uint' || type === 'float';
const numeric = (name: string, type: ColumnType): ColumnType => {
  if (!isNumeric(type)) throw runtimeError(`${name}: unsupported aggregate column type ${type}`);
  return type;
};
const toFloat =
  (name: string) =>
  (type: ColumnType): ColumnType => (numeric(name, type), 'float');

/** The numbers among the cells, as floats. */
function floats(column: Column, from: number, to: number): number[] {
  const found: number[] = [];
  for (let i = from; i < to; i++) {
    const cell = cellAt(column, i);
    if (cell !== null) found.push(Number(cell));
  }
  return found;
}

function sum(column: Column, from: number, to: number): Cell {
  let total: number | bigint | null = null;
  for (let i = from; i < to; i++) {
    const cell = numberAt(column, i);
    if (cell !== null) total = total === null ? cell : added(total, cell);
  }
  return typeof total === 'bigint'
    ? column.type === 'uint'
      ? BigInt.asUintN(64, total)
      : BigInt.asIntN(64, total)
    : total;
}

const mean = (column: Column, from: number, to: number): number | null => {
  const values = floats(column, from, to);
  return values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;
};

function spread(column: Column, from: number, to: number): Cell {
  const least = MIN.pick(column, from, to);
  if (least < 0) return null;
  const [low, high] = [numberAt(column, least), numberAt(column, MAX.pick(column, from, to))];
  return low === null || high === null ? null : subtracted(high, low);
}

export function stddev(sample: boolean): Aggregate {
  return {
    name: 'stddev',
    type: toFloat('stddev'),
    of(column, from, to) {
      const values = floats(column, from, to);
      if (values.length === 0) return null;
      const middle = values.reduce((a, b) => a + b, 0) / values.length;
      return Math.sqrt(
        values.reduce((total, value) => total + (value - middle) ** 2, 0) /
          (sample ? values.length - 1 : values.length),
      );
    },
  };
}

/** By linear interpolation between the two nearest. */
export function quantile(q: number, name = 'quantile'): Aggregate {
  if (!(q >= 0 && q <= 1)) throw runtimeError(`${name}: q must lie between 0 and 1, got ${q}`);
  return {
    name,
    type: toFloat(name),
    of(column, from, to) {
      const values = Float64Array.from(floats(column, from, to)).sort();
      if (values.length === 0) return null;
      const at = q * (values.length - 1);
      const low = Math.floor(at);
      const [a, b] = [values[low] ?? 0, values[Math.ceil(at)] ?? 0];
      return a === b ? a : a * (1 - (at - low)) + b * (at - low);
    },
  };
}

/** The row at the quantile itself. */
export const quantileRow = (q: number): Selector => ({
  name: 'quantile',
  q,
  pick(column, from, to) {
    const rows = rowsOf(column, from, to).sort((a, b) => (less(column, a, b) ? -1 : less(column, b, a) ? 1 : 0));
    return rows[quantileRank(q, rows.length)] ?? -1;
  },
});

/** The place of a quantile among so many values in order. */
export const quantileRank = (q: number, count: number): number => Math.max(0, Math.ceil(q * count) - 1);

const less = (column: Column, a: number, b: number): boolean => isLess(cellAt(column, a), cellAt(column, b));

function rowsOf(column: Column, from: number, to: number): number[] {
  const rows: number[] = [];
  for (let i = from; i < to; i++) if (cellAt(column, i) !== null) rows.push(i);
  return rows;
}

function best(name: string, better: (a: number | bigint, b: number | bigint) => boolean): Selector {
  return {
    name,
    pick(column, from, to) {
      if (to > from) numeric(name, column.type === 'time' ? 'int' : column.type);
      let found = -1;
      let value: number | bigint = 0;
      for (let i = from; i < to; i++) {
        const cell = numberAt(column, i);
        if (cell === null || (found >= 0 && !better(cell, value))) continue;
        found = i;
        value = cell;
      }
      return found;
    },
  };
}

/** Not a number is neither the least nor the greatest, unless it is all there is. */
const MIN = best('min', (a, b) => a < b || b !== b);
const MAX = best('max', (a, b) => a > b || b !== b);

export const SELECTORS: readonly Selector[] = [
  MIN,
  MAX,
  {
    name: 'first',
    pick(column, from, to) {
      for (let i = from; i < to; i++) if (cellAt(column, i) !== null) return i;
      return -1;
    },
  },
  {
    name: 'last',
    pick(column, from, to) {
      for (let i = to - 1; i >= from; i--) if (cellAt(column, i) !== null) return i;
      return -1;
    },
  },
];

export const AGGREGATES: readonly Aggregate[] = [
  { name: 'sum', type: (type) => numeric('sum', type), of: sum },
  { name: 'mean', type: toFloat('mean'), of: mean },
  { name: 'count', type: () => 'int', of: (_column, from, to) => BigInt(to - from) },
  { name: 'spread', type: (type) => numeric('spread', type), of: spread },
  {
    name: 'mode',
    type: (type) => type,
    of(column, from, to) {
      const counts = new Map<Cell, number>();
      for (const row of rowsOf(column, from, to))
        counts.set(cellAt(column, row), (counts.get(cellAt(column, row)) ?? 0) + 1);
      let found: Cell = null;
      let most = 0;
      for (const [cell, count] of counts)
        if (count > most || (count === most && isLess(cell, found))) [found, most] = [cell, count];
      return found;
    },
  },
];
