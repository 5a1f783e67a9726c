import { useState } from 'react';
import type { TablePage, TableQuery } from './types.ts';

/** A list as the server counts it. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly totalItems: number;
  readonly totalPages: number;
}

/** What a table shows of a list that is read in pages. `go` takes what changes: another size begins at the first page. */
export const paged = <T>(
  query: TableQuery & { readonly data: ListPage<T> | undefined },
  { page, size }: { readonly page: number; readonly size: number },
  go: (change: { page: number; size?: number }) => void,
): { rows: readonly T[] | undefined; query: TableQuery; page: TablePage } => ({
  rows: query.data?.items,
  query,
  page: {
    page,
    size,
    totalItems: query.data?.totalItems ?? 0,
    totalPages: query.data?.totalPages ?? 0,
    onPage: (next) => go({ page: next }),
    onSize: (next) => go({ page: 0, size: next }),
  },
});

/** Place in a list that no address names. */
export function usePlace(size = 20) {
  const [place, setPlace] = useState({ page: 0, size });
  return [place, (change: { page: number; size?: number }) => setPlace((old) => ({ ...old, ...change }))] as const;
}
