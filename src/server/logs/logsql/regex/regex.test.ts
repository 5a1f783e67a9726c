import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../../lib/processor-time.fixture.ts';
import { literalsOf, wholeLiteral } from './literals.ts';
import { parsePlain, sourceOf } from './parse.ts';
import { readQuery } from '../parse.ts';
import { programSize } from '../../../../lib/regex-size.ts';
import { maxSafeLength, regexTest } from './regex.ts';

const safe = (pattern: string): number => {
  const plain = parsePlain(pattern);
  return plain === null ? 0 : maxSafeLength(plain.node);
};

describe('the backtracking engine', () => {
  it.each(['abc', 'a|b', 'tim.out', '[a-z]{3}', '^error', 'a.c$', '(?:a|b)c', '\\d\\d:\\d\\d'])(
    'may run %s on any line',
    (pattern) => expect(safe(pattern)).toBeGreaterThanOrEqual((1024 * 1024) / 16),
  );
  it.each(['a.*b', '\\d+ ms', 'x[^"]*"'])('may run %s on short lines only', (pattern) => {
    expect(safe(pattern)).toBeGreaterThan(200);
    expect(safe(pattern)).toBeLessThan(5000);
  });
  it.each([
    '(a+)+$',
    '(a*)*b',
    '(?:a|aa)+$',
    '(x+x+)+y',
    '(.*)*z',
    `${'a?'.repeat(40)}${'a'.repeat(40)}`,
    '.*.*.*.*.*.*=x',
    '(a|b){1,50}',
  ])('never runs %s', (pattern) => expect(safe(pattern)).toBeLessThan(10));
  it.each([
    '\\pL',
    '[[:alpha:]]',
    '(?m)^a',
    'a(?i)b',
    '\\Aa',
    '(?=a)',
    'a**',
    '[z-a]',
    'a{2,1}',
    '\\1',
    '(?U)a',
    '(a',
    'a)',
  ])('is not told what %s means', (pattern) => expect(parsePlain(pattern)).toBeNull());
});

describe('regular expressions', () => {
  const atom = fc.constantFrom(
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    '\\d',
    '\\w',
    '\\s',
    '\\.',
    'é',
    '\\x41',
    '^',
    '$',
    '\\b',
    '-',
    '[a-c-]',
    '[\\]x]',
  );
  const pattern = fc.letrec<{ one: string; many: string }>((tie) => ({
    one: fc.oneof(
      { maxDepth: 3 },
      atom,
      fc
        .tuple(tie('one'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '*?', '{0,2}?'))
        .map(([inner, times]) => `(?:${inner})${times}`),
      fc.tuple(atom, fc.constantFrom('*', '+', '?', '{2,}')).map(([inner, times]) => inner + times),
      tie('many').map((inner) => `(${inner})`),
    ),
    many: fc.oneof(
      { maxDepth: 3 },
      fc.array(tie('one'), { maxLength: 4 }).map((parts) => parts.join('')),
      fc.tuple(tie('many'), tie('many')).map(([a, b]) => `${a}|${b}`),
    ),
  })).many;
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'A', '1', ' ', '.', '-', '\n', 'é', '😀', '_', ']'),
    maxLength: 12,
  });

  it('mean the same in both engines', () => {
    fc.assert(
      fc.property(pattern, text, fc.boolean(), (given, value, anchored) => {
        let linear: RE2JS;
        try {
          linear = RE2JS.compile(given, RE2JS.DOTALL);
        } catch {
          return;
        }
        const plain = parsePlain(given);
        const expected = anchored ? linear.testExact(value) : linear.test(value);
        if (plain !== null)
          expect(new RegExp(anchored ? `^(?:${sourceOf(plain.node)})$` : sourceOf(plain.node), 'su').test(value)).toBe(
            expected,
          );
        expect(regexTest(given, anchored)(value)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('have one of their literals in each match', () => {
    fc.assert(
      fc.property(pattern, text, (given, value) => {
        const literals = literalsOf(given);
        if (literals === null) return;
        if (regexTest(given, false)(value)) expect(literals.some((literal) => value.includes(literal))).toBe(true);
        const whole = wholeLiteral(given);
        if (whole !== null) expect(value.includes(whole)).toBe(regexTest(given, false)(value));
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['(a+)+$', '(a*)*b', '(?:a|aa)+$', 'a*a*a*a*a*b', '(.*)(.*)(.*)[^a]x', '(?:a?){30}a{30}$'])(
    'end in time that grows with the line: %s',
    (pattern) => {
      const test = regexTest(pattern, false);
      const line = `${'a'.repeat(100_000)}!`;
      // Backtracking would take longer than the world is old.
      expect(processorMs(() => test(line))).toBeLessThan(20_000);
    },
  );
});

describe('the size of an expression', () => {
  it.each([
    ['abc', 3],
    ['a{50}', 50],
    ['(ab){50}', 200],
    ['[a-z[:alpha:]\\]]{3}', 3],
    ['\\pL{9}', 9],
    ['a{2,}', 3],
    ['a{,5}', 5],
    ['((a{10}){10}){10}', 1220],
    ['a|b*', 4],
  ])('%s counts %i', (pattern, size) => expect(programSize(pattern)).toBe(size));
  it.each(['((a{100}){100}){100}', '.{1000}.{1000}.{1000}', `(?i)${'[a-z]{500}'.repeat(50)}`])(
    'keeps out %s',
    (pattern) => expect(() => readQuery(`x:~"${pattern}"`)).toThrow(/expands to \d+ steps/),
  );
  it('is bounded for all expressions of a query', () =>
    expect(() => readQuery('~".{1000}" '.repeat(50))).toThrow(/too long in total/));
});
