import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseField, parsePath, pathText } from './field-path.ts';

it.each([
  ['customer.id', ['customer', 'id']],
  ['$.customer.id', ['customer', 'id']],
  ['items[*].sku', ['items', 'sku']],
  ['items[].sku', ['items', 'sku']],
  ['items.sku', ['items', 'sku']],
  ["$['odd.name']['it\\'s'].x", ['odd.name', "it's", 'x']],
  ['a["b=c"]', ['a', 'b=c']],
  ['größe-1', ['größe-1']],
  ['$', []],
  ['$dollar', ['$dollar']],
])('%s', (text, names) => {
  expect(parsePath(text)).toEqual(names);
});

it.each(['items[0].sku', 'a..b', 'a b', "a['b", 'a.', '['])('refuses %s and says how paths are written', (text) => {
  expect(() => parsePath(text)).toThrow('is not a valid path');
});

it('cuts a field at the first equals sign outside quoted names', () => {
  expect(parseField('a.b=c=d')).toEqual({ path: ['a', 'b'], value: 'c=d' });
  expect(parseField('["a=b"]=c')).toEqual({ path: ['a=b'], value: 'c' });
  expect(parseField('a=')).toEqual({ path: ['a'], value: '' });
  for (const text of ['a', '=b', "['a=b"]) expect(() => parseField(text)).toThrow('path');
});

it('reads every path that it writes', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.string({ minLength: 1, maxLength: 8 }), fc.constantFrom('\n', '\\', '"', "'", 'a"]', '$', 'é')),
        { maxLength: 5 },
      ),
      (names) => {
        expect(parsePath(pathText(names))).toEqual(names);
      },
    ),
  );
});
