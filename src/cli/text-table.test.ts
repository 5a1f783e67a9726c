import { expect, it } from 'vitest';
import { duration, table } from './text-table.ts';

it('aligns texts to the left, numbers to the right, and leaves no trailing white', () => {
  expect(
    table(
      ['id', 'count', 'note'],
      [
        ['a', 5, null],
        ['long', 1234, 'x'],
      ],
      'none',
    ),
  ).toEqual([
    'ID    COUNT  NOTE', //
    'a         5  -',
    'long   1234  x',
  ]);
});

it('says that there is nothing', () => expect(table(['id'], [], 'no jobs')).toEqual(['no jobs']));

it('lets no control character reach the terminal', () =>
  expect(table(['a'], [['x\u001b[31my\n']], '')[1]).toBe('x [31my'));

it('counts the cells of wide characters', () =>
  expect(
    table(
      ['a', 'b'],
      [
        ['漢字', 'x'],
        ['abcd', 'y'],
      ],
      '',
    ),
  ).toEqual(['A     B', '漢字  x', 'abcd  y']));

it.each([
  [null, '-'],
  [340, '340 ms'],
  [2400, '2.4 s'],
  [200_000, '3 min 20 s'],
])('writes %s ms as %s', (ms, text) => expect(duration(ms)).toBe(text));
