import fc from 'fast-check';
import jsonata from 'jsonata';
import { expect, it } from 'vitest';
import { parseJson } from '../../lib/json.ts';
import { compileFastPath, UNDECIDED } from './fast-path.ts';
import type { Ast } from './ast.ts';

const quick = (source: string) => compileFastPath(jsonata(source).ast() as unknown as Ast);

it.each([
  ['$uppercase(content)', { content: 'a' }, 'A'],
  ['{ "content": $uppercase(content), "n": a.b }', { content: 'a', a: {} }, { content: 'A' }],
  ['$boolean((a > 1\n))', { a: 2 }, true],
  ['a ? "yes" : "no"', { a: false }, 'no'],
  ['first & " " & last & n', { first: 'A', last: 'B', n: 3 }, 'A B3'],
  ['price * (1 + tax)', { price: 10, tax: 0.5 }, 15],
  ['a = "x" and b != 1', { a: 'x', b: 2 }, true],
  ['$', { a: 1 }, { a: 1 }],
])('%s is decided', (source, input, value) => expect(quick(source)?.(input)).toEqual(value));

it.each([
  ['a.b', { a: [{ b: 1 }] }],
  ['a', { a: [] }],
  ['$uppercase(a)', {}],
  ['$uppercase(a)', { a: 1 }],
  ['a + 1', { a: '1' }],
  ['a + 1', {}],
  ['a / 0', { a: 1 }],
  ['a = 1', {}],
  ['a = b', { a: {}, b: {} }],
  ['a < b', { a: 1, b: '2' }],
  ['a & 1.5', { a: 'x' }],
  ['a ? 1 : 2', { a: 'x' }],
  ['$', [1]],
  ['$', null],
  ['a = 9007199254740993', parseJson('{"a": 9007199254740993}')],
])('%s on %j is left to the evaluator', (source, input) => expect(quick(source)?.(input)).toBe(UNDECIDED));

it.each([
  'a[0]',
  'a[b = 1]',
  'a.$uppercase(b)',
  '$sum(a)',
  '[a]',
  'a[]',
  '{a: 1}',
  '{"a": 1, "a": 2}',
  '{"__proto__": 1}',
  '($x := 1; $x)',
  'a ~> $uppercase',
  '$uppercase()',
  '$uppercase',
  'a^(b)',
  '-a',
  'a.*',
  'a in b',
  'a{b: c}',
  '$$.a@$x',
])('%s has no quick form', (source) => expect(quick(source)).toBeNull());

it('a raw number passes untouched', () =>
  expect(JSON.stringify(quick('{"id": a.id}')?.(parseJson('{"a": {"id": 9007199254740993}}')))).toBe(
    '{"id":9007199254740993}',
  ));

it('what it decides is what the evaluator gives', async () => {
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<unknown>(null, 0, -0, 1, -1, 1.5, 1e21, 123456789012345, '', 'x', 'ß', '1', true, false),
      fc.array(tie('json'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'constructor'), tie('json'), { maxKeys: 3 }),
    ),
  }));
  const input = fc.dictionary(fc.constantFrom('a', 'b', 'c'), json, { maxKeys: 3 });
  const { expression } = fc.letrec<{ expression: string }>((tie) => {
    const one = tie('expression');
    return {
      expression: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        fc.constantFrom(
          'a',
          'b',
          'a.b',
          'b.c',
          '$.a',
          '$$.c',
          '$',
          'constructor',
          'a.constructor',
          '"x"',
          '""',
          '1',
          '0',
          '2.5',
          'true',
          'false',
          'null',
        ),
        fc
          .tuple(fc.constantFrom('+', '-', '*', '/', '<', '<=', '>', '>=', '=', '!=', 'and', 'or', '&'), one, one)
          .map(([by, l, r]) => `(${l}) ${by} (${r})`),
        fc.tuple(one, one, one).map(([c, t, e]) => `(${c}) ? (${t}) : (${e})`),
        fc.tuple(one, one).map(([c, t]) => `(${c}) ? (${t})`),
        fc.tuple(one, one).map(([x, y]) => `{"p": ${x}, "1": ${y}}`),
        fc
          .tuple(fc.constantFrom('uppercase', 'lowercase', 'string', 'exists', 'not', 'boolean'), one)
          .map(([f, x]) => `$${f}(${x})`),
      ),
    };
  });
  let decided = 0;
  await fc.assert(
    fc.asyncProperty(expression, input, async (source, value) => {
      const run = quick(source);
      if (run === null) return;
      const mine = run(value);
      if (mine === UNDECIDED) return;
      decided++;
      const theirs: unknown = await jsonata(source).evaluate(value);
      expect(JSON.stringify(mine)).toBe(JSON.stringify(theirs));
    }),
    { numRuns: 3000 },
  );
  expect(decided).toBeGreaterThan(250);
});
