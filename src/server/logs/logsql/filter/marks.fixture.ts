import fc from 'fast-check';
import { expect } from 'vitest';
import type { Test } from '../../../../lib/logsql/ast.ts';
import { blockOf } from '../blocks.fixture.ts';
import { frameOf } from '../frame.ts';
import { compileFilter } from './evaluate.ts';
import { valueTest } from './value-test.ts';

/** What is looked for: often a piece of one of the texts. */
const needle = (texts: readonly string[], text: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.tuple(fc.constantFrom(...texts), fc.nat(20), fc.nat(6)).map(([text, from, size]) => text.substr(from, size)),
    text,
  );
const number = fc.constantFrom('-1', '0', '0.1', '1', '1.0', '10', '10.10', '1e3', '123456789.123456789', 'a');
const testOf = (text: fc.Arbitrary<string>): fc.Arbitrary<Test> =>
  fc.oneof(
    fc.record({ kind: fc.constant('phrase' as const), text, prefix: fc.boolean(), fold: fc.boolean() }),
    fc.record({ kind: fc.constant('exact' as const), text, prefix: fc.boolean() }),
    fc.record({ kind: fc.constant('substring' as const), text }),
    fc.record({ kind: fc.constant('seq' as const), texts: fc.array(text, { minLength: 1, maxLength: 3 }) }),
    fc.record({ kind: fc.constant('in' as const), values: fc.array(text, { minLength: 1, maxLength: 5 }) }),
    fc.record({
      kind: fc.constantFrom('contains_all' as const, 'contains_any' as const),
      values: fc.array(text, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('regexp' as const),
      pattern: fc.constantFrom('1', 'a1', '[0-9]a', 'a.*1', '^$', '_0+'),
    }),
    fc.record({ kind: fc.constant('compare' as const), op: fc.constantFrom('<', '<=', '>', '>='), bound: number }),
    fc.record({
      kind: fc.constant('range' as const),
      low: number,
      lowIn: fc.boolean(),
      high: number,
      highIn: fc.boolean(),
    }),
    fc.constant<Test>({ kind: 'present' }),
    fc.record({ kind: fc.constant('len_range' as const), low: fc.nat(4), high: fc.constant(6) }),
  );

/** Tests find in a column of such texts, kept in the form, what a look at each text finds; in all rows, and in some of them. */
export function expectSameAsEachText(text: fc.Arbitrary<string>, form: 'templates' | 'numbers'): void {
  const texts = fc.array(text, { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(
      texts.chain((all) => fc.tuple(fc.constant(all), testOf(needle(all, text)), fc.infiniteStream(fc.boolean()))),
      ([all, test, some]) => {
        if (test.kind === 'in_query' || 'other' in test) return;
        const rows = all.map((value) => ({ _time: '2026-01-01T00:00:00Z', field: value, level: 'INFO' }));
        const fields = new Set(['field']);
        const none = new Set<string>();
        const block = form === 'numbers' ? blockOf(1, rows, none, none, fields) : blockOf(1, rows, none, fields);
        const matcher = compileFilter({ kind: 'field', field: 'field', test }, { now: 0n, values: () => new Set() });
        const { passes } = valueTest(test);
        const wanted = all.map(passes);
        const found = (within: Uint8Array | null) => {
          const mask = matcher(frameOf(block, null), within);
          return all.map((_, row) => (typeof mask === 'boolean' ? mask : mask[row] === 1));
        };
        expect(found(null)).toEqual(wanted);
        const within = Uint8Array.from(all, () => (some.next().value === true ? 1 : 0));
        const left = (marks: readonly boolean[]) => marks.filter((_, row) => within[row] === 1);
        expect(left(found(within))).toEqual(left(wanted));
      },
    ),
    { numRuns: 1000 },
  );
}
