import { expect, it } from 'vitest';
import { steady } from './steady.ts';

interface Row {
  id: string;
  n: number;
}
const idOf = (row: Row) => row.id;
const shown: Row[] = [
  { id: 'b', n: 1 },
  { id: 'a', n: 1 },
];
const fresh: Row[] = [
  { id: 'c', n: 1 },
  { id: 'b', n: 2 },
];

it('shows the newest answer as it is when nothing is held', () => {
  expect(steady(shown, fresh, idOf, false)).toEqual({ rows: fresh, news: 0 });
  expect(steady(undefined, fresh, idOf, true)).toEqual({ rows: fresh, news: 0 });
  expect(steady(shown, undefined, idOf, true)).toBeUndefined();
});
it('keeps places while held, takes in changes and counts what is new', () => {
  expect(steady(shown, fresh, idOf, true)).toEqual({
    rows: [
      { id: 'b', n: 2 },
      { id: 'a', n: 1 },
    ],
    news: 1,
  });
});
