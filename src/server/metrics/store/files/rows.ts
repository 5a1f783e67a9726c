import { itemAt } from '../../../../lib/item-at.ts';
import type { FieldType } from '../port.ts';

/**
 * Rows of one series in columns, growing. A row is a point: its time, whose it is (job and task, see `owner-key.ts`), and its
 * fields. An absent number is NaN (no point holds one), an absent text undefined.
 */
export interface Column {
  readonly field: number;
  readonly type: FieldType;
  numbers: Float64Array;
  /** Whole numbers that a double does not hold, by row; `numbers` has them rounded. */
  big: Map<number, bigint> | null;
  texts: (string | undefined)[] | null;
}

/** Rows that there is room for at first. */
export const ROOM = 16;
const NONE = new Float64Array(0);

/** Room for the rows of each series, in the order in which they come: what those before had on average, for as many; the others begin small. */
export function roomOfSeries(rows: number, seriesBefore: number, most: number): () => number {
  const room = Math.max(ROOM, Math.min(most, Math.ceil((rows / seriesBefore) * 1.1)));
  let series = 0;
  return () => (series++ < seriesBefore ? room : ROOM);
}

export class Rows {
  /** One lives always, with a column: V8 forgets the shape of objects once none is left, and all code that was compiled for it. */
  static readonly kept = Rows.withColumn();
  count = 0;
  ms: Float64Array;
  ns: Uint32Array | null = null;
  who: string[] | null = null;
  readonly columns = new Map<number, Column>();
  /** `room`: how many rows it will have, as far as is known. */
  constructor(room = ROOM) {
    this.ms = new Float64Array(room);
  }

  /** Begins a row; its fields are set with `number`, `bigint` and `text`. */
  add(ms: number, ns: number, who: string): number {
    const row = this.count++;
    if (row === this.ms.length) this.grow();
    this.ms[row] = ms;
    if (ns !== 0) this.ns ??= new Uint32Array(this.ms.length);
    if (this.ns) this.ns[row] = ns;
    if (who !== '') this.who ??= new Array<string>(row).fill('');
    if (this.who) this.who[row] = who;
    return row;
  }

  column(field: number, type: FieldType): Column {
    let column = this.columns.get(field);
    if (!column) {
      const isText = type === 'string';
      column = {
        field,
        type,
        numbers: isText ? NONE : new Float64Array(this.ms.length).fill(Number.NaN),
        big: null,
        texts: isText ? [] : null,
      };
      this.columns.set(field, column);
    }
    return column;
  }

  private static withColumn(): Rows {
    const rows = new Rows();
    rows.column(0, 'float');
    return rows;
  }

  private grow(): void {
    const size = this.ms.length * 2;
    const old = this.ms;
    this.ms = new Float64Array(size);
    this.ms.set(old);
    if (this.ns) {
      const ns = this.ns;
      this.ns = new Uint32Array(size);
      this.ns.set(ns);
    }
    for (const column of this.columns.values()) {
      if (column.texts) continue;
      const numbers = column.numbers;
      column.numbers = new Float64Array(size).fill(Number.NaN, numbers.length);
      column.numbers.set(numbers);
    }
  }
}

export function setBig(column: Column, row: number, value: bigint): void {
  column.numbers[row] = Number(value);
  if (Number.isSafeInteger(column.numbers[row])) column.big?.delete(row);
  else (column.big ??= new Map()).set(row, value);
}

export const has = (column: Column, row: number): boolean =>
  column.texts ? column.texts[row] !== undefined : !Number.isNaN(column.numbers[row]);

/** Copies a field's value from one row to another, whatever its type. */
export function copyValue(from: Column, row: number, to: Column, target: number): void {
  if (from.texts) (to.texts as (string | undefined)[])[target] = from.texts[row];
  else {
    to.numbers[target] = from.numbers[row] ?? 0;
    const big = from.big?.get(row);
    if (big !== undefined) (to.big ??= new Map()).set(target, big);
    else to.big?.delete(target);
  }
}

/** Whether each row comes after the one before, so that none is there twice. */
export function isSorted({ count, ms, ns, who }: Rows): boolean {
  for (let i = 1; i < count; i++) {
    const step = (ms[i] ?? 0) - (ms[i - 1] ?? 0);
    if (step > 0) continue;
    if (step < 0) return false;
    const fine = ns ? (ns[i] ?? 0) - (ns[i - 1] ?? 0) : 0;
    if (fine < 0 || (fine === 0 && !(who && (who[i] ?? '') > (who[i - 1] ?? '')))) return false;
  }
  return true;
}

/** What of the rows is wanted: from a time to before another, and of which owners. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
  readonly keepsWho: ((who: string) => boolean) | null;
}

const ALL: RowRange = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, keepsWho: null };

/**
 * All rows of the pieces, which come in the order in which they were written, oldest first: ordered by time, and those
 * of the same instant and owner made one: of each field the last write wins, other fields stay.
 */
export function sortAndMerge(pieces: readonly Rows[], cut: RowRange = ALL): Rows {
  if (!cut.keepsWho) {
    const ordered = inOrder(pieces);
    if (ordered) return joined(ordered.map((rows) => sliced(rows, cut)).filter(({ count }) => count > 0));
  }
  return merged(pieces, cut);
}

/** The pieces one after the other, where each is tidy and they do not overlap; null: they do. */
function inOrder(pieces: readonly Rows[]): readonly Rows[] | null {
  let last = Number.NEGATIVE_INFINITY;
  for (const rows of pieces) {
    if (rows.count === 0) continue;
    if ((rows.ms[0] ?? 0) <= last || !isSorted(rows)) return null;
    last = rows.ms[rows.count - 1] ?? 0;
  }
  return pieces;
}

/** The part of tidy rows within a range of time. */
function sliced(rows: Rows, { from, to }: RowRange): Rows {
  const start = placeOf(rows, from);
  const end = placeOf(rows, to);
  if (start === 0 && end === rows.count) return rows;
  const part = new Rows();
  part.count = end - start;
  part.ms = rows.ms.subarray(start, end);
  part.ns = rows.ns?.subarray(start, end) ?? null;
  part.who = rows.who?.slice(start, end) ?? null;
  for (const { field, type, numbers, big, texts } of rows.columns.values()) {
    part.columns.set(field, {
      field,
      type,
      numbers: texts ? numbers : numbers.subarray(start, end),
      texts: texts?.slice(start, end) ?? null,
      big:
        big &&
        new Map([...big].filter(([row]) => row >= start && row < end).map(([row, value]) => [row - start, value])),
    });
  }
  return part;
}

/** The first row at or after a time. */
function placeOf({ ms, count }: Rows, time: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ms[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Pieces that follow each other, as one. */
function joined(pieces: readonly Rows[]): Rows {
  if (pieces.length === 1) return itemAt(pieces, 0);
  const all = new Rows();
  all.count = pieces.reduce((sum, { count }) => sum + count, 0);
  all.ms = new Float64Array(Math.max(1, all.count));
  if (pieces.some(({ ns }) => ns)) all.ns = new Uint32Array(all.ms.length);
  if (pieces.some(({ who }) => who)) all.who = [];
  let at = 0;
  for (const { count, ms, ns, who, columns } of pieces) {
    all.ms.set(ms.subarray(0, count), at);
    if (ns) all.ns?.set(ns.subarray(0, count), at);
    for (let row = 0; all.who && row < count; row++) all.who.push(who?.[row] ?? '');
    for (const column of columns.values()) {
      const to = all.column(column.field, column.type);
      if (column.texts)
        // Of the same type, so it has texts too.
        for (let row = 0; row < count; row++) (to.texts as (string | undefined)[])[at + row] = column.texts[row];
      else to.numbers.set(column.numbers.subarray(0, count), at);
      for (const [row, value] of column.big ?? []) (to.big ??= new Map()).set(at + row, value);
    }
    at += count;
  }
  return all;
}

function merged(pieces: readonly Rows[], { from, to, keepsWho }: RowRange): Rows {
  const total = pieces.reduce((sum, { count }) => sum + count, 0);
  const ms = new Float64Array(total);
  const ns = pieces.some((rows) => rows.ns) ? new Uint32Array(total) : null;
  const who = pieces.some((rows) => rows.who) ? new Array<string>(total).fill('') : null;
  const piece = new Uint32Array(total);
  const place = new Uint32Array(total);
  let n = 0;
  let sorted = true;
  for (const [p, rows] of pieces.entries()) {
    for (let i = 0; i < rows.count; i++) {
      const at = rows.ms[i] ?? 0;
      if (at < from || at >= to) continue;
      const whose = rows.who?.[i] ?? '';
      if (keepsWho && !keepsWho(whose)) continue;
      ms[n] = at;
      if (ns) ns[n] = rows.ns?.[i] ?? 0;
      if (who) who[n] = whose;
      piece[n] = p;
      place[n] = i;
      if (sorted && n > 0 && at <= (ms[n - 1] ?? 0)) sorted = false;
      n++;
    }
  }
  const order = new Uint32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  const compare = (a: number, b: number): number =>
    (ms[a] ?? 0) - (ms[b] ?? 0) ||
    (ns ? (ns[a] ?? 0) - (ns[b] ?? 0) : 0) ||
    (who ? compareText(who[a] ?? '', who[b] ?? '') : 0);
  if (!sorted) order.sort((a, b) => compare(a, b) || a - b);

  const all = new Rows();
  let before = -1;
  let row = 0;
  for (const at of order) {
    if (before < 0 || compare(before, at) !== 0) row = all.add(ms[at] ?? 0, ns?.[at] ?? 0, who?.[at] ?? '');
    before = at;
    const source = place[at] ?? 0;
    for (const column of (pieces[piece[at] ?? 0] as Rows).columns.values())
      if (has(column, source)) copyValue(column, source, all.column(column.field, column.type), row);
  }
  return all;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
