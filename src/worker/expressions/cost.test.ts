import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileExpression } from './compile.ts';

it.each([
  ['$uppercase(content)', true],
  ['items.{"name": name, "total": price * $$.rate}', true],
  ['items[price > $$.most].name', true],
  ['$join(items.name, ", ")', true],
  ['$replace(name, "a", "b")', true],
  ['($a := price * 2; items.{"price": $a})', true],
  ['items{category: $sum(price)}', true],
  ['items.$$', false],
  ['items.{"all": $$.items}', false],
  ['($a := items; items.{"all": $a})', false],
  ['$join(items, sep)', false],
  ['$replace(name, "a", name)', false],
  ['($a := $ & $; $b := $a & $a; $c := $b & $b; $d := $c & $c; $e := $d & $d; $f := $e & $e; $f)', false],
  ['$.($ & $).($ & $).($ & $).($ & $).($ & $).($ & $)', false],
  ['$.{"a": $, "b": $}.{"a": $, "b": $}.{"a": $, "b": $}.{"a": $, "b": $}.{"a": $, "b": $}.{"a": $, "b": $}', false],
  ['**', false],
  ['items#$i.name', false],
  ['items^(price)', false],
  ['a.b.%.c', false],
  [`"${'x'.repeat(20_000)}"`, false],
])('%s is cheap: %s', (source, cheap) => expect(compileExpression(source, 100).cheap).toBe(cheap));

it('what a cheap expression makes is bounded by its input', async () => {
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { depthSize: 'large', maxDepth: 9, withCrossShrink: true },
      fc.constantFrom('$', '$$', 'a', 'a.b', '"text"', '$v', '$w'),
      fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a} & ${b})`),
      fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `{"x": ${a}, "y": ${b}}`),
      fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `[${a}, ${b}]`),
      fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}).(${b})`),
      fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `($v := ${a}; $w := [$v, $v]; ${b})`),
      fc
        .tuple(fc.constantFrom('$string', '$append', '$join', '$merge', '$reverse', '$keys'), tie('expression'))
        .map(([f, a]) => `${f}(${a}${f === '$append' ? `, ${a}` : ''})`),
    ),
  }));
  const input = { a: [{ b: 'one' }, { b: ['"', '\u0001\u0002'] }, [1, 2, 3]], c: 'x' };
  const size = JSON.stringify(input).length;
  let cheap = 0;
  await fc.assert(
    fc.asyncProperty(expression, async (source) => {
      const compiled = compileExpression(source, 600_000);
      if (!compiled.cheap) return;
      cheap++;
      const text = JSON.stringify(await compiled.evaluate(input).catch(() => null)) ?? '';
      expect(text.length).toBeLessThanOrEqual(32 * (size + source.length) + 1000);
    }),
    { numRuns: 3000 },
  );
  expect(cheap).toBeGreaterThan(200);
});
