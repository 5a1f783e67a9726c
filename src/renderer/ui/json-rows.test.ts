import { describe, expect, it } from 'vitest';
import { parseJson } from '../../lib/json.ts';
import { rowsOf, startsOpen } from './json-rows.ts';

const all = () => true;

describe('the lines of a JSON tree', () => {
  it('name each value by its JSON pointer', () => {
    expect(rowsOf({ 'a/b': [1, { '~': null }] }, all).map((row) => row.path)).toEqual(['', '/a~1b', '/a~1b/0', '/a~1b/1', '/a~1b/1/~0']);
  });

  it('walk open branches only', () => {
    const rows = rowsOf({ shut: { deep: 1 }, open: 2 }, (path) => path === '');
    expect(rows.map((row) => row.name)).toEqual([null, 'shut', 'open']);
    expect(rows[1]).toMatchObject({ kind: 'object', text: '1 key', open: false });
  });

  it('show a number that a double cannot hold to the letter', () => {
    expect(rowsOf(parseJson('[12345678901234567890]'), all)[1]).toMatchObject({ kind: 'number', text: '12345678901234567890' });
  });

  it('start with large branches folded', () => {
    expect(startsOpen(Array.from({ length: 101 }), 0, 2)).toBe(false);
    expect(startsOpen([1], 0, 2)).toBe(true);
  });
});
