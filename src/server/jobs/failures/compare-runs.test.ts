import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../lib/json.ts';
import { scalarsOf } from '../search/terms.ts';
import { compareRuns, type Run } from './compare-runs.ts';

const run = (input: unknown, more: Partial<Run> = {}): Run => ({
  worker: 'w',
  commit: 'c',
  environment: 'prod',
  hour: '12:00',
  fields: scalarsOf(parseJson(JSON.stringify(input)), { searchFields: 100, searchDepth: 8 }),
  ...more,
});
const many = (count: number, input: (i: number) => unknown, more: Partial<Run> = {}) =>
  Array.from({ length: count }, (_, i) => run(input(i), more));

describe('what sets failures apart', () => {
  it('is a field that only they lack; of one that is missing as a whole the parts are not named', () => {
    const failures = many(20, (i) => ({ id: i }));
    const successes = many(40, (i) => ({ id: i, customer: { name: 'x', email: 'y' } }));
    expect(compareRuns(failures, successes)).toEqual([
      { kind: 'missing', path: 'customer', value: '', failures: 1, successes: 0 },
    ]);
  });

  it('is the type of a field', () => {
    const failures = many(20, (i) => ({ amount: String(i) }));
    expect(
      compareRuns(
        failures,
        many(40, (i) => ({ amount: i })),
      ),
    ).toEqual([{ kind: 'type', path: 'amount', value: 'string', failures: 1, successes: 0 }]);
  });

  it('is a bound of a number, where the numbers are many', () => {
    const failures = many(20, (i) => ({ amount: 1000 + i }));
    const successes = many(60, (i) => ({ amount: i * 10 }));
    expect(compareRuns(failures, successes)).toEqual([
      { kind: 'range', path: 'amount', value: '≥ 1000', failures: 1, successes: 0 },
    ]);
    expect(
      compareRuns(
        many(20, (i) => ({ amount: i })),
        many(60, (i) => ({ amount: i % 20 })),
      ),
    ).toEqual([]);
  });

  it('is an hour, a worker or a version', () => {
    const failures = many(20, () => ({}), { hour: '03:00', worker: 'bad', commit: 'new' });
    expect(
      compareRuns(
        failures,
        many(40, () => ({})),
      ).map(({ kind, value }) => [kind, value]),
    ).toEqual([
      ['worker', 'bad'],
      ['commit', 'new'],
      ['hour', '03:00'],
    ]);
  });

  it('is with few runs what separates them completely: a field that all failures lack, or their type of it', () => {
    const without = many(3, (i) => ({ id: i }));
    const fewRuns = { failures: 3, successes: 7 };
    expect(
      compareRuns(
        without,
        many(7, (i) => ({ id: i, items: [{ sku: 'a' }] })),
      ),
    ).toEqual([{ kind: 'missing', path: 'items', value: '', failures: 1, successes: 0, fewRuns }]);
    expect(
      compareRuns(
        many(3, (i) => ({ amount: String(i) })),
        many(7, (i) => ({ amount: i })),
      ),
    ).toEqual([{ kind: 'type', path: 'amount', value: 'string', failures: 1, successes: 0, fewRuns }]);
    // One success lacks it too.
    expect(
      compareRuns(
        without,
        many(7, (i) => (i === 0 ? { id: i } : { id: i, items: [] })),
      ),
    ).toEqual([]);
    // One success whose input is not known.
    expect(compareRuns(without, [...many(7, (i) => ({ id: i, items: ['a'] })), run({}, { fields: null })])).toEqual([]);
  });

  it('is nothing where runs are so few that chance would separate them as well, or only their values differ', () => {
    const without = (count: number) => many(count, (i) => ({ id: i }));
    const having = (count: number) => many(count, (i) => ({ id: i, items: 1 }));
    expect(compareRuns(without(3), having(4))).toEqual([]);
    expect(compareRuns(without(2), having(40))).toEqual([]);
    expect(
      compareRuns(
        many(3, () => ({ country: 'DE' }), { hour: '03:00', worker: 'bad' }),
        many(7, () => ({ country: 'FR' })),
      ),
    ).toEqual([]);
  });

  it('is no worker, hour or value where only the successes are few', () => {
    const failures = many(20, (i) => ({ id: i, country: 'DE' }), { worker: 'w1', hour: '03:00' });
    const successes = many(3, (i) => ({ id: i, country: 'FR', items: 1 }), { worker: 'w2', hour: '02:00' });
    expect(compareRuns(failures, successes)).toEqual([
      { kind: 'missing', path: 'items', value: '', failures: 1, successes: 0, fewRuns: { failures: 20, successes: 3 } },
    ]);
  });

  it('is nothing where they are alike', () => {
    const alike = (i: number) => ({
      amount: i,
      country: i % 2 === 0 ? 'DE' : 'FR',
      ...(i % 3 === 0 ? { tag: 'x' } : {}),
    });
    expect(compareRuns(many(30, alike), many(30, alike))).toEqual([]);
  });
});
