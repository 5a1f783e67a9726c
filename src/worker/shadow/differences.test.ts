import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../lib/json.ts';
import { findDifferences } from './differences.ts';

const LIMITS = { items: 50, patterns: 50, characters: 40 };

describe('differencesOf', () => {
  it('names each place with what stood there and what stands there now', () => {
    const before = { a: 1, list: [{ at: 1, x: 'y' }, { at: 2 }], gone: true, 'a/b': 1 };
    const after = { a: 1, list: [{ at: 9, x: 'y' }, { at: 8 }, { at: 7 }], 'a/b': [1] };
    expect(findDifferences(before, after, LIMITS)).toEqual({
      items: [
        { path: '/gone', kind: 'removed', before: 'true', after: null },
        { path: '/list/2', kind: 'added', before: null, after: '{"at":7}' },
        { path: '/list/0/at', kind: 'changed', before: '1', after: '9' },
        { path: '/list/1/at', kind: 'changed', before: '2', after: '8' },
        { path: '/a~1b', kind: 'changed', before: '1', after: '[1]' },
      ],
      patterns: ['/gone', '/list/*', '/list/*/at', '/a~1b'],
      total: 5,
      complete: true,
    });
  });

  it('tells numbers apart that no double holds', () => {
    const one = parseJson('{"id":12345678901234567890}');
    expect(findDifferences(one, parseJson('{"id":12345678901234567891}'), LIMITS).total).toBe(1);
    expect(findDifferences(one, parseJson('{"id":12345678901234567890}'), LIMITS).total).toBe(0);
  });

  it('ends with a bound, and says so', () => {
    const wide = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, i]));
    const { items, patterns, total, complete } = findDifferences({}, wide, LIMITS);
    expect([items.length, patterns.length, total, complete]).toEqual([50, 50, 200, false]);
    expect(
      findDifferences(
        [],
        Array.from({ length: 20_000 }, () => 1),
        LIMITS,
      ),
    ).toMatchObject({ patterns: ['/*'] });
  });

  it('cuts paths whose keys are long', () => {
    const key = 'k'.repeat(100_000);
    const of = (start: number) => ({
      [key]: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}`, start + i])),
    });
    const { items, patterns, total, complete } = findDifferences(of(0), of(1), LIMITS);
    expect([items.length, patterns, total, complete]).toEqual([50, [], 60, false]);
    expect(Math.max(...items.map(({ path }) => path.length))).toBe(501);
  });

  it('finds none exactly where two values are the same', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (a, b) => {
        const [x, y] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))];
        expect(findDifferences(x, JSON.parse(JSON.stringify(x)), LIMITS).total).toBe(0);
        let same = true;
        try {
          expect(x).toEqual(y);
        } catch {
          same = false;
        }
        expect(findDifferences(x, y, LIMITS).total === 0).toBe(same);
      }),
    );
  });
});
