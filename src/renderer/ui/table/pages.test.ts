import { expect, it } from 'vitest';
import { tablePage } from './pages.ts';

it('goes from page to page, and to the first one where the size changes', () => {
  const went: unknown[] = [];
  const pages = tablePage({ totalItems: 120, totalPages: 3 }, { page: 2, size: 50 }, (change) => went.push(change));
  pages.onPage(1);
  pages.onSize(100);
  expect(pages).toMatchObject({ page: 2, size: 50, totalItems: 120, totalPages: 3 });
  expect(went).toEqual([{ page: 1 }, { page: 0, size: 100 }]);
});

it('has none while its list is read', () => {
  expect(tablePage(undefined, { page: 0, size: 50 }, () => undefined)).toMatchObject({ totalItems: 0, totalPages: 0 });
});
