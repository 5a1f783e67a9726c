import { expect, it } from 'vitest';
import { filledIn } from './blank-columns.ts';

const columns = [{ id: 'name' }, { id: 'note', blank: (row: { note: string }) => row.note === '' }];

it('finds the columns that have something in one of the rows', () => {
  expect(filledIn(columns, [{ note: '' }, undefined, { note: 'x' }])).toEqual(new Set(['note']));
  expect(filledIn(columns, [{ note: '' }])).toEqual(new Set());
});
it('tells nothing before there are rows', () => {
  expect(filledIn(columns, [])).toBeNull();
  expect(filledIn(columns, [undefined])).toBeNull();
});
