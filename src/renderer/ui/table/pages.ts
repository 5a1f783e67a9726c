import type { TablePage } from './types.ts';

/** The pages of a list for its table; none while it is still read. `go` takes what changes: another size begins at the first page. */
export const tablePage = (
  list: { readonly totalItems: number; readonly totalPages: number } | undefined,
  { page, size }: { page: number; size: number },
  go: (change: { page: number; size?: number }) => void,
): TablePage => ({
  page,
  size,
  totalItems: list?.totalItems ?? 0,
  totalPages: list?.totalPages ?? 0,
  onPage: (next) => go({ page: next }),
  onSize: (next) => go({ page: 0, size: next }),
});
