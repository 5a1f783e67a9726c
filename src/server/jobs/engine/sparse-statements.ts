import type { Value } from '../../store/port.ts';

// Indexes are within their lists here, which `as` says: a check or a default would cost at each row.

/**
 * Statements that name only the columns that matter this time: binding a value costs more than storing it, and an
 * index is not touched where its column is not named. The texts are kept, so that each is prepared once; there are few,
 * because rows change in few ways.
 */
export interface SparseStatement {
  readonly sql: string;
  readonly args: Value[];
}

/** Inserts without the columns that have their default anyway: null, 0 or an empty text, as `defaults` says. */
export function sparseInsert(
  table: string,
  columns: readonly string[],
  defaults: readonly Value[],
): (values: readonly Value[]) => SparseStatement {
  const texts = new Map<number, string>();
  return (values) => {
    const args: Value[] = [];
    let mask = 0;
    // More columns than the bits of an integer: a sum of powers of two, exact up to 53.
    for (let i = 0, bit = 1; i < columns.length; i++, bit *= 2) {
      const value = values[i] as Value;
      if (value === defaults[i]) continue;
      mask += bit;
      args.push(value);
    }
    let sql = texts.get(mask);
    if (sql === undefined) {
      const named = columns.filter((_, i) => values[i] !== defaults[i]);
      texts.set(mask, (sql = `INSERT INTO ${table} (${named.join(', ')}) VALUES (${named.map(() => '?').join(', ')})`));
    }
    return { sql, args };
  };
}

/** Updates the columns that differ from what is stored, appends to those of `appended` that have something to append, where `guard` holds. Null: nothing changed. */
export function sparseUpdate(
  table: string,
  columns: readonly string[],
  appended: readonly string[],
  guard: string,
): (stored: readonly Value[], values: readonly Value[], append: readonly string[]) => SparseStatement | null {
  const texts = new Map<number, string>();
  return (stored, values, append) => {
    const args: Value[] = [];
    let mask = 0;
    let bit = 1;
    for (let i = 0; i < columns.length; i++, bit *= 2) {
      if (values[i] === stored[i]) continue;
      mask += bit;
      args.push(values[i] as Value);
    }
    for (let i = 0; i < appended.length; i++, bit *= 2) {
      if (append[i] === '') continue;
      mask += bit;
      args.push(append[i] as string);
    }
    if (mask === 0) return null;
    let sql = texts.get(mask);
    if (sql === undefined) {
      const sets = [
        ...columns.filter((_, i) => values[i] !== stored[i]).map((column) => `${column} = ?`),
        ...appended.filter((_, i) => append[i] !== '').map((column) => `${column} = ${column} || ?`),
      ];
      texts.set(mask, (sql = `UPDATE ${table} SET ${sets.join(', ')} WHERE ${guard}`));
    }
    return { sql, args };
  };
}
