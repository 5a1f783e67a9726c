import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorMs } from '../../lib/processor-time.fixture.ts';
import { parseIgnoredPaths } from './ignored-paths.ts';

const word = fc.constantFrom('a', 'b', '*', '0', '', 'a~1b');
const path = fc.array(word, { maxLength: 5 }).map((words) => words.map((one) => `/${one}`).join(''));

describe('ignoredBy', () => {
  it('takes any index or key for a star, and what lies under a place with it', () => {
    const { holds, isEmpty } = parseIgnoredPaths(['/at', '/items/*/id']);
    expect([isEmpty, parseIgnoredPaths([]).isEmpty]).toEqual([false, true]);
    expect(['/at', '/at/year', '/items/7/id', '/items/*/id'].map(holds)).toEqual([true, true, true, true]);
    expect(['', '/atlas', '/items', '/items/7', '/items/7/name'].map(holds)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(['', '/any'].map(parseIgnoredPaths(['']).holds)).toEqual([true, true]);
  });

  it('says what holding a path against each pattern says', () => {
    const against = (pattern: string, given: string): boolean => {
      const [wanted, steps] = [pattern.split('/'), given.split('/')];
      return wanted.length <= steps.length && wanted.every((step, i) => step === steps[i] || (step === '*' && i > 0));
    };
    fc.assert(
      fc.property(
        fc.array(path, { maxLength: 6 }),
        path,
        (patterns, given) =>
          parseIgnoredPaths(patterns).holds(given) === patterns.some((pattern) => against(pattern, given)),
      ),
    );
  });

  it('does not hold every path of a replay against every pattern', () => {
    const { holds } = parseIgnoredPaths(Array.from({ length: 200 }, (_, i) => `/*/*/*/x${i}/y`));
    let held = 0;
    const took = processorMs(() => {
      for (let i = 0; i < 50_000; i++) if (holds(`/a/b/c/x${i % 50}/z`)) held++;
    });
    expect(held).toBe(0);
    expect(took).toBeLessThan(5000);
  });
});
