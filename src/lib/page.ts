import type { Page } from '../contract/shapes.ts';

interface Wanted {
  readonly page: number;
  readonly size: number;
}

/** What is on a page of a list of `totalItems`. */
export const pageOf = <T>(items: T[], { page, size }: Wanted, totalItems: number): Page<T> => ({
  items,
  page,
  size,
  totalItems,
  totalPages: Math.ceil(totalItems / size),
});

/** A page of a list that is in memory; `view` makes of an item what is shown. */
export const paginate = <A, B>(all: readonly A[], wanted: Wanted, view: (item: A) => B): Page<B> =>
  pageOf(all.slice(wanted.page * wanted.size, (wanted.page + 1) * wanted.size).map(view), wanted, all.length);
