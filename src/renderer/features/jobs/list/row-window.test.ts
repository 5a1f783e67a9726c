import { expect, it } from 'vitest';
import { pagesForRange, type RowWindow, mergePages } from './row-window.ts';

const row = (id: string, n = 1) => ({ id, n });
type Row = ReturnType<typeof row>;
const ids = ({ rows }: RowWindow<Row>) =>
  Object.fromEntries([...rows].map(([index, { id, n }]) => [index, `${id}${n}`]));
const none: RowWindow<Row> = { base: '', rows: new Map() };
const arrive = { base: 'x', total: 1000, around: 0, freeze: false };

it('puts pages where they belong and keeps what was not read again', () => {
  const first = mergePages(none, { ...arrive, parts: [{ page: 0, items: [row('a'), row('b')] }] });
  const then = mergePages(first, { ...arrive, parts: [{ page: 2, items: [row('z')] }] });
  expect(ids(then)).toEqual({ 0: 'a1', 1: 'b1', 200: 'z1' });
  expect(ids(mergePages(then, { ...arrive, total: 1, parts: [{ page: 0, items: [row('a', 2)] }] }))).toEqual({
    0: 'a2',
  });
});
it('lets go of the rows of another question', () => {
  const first = mergePages(none, { ...arrive, parts: [{ page: 3, items: [row('a')] }] });
  expect(ids(mergePages(first, { ...arrive, base: 'y', parts: [{ page: 0, items: [row('b')] }] }))).toEqual({
    0: 'b1',
  });
});
it('keeps places while frozen, and takes in changes of the rows themselves', () => {
  const first = mergePages(none, { ...arrive, parts: [{ page: 0, items: [row('b'), row('a')] }] });
  expect(
    ids(
      mergePages(first, { ...arrive, freeze: true, parts: [{ page: 0, items: [row('c'), row('b', 2), row('a', 3)] }] }),
    ),
  ).toEqual({ 0: 'b2', 1: 'a3', 2: 'a3' });
});
it('remembers a bounded number of rows around those in sight', () => {
  let rows = none;
  for (let page = 0; page < 80; page++)
    rows = mergePages(rows, {
      ...arrive,
      total: 8000,
      around: page * 100,
      parts: [{ page, items: Array.from({ length: 100 }, (_, i) => row(`${page}.${i}`)) }],
    });
  expect(rows.rows.size).toBeLessThan(4200);
  expect(rows.rows.has(7999)).toBe(true);
});
it('reads the pages in sight and the next one in time', () => {
  expect(pagesForRange({ first: 0, last: 30 }, 1e6)).toEqual([]);
  expect(pagesForRange({ first: 40, last: 70 }, 1e6)).toEqual([1]);
  expect(pagesForRange({ first: 950_090, last: 950_130 }, 1e6)).toEqual([9500, 9501]);
  expect(pagesForRange({ first: 980, last: 1040 }, 1000)).toEqual([9]);
});
