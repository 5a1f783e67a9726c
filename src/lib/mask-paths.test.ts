import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maskPathOf, maskPaths } from './mask-paths.ts';

const mask = (value: unknown, paths: string[], whole = true): unknown =>
  JSON.parse(maskPaths(JSON.stringify(value), paths.map(maskPathOf), whole));

it.each(['$.customer.iban', 'customer.iban', '$customer[*].iban'])('%s', (path) => {
  expect(mask([{ customer: { iban: 'DE02', name: 'A' } }], [path])).toEqual([
    { customer: { iban: '[masked]', name: 'A' } },
  ]);
});

it('finds a field through arrays, in any depth, and whatever its value is', () => {
  expect(
    mask({ order: { items: [{ sku: 1 }, { sku: { a: 2 } }], sku: 3 }, items: { sku: null, more: [1] } }, ['items.sku']),
  ).toEqual({
    order: { items: [{ sku: '[masked]' }, { sku: '[masked]' }], sku: 3 },
    items: { sku: '[masked]', more: [1] },
  });
});

it('looks in the payloads of an answer alone, and hides one that was cut', () => {
  expect(mask({ id: 'task', input: { id: 'x' }, items: [{ output: '{"id":"x…', code: 'id' }] }, ['id'], false)).toEqual(
    {
      id: 'task',
      input: { id: '[masked]' },
      items: [{ output: { hidden: true }, code: 'id' }],
    },
  );
});

it('leaves every other number and name as it came', () => {
  const text = '{"n":12345678901234567890,"__proto__":{"iban":1},"iban":2}';
  expect(maskPaths(text, [['iban']], true)).toBe(
    '{"n":12345678901234567890,"__proto__":{"iban":"[masked]"},"iban":"[masked]"}',
  );
});

it('leaves no value under a masked path, and all else alone', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('secret', 1, null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
    ),
  }));
  const leaves = (of: unknown, names: string[] = []): string[][] =>
    Array.isArray(of)
      ? of.flatMap((one) => leaves(one, names))
      : of !== null && typeof of === 'object'
        ? Object.entries(of).flatMap(([name, one]) => leaves(one, [...names, name]))
        : [[...names, String(of)]];
  fc.assert(
    fc.property(value, (given) => {
      const isUnder = (names: string[]) => names.some((name, i) => name === 'a' && names[i + 1] === 'b');
      const made = leaves(mask(given, ['a.b']));
      expect(made.filter((leaf) => isUnder(leaf.slice(0, -1)) && leaf.at(-1) !== '[masked]')).toEqual([]);
      expect(made.filter((leaf) => leaf.at(-1) !== '[masked]')).toEqual(
        leaves(given).filter((leaf) => !isUnder(leaf.slice(0, -1))),
      );
    }),
  );
});
