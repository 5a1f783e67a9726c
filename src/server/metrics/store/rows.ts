import type { FieldType } from './port.ts';

/**
 * Rows of one series in columns, growing. A row is a point: its time, whose it is (job and task, see `who.ts`), and its
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

export class Rows {
  count = 0;
  ms: Float64Array = new Float64Array(16);
  ns: Uint32Array | null = null;
  who: string[] | null = null;
  readonly columns = new Map<number, Column>();

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
      column = { field, type, numbers: isText ? NONE : new Float64Array(this.ms.length).fill(Number.NaN), big: null, texts: isText ? [] : null };
      this.columns.set(field, column);
    }
    return column;
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

const NONE = new Float64Array(0);

export function setBig(column: Column, row: number, value: bigint): void {
  column.numbers[row] = Number(value);
  if (Number.isSafeInteger(column.numbers[row])) column.big?.delete(row);
  else (column.big ??= new Map()).set(row, value);
}

export const has = (column: Column, row: number): boolean => (column.texts ? column.texts[row] !== undefined : (column.numbers[row] as number) === (column.numbers[row] as number));

/** Copies a field's value from one row to another, whatever its type. */
export function copyValue(from: Column, row: number, to: Column, target: number): void {
  if (from.texts) (to.texts as (string | undefined)[])[target] = from.texts[row];
  else {
    to.numbers[target] = from.numbers[row] as number;
    const big = from.big?.get(row);
    if (big !== undefined) (to.big ??= new Map()).set(target, big);
    else to.big?.delete(target);
  }
}

/** Whether each row comes after the one before, so that none is there twice. */
export function isTidy({ count, ms, ns, who }: Rows): boolean {
  for (let i = 1; i < count; i++) {
    const step = (ms[i] as number) - (ms[i - 1] as number);
    if (step > 0) continue;
    if (step < 0) return false;
    const fine = ns ? (ns[i] as number) - (ns[i - 1] as number) : 0;
    if (fine < 0 || (fine === 0 && !(who && (who[i] as string) > (who[i - 1] as string)))) return false;
  }
  return true;
}

/**
 * All rows of the pieces, which come in the order in which they were written, oldest first: ordered by time, and those
 * of the same instant and owner made one: of each field the last write wins, other fields stay. Only rows that `keep`
 * lets through.
 */
export function tidied(pieces: readonly Rows[], keep: (ms: number, who: string) => boolean = () => true): Rows {
  const only = pieces.length === 1 ? (pieces[0] as Rows) : null;
  if (only && isTidy(only) && keepsAll(only, keep)) return only;
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
      const at = rows.ms[i] as number;
      const whose = rows.who?.[i] ?? '';
      if (!keep(at, whose)) continue;
      ms[n] = at;
      if (ns) ns[n] = rows.ns?.[i] ?? 0;
      if (who) who[n] = whose;
      piece[n] = p;
      place[n] = i;
      if (sorted && n > 0 && at <= (ms[n - 1] as number)) sorted = false;
      n++;
    }
  }
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  const compare = (a: number, b: number): number => (ms[a] as number) - (ms[b] as number) || (ns ? (ns[a] as number) - (ns[b] as number) : 0) || (who ? compareText(who[a] as string, who[b] as string) : 0);
  if (!sorted) order.sort((a, b) => compare(a, b) || a - b);

  const merged = new Rows();
  let before = -1;
  let row = 0;
  for (const at of order) {
    if (before < 0 || compare(before, at) !== 0) row = merged.add(ms[at] as number, ns?.[at] ?? 0, who?.[at] ?? '');
    before = at;
    const from = place[at] as number;
    for (const column of (pieces[piece[at] as number] as Rows).columns.values()) if (has(column, from)) copyValue(column, from, merged.column(column.field, column.type), row);
  }
  return merged;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function keepsAll(rows: Rows, keep: (ms: number, who: string) => boolean): boolean {
  for (let i = 0; i < rows.count; i++) if (!keep(rows.ms[i] as number, rows.who?.[i] ?? '')) return false;
  return true;
}
