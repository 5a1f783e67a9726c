import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCostMeter } from './meter.ts';
import { linearPattern } from './pattern.ts';

const meter = createCostMeter();
function matches(pattern: string, text: string): boolean {
  meter.refill(1_000_000);
  return linearPattern(pattern, meter).test(text);
}

it.each([
  ['^[a-z]{3}-\\d+$', ['abc-1', 'ab-1', 'abc-', 'xabc-12']],
  ['a|b|', ['', 'c']],
  ['^(?:a|bc){2,3}$', ['abc', 'aaa', 'aaaa', 'a', 'bcbcbc']],
  ['\\bword\\b', ['a word here', 'swordfish', 'word']],
  ['^.$', ['\n', '😀', 'x', '']],
  ['^\\p{Lu}\\u{1F600}?[^\\]x]$', ['Äa', 'A😀b', 'A]', 'ab']],
  ['^[\\w.+-]+@[\\w-]+\\.[\\w.-]+$', ['a@b.c', 'a@b', '@b.c']],
  ['^\\-\\_$', ['-_', '-']],
  ['(a*)*b', ['aaab', 'aaa']],
  ['x{0}y', ['y', 'x']],
  ['^a{2}{', ['aa{']],
])('%s agrees with the engine', (pattern, texts) => {
  let native: RegExp;
  try {
    native = new RegExp(pattern, 'u');
  } catch {
    native = new RegExp(pattern);
  }
  for (const text of texts) expect([text, matches(pattern, text)]).toEqual([text, native.test(text)]);
});

it('agrees with the engine on any small pattern', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '^', '$', '\\b');
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4 },
      atom,
      fc.tuple(tie('pattern'), tie('pattern')).map(([x, y]) => x + y),
      fc.tuple(tie('pattern'), tie('pattern')).map(([x, y]) => `(?:${x}|${y})`),
      fc.tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '*?')).map(([x, q]) => `(?:${x})${q}`),
    ),
  }));
  fc.assert(
    fc.property(
      pattern,
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '\n'), maxLength: 8 }),
      (source, text) => {
        expect(matches(source, text)).toBe(new RegExp(source, 'u').test(text));
      },
    ),
    { numRuns: 2000 },
  );
});
