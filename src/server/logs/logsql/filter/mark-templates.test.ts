import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Test } from '../../../../lib/logsql/ast.ts';
import { blockOf } from '../blocks.fixture.ts';
import { frameOf } from '../frame.ts';
import { readQuery } from '../parse.ts';
import { compileFilter } from './evaluate.ts';
import { valueTest } from './value-test.ts';

const part = fc.constantFrom('.', '0', '1', '10', '01', '123456789', 'a', 'A', '_', ' ', '-', 'ä', 'İ', '٣', '😀');
const message = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(''));
/** What is looked for: often a piece of one of the texts. */
const needle = (messages: readonly string[]) =>
  fc.oneof(
    fc.tuple(fc.constantFrom(...messages), fc.nat(20), fc.nat(6)).map(([text, from, size]) => text.substr(from, size)),
    message,
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

it('finds in templates what a look at each text finds', () => {
  fc.assert(
    fc.property(
      fc
        .array(message, { minLength: 1, maxLength: 40 })
        .chain((messages) =>
          fc.tuple(fc.constant(messages), testOf(needle(messages)), fc.infiniteStream(fc.boolean())),
        ),
      ([messages, test, some]) => {
        if (test.kind === 'in_query' || 'other' in test) return;
        const rows = messages.map((text) => ({ _time: '2026-01-01T00:00:00Z', _msg: text, level: 'INFO' }));
        const frame = frameOf(blockOf(1, rows, new Set(), new Set(['_msg'])), null);
        const matcher = compileFilter({ kind: 'field', field: '_msg', test }, { now: 0n, values: () => new Set() });
        const { passes } = valueTest(test);
        const wanted = messages.map(passes);
        const found = (within: Uint8Array | null) => {
          const mask = matcher(frame, within);
          return messages.map((_, row) => (typeof mask === 'boolean' ? mask : mask[row] === 1));
        };
        expect(found(null)).toEqual(wanted);
        const within = Uint8Array.from(messages, () => (some.next().value === true ? 1 : 0));
        const left = (all: readonly boolean[]) => all.filter((_, row) => within[row] === 1);
        expect(left(found(within))).toEqual(left(wanted));
      },
    ),
    { numRuns: 1000 },
  );
});

it.each(['"phrase 7"', '"a 12345678901 b"', '7*', '~"7 b"'])(
  'can be stopped while it looks through the templates of a block for %s',
  (query) => {
    const rows = Array.from({ length: 4000 }, (_, n) => ({
      _time: '2026-01-01T00:00:00Z',
      _msg: n % 2 === 0 ? `phrase ${n} a 12345678901 b` : `a ${n} b ${n}`,
    }));
    const frame = frameOf(blockOf(1, rows, new Set(), new Set(['_msg'])), null);
    const stop = new Error('stopped');
    const check = () => {
      throw stop;
    };
    const matcher = compileFilter(readQuery(`_msg:${query}`).filter, { now: 0n, values: () => new Set(), check });
    expect(() => matcher(frame, null)).toThrow(stop);
  },
);
