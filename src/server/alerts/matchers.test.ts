import { expect, it } from 'vitest';
import { processorMs } from '../../lib/processor-time.fixture.ts';
import { bounded, createMatching } from './matchers.ts';

const compile = bounded(createMatching());
const of = (...values: string[]) => values.map((value) => ({ name: 'n', op: '=~', value }) as const);

it('takes alternatives and small repetitions', () => {
  expect(compile(of('warning|critical', '[a-z]{1,63}'))({ n: 'warning' })).toBe(true);
});

it.each([['a{1000}'.repeat(140)], ['(?:.{0,30}){33}'.repeat(60)], ['[^x]{900}', '[^y]{900}']])(
  'refuses what would hold the master up (%s)',
  (...values) => {
    const ms = processorMs(() =>
      expect(() => compile(of(...values))({ n: 'a'.repeat(1000) })).toThrow(/expand to more than 1000 steps/),
    );
    expect(ms).toBeLessThan(500);
  },
);
