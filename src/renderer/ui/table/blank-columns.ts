import { useRef, useState } from 'react';
import type { DataColumn } from './types.ts';

/** What was found in a table before, by its `storageKey`: it begins like that when it is opened again. */
const before = new Map<string, ReadonlySet<string>>();

type Asked<T> = readonly Pick<DataColumn<T>, 'id' | 'blank'>[];

/** Ids of the columns that have something in one of these rows, of those that may be blank; null: there are no rows. */
export function findFilledColumns<T>(columns: Asked<T>, rows: Iterable<T | undefined>): Set<string> | null {
  const asked = columns.filter((column) => column.blank !== undefined);
  const filled = new Set<string>();
  let any = false;
  for (const row of rows) {
    if (row === undefined) continue;
    any = true;
    for (const { id, blank } of asked) if (blank?.(row) === false) filled.add(id);
  }
  return any ? filled : null;
}

/**
 * Columns that are blank in every row that was seen give their room to the others. One with something in it stays, also
 * where that is scrolled out of sight, until there are other rows (`version`). Before any row is there, all of them show.
 */
export function useBlankColumns<T>(
  columns: Asked<T>,
  version: string,
  storageKey: string | undefined,
): { blank: readonly string[]; look(rows: Iterable<T | undefined>): void } {
  const [filled, setFilled] = useState<ReadonlySet<string> | null>(() =>
    storageKey === undefined ? null : (before.get(storageKey) ?? null),
  );
  const seen = useRef<string | null>(null);
  const last = useRef<{ readonly rows: unknown; readonly columns: unknown } | null>(null);
  const blank =
    filled === null ? [] : columns.flatMap(({ id, blank: may }) => (may === undefined || filled.has(id) ? [] : [id]));
  return {
    blank,
    look(rows) {
      const again = seen.current === version;
      // What is shown already is not asked for again, nor is what was looked at: this runs with every row that is scrolled into sight.
      if (again && (blank.length === 0 || (last.current?.rows === rows && last.current.columns === columns))) return;
      last.current = { rows, columns };
      const now = findFilledColumns(columns, rows);
      if (now === null) return;
      seen.current = version;
      const next = again ? new Set([...(filled ?? []), ...now]) : now;
      if (filled !== null && next.size === filled.size && [...next].every((id) => filled.has(id))) return;
      if (storageKey !== undefined) before.set(storageKey, next);
      setFilled(next);
    },
  };
}
