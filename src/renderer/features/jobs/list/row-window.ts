/** Rows read at once. */
export const ROWS_PER_PAGE = 100;
/** Rows that are remembered around those in sight. */
const MAX_KEPT = 4000;

/** Rows that are known, by their place in the list that `base` asked for. */
export interface RowWindow<T> {
  readonly base: string;
  readonly rows: ReadonlyMap<number, T>;
}

export interface ArrivedPages<T> {
  readonly base: string;
  readonly parts: readonly { readonly page: number; readonly items: readonly T[] }[];
  readonly total: number;
  /** Row in sight: of too many rows those far from it are let go. */
  readonly around: number;
  /** Rows that are shown keep their places and take in changes of their own. */
  readonly freeze: boolean;
}

/** The rows after pages arrived. Those of another question are let go; those not read again stay. */
export function mergePages<T extends { readonly id: string }>(
  before: RowWindow<T>,
  { base, parts, total, around, freeze }: ArrivedPages<T>,
): RowWindow<T> {
  const same = before.base === base;
  const rows = new Map(same ? before.rows : []);
  if (freeze && same) {
    const newest = new Map(parts.flatMap(({ items }) => items.map((item) => [item.id, item] as const)));
    for (const [index, row] of rows) rows.set(index, newest.get(row.id) ?? row);
  }
  for (const { page, items } of parts)
    for (const [i, item] of items.entries()) {
      const index = page * ROWS_PER_PAGE + i;
      if (!freeze || !rows.has(index)) rows.set(index, item);
    }
  for (const index of rows.keys())
    if (index >= total || (rows.size > MAX_KEPT && index >= ROWS_PER_PAGE && Math.abs(index - around) > MAX_KEPT / 4))
      rows.delete(index);
  return { base, rows };
}

/** The pages that hold the rows in sight and the next ones; the first page is read in any case. */
export function pagesForRange(
  { first, last }: { readonly first: number; readonly last: number },
  total: number,
): number[] {
  const from = Math.floor(Math.max(0, first) / ROWS_PER_PAGE);
  const to = Math.floor(Math.max(0, Math.min(last + ROWS_PER_PAGE / 2, total) - 1) / ROWS_PER_PAGE);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i).filter((page) => page > 0);
}
