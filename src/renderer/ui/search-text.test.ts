import { defaultParseSearch } from '@tanstack/react-router';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textIn, textsIn, wordsIn } from './search-params.ts';
import { searchText } from './search-text.ts';

const read = (text: string) => {
  const search: Record<string, unknown> = defaultParseSearch(text);
  return {
    ...wordsIn(search, 'status', ['FAILED', 'TIMEOUT']),
    ...textsIn(search, 'label'),
    ...textIn(search, 'q'),
  };
};

it('repeats the name of a list, so that an address can be read', () => {
  expect(searchText({ status: ['FAILED'] })).toBe('?status=FAILED');
  expect(searchText({ status: ['FAILED', 'TIMEOUT'], sort: 'id,asc', env: undefined })).toBe(
    '?status=FAILED&status=TIMEOUT&sort=id%2Casc',
  );
  expect(searchText({ workflow: 'orders', row: 7 })).toBe('?workflow=orders&row=7');
  expect(searchText({})).toBe('');
});

it('opens addresses of both forms', () => {
  const status = ['FAILED', 'TIMEOUT'];
  expect(read('?status=%5B%22FAILED%22%2C%22TIMEOUT%22%5D')).toEqual({ status });
  expect(read('?status=FAILED&status=TIMEOUT')).toEqual({ status });
  expect(read('?status=FAILED')).toEqual({ status: ['FAILED'] });
});

it('keeps what would be read as something else', () => {
  for (const view of [{ label: ['1'] }, { label: ['true', '"a"'] }, { q: '12' }])
    expect(read(searchText(view))).toEqual(view);
  expect(defaultParseSearch(searchText({ hide: [], vars: { a: ['b'] } }))).toEqual({ hide: [], vars: { a: ['b'] } });
});

it('loses no text of a list', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (label) => {
      expect(read(searchText({ label }))).toEqual({ label });
    }),
  );
});
