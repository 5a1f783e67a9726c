import { expect, it } from 'vitest';
import { findFilledColumns } from './blank-columns.ts';

const columns = [{ id: 'name' }, { id: 'note', blank: (row: { note: string }) => row.note === '' }];

it('finds the columns that have something in one of the rows', () => {
  expect(findFilledColumns(columns, [{ note: '' }, undefined, { note: 'x' }])).toEqual(new Set(['note']));
  expect(findFilledColumns(columns, [{ note: '' }])).toEqual(new Set());
});
it('tells nothing before there are rows', () => {
  expect(findFilledColumns(columns, [])).toBeNull();
  expect(findFilledColumns(columns, [undefined])).toBeNull();
});
