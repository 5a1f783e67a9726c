import { expect, it } from 'vitest';
import { paged } from './pages.ts';

const queryOf = <T>(data: T) => ({
  data,
  isPending: data === undefined,
  isFetching: false,
  error: null,
  dataUpdatedAt: 0,
  refetch: () => undefined,
});

it('goes from page to page, and to the first one where the size changes', () => {
  const went: unknown[] = [];
  const query = queryOf({ items: ['a'], totalItems: 120, totalPages: 3 });
  const shown = paged(query, { page: 2, size: 50 }, (change) => went.push(change));
  shown.page.onPage(1);
  shown.page.onSize(100);
  expect(shown).toMatchObject({
    rows: ['a'],
    query,
    page: { page: 2, size: 50, totalItems: 120, totalPages: 3 },
  });
  expect(went).toEqual([{ page: 1 }, { page: 0, size: 100 }]);
});

it('has none while its list is read', () => {
  const { rows, page } = paged(queryOf(undefined), { page: 0, size: 50 }, () => undefined);
  expect(rows).toBeUndefined();
  expect(page).toMatchObject({ totalItems: 0, totalPages: 0 });
});
