import { expect, it } from 'vitest';
import { lineDiff } from './line-diff.ts';

const shown = (before: string, after: string) =>
  lineDiff(before, after).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`);

it('keeps the lines that stand in both', () => {
  expect(shown('a\nb\nc\nd', 'a\nx\nc\nd\ne')).toEqual([' a', '-b', '+x', ' c', ' d', '+e']);
  expect(shown('a\nb', 'a\nb')).toEqual([' a', ' b']);
  expect(shown('a\na', 'a\na\na')).toEqual([' a', ' a', '+a']);
  expect(shown('one', 'two')).toEqual(['-one', '+two']);
});

it('tells texts that are too long to be compared as replaced, around what they share', () => {
  const long = (word: string) => ['head', ...Array.from({ length: 2100 }, (_, i) => `${word} ${i}`), 'tail'].join('\n');
  const lines = lineDiff(long('a'), long('b'));
  expect(lines).toHaveLength(2 + 2 * 2100);
  expect([lines[0], lines.at(-1)]).toEqual([
    { kind: 'same', text: 'head' },
    { kind: 'same', text: 'tail' },
  ]);
});
