import { expect, it } from 'vitest';
import { splitItems } from './report.ts';

it('reports the items of a forEach in chunks', () => {
  expect(splitItems([])).toEqual([{ first: 0, items: '[]', more: false }]);
  const chunks = splitItems(Array.from({ length: 1201 }, (_, i) => String(i)));
  expect(chunks.map(({ first, more }) => [first, more])).toEqual([
    [0, true],
    [500, true],
    [1000, false],
  ]);
  expect(chunks.flatMap(({ items }) => JSON.parse(items) as number[])).toEqual(
    Array.from({ length: 1201 }, (_, i) => i),
  );
  expect(splitItems(['x'.repeat(70_000), '1'].map((text) => JSON.stringify(text)))).toHaveLength(2);
});
