/**
 * Rows that do not jump under the pointer. While `hold` is set the rows keep their places and take in changes of their
 * own; what came meanwhile is counted, not shown.
 */
export interface Steady<T> {
  readonly rows: readonly T[];
  /** Rows of the newest answer that are not shown. */
  readonly news: number;
}

export function steady<T>(shown: readonly T[] | undefined, fresh: readonly T[] | undefined, idOf: (row: T) => string, hold: boolean): Steady<T> | undefined {
  if (fresh === undefined) return undefined;
  if (!hold || shown === undefined || shown.length === 0) return { rows: fresh, news: 0 };
  const newest = new Map(fresh.map((row) => [idOf(row), row]));
  const rows = shown.map((row) => newest.get(idOf(row)) ?? row);
  const kept = new Set(shown.map(idOf));
  return { rows, news: fresh.filter((row) => !kept.has(idOf(row))).length };
}
