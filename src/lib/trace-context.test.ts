import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contextOf, parseTraceparent, spanIdOf, traceIdOf, traceparentOf } from './trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const TASK = '0190c1a2-7f00-7abc-9def-0123456789ab';

it('takes the context of the standard, and hands it on', () => {
  const context = parseTraceparent(`00-${TRACE}-${PARENT}-01`);
  expect(context).toBe(`${TRACE}-${PARENT}-01`);
  expect(traceIdOf(context as string)).toBe(TRACE);
  expect(traceparentOf(contextOf(context as string, TASK, 1))).toBe(`00-${TRACE}-9def0123456789ab-01`);
});

it('takes what a later version says more', () =>
  expect(parseTraceparent(`01-${TRACE}-${PARENT}-03-more`)).toBe(`${TRACE}-${PARENT}-03`));

it.each([
  undefined,
  '',
  'x',
  ['a', 'b'],
  `ff-${TRACE}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-01-more`,
  `00-${'0'.repeat(32)}-${PARENT}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-1`,
  `00-${TRACE}-${PARENT}-01${' '.repeat(600)}`,
])('ignores %j', (header) => expect(parseTraceparent(header)).toBeNull());

it('gives each attempt at each task of a chain a span of its own', () =>
  fc.assert(
    fc.property(fc.uuid({ version: 7 }), (id) => {
      // IDs of a chain differ in their last 48 bits.
      const ids = ['a', 'b', 'c'].map((last) => id.slice(0, -1) + last);
      const spans = ids.flatMap((one) => [1, 2, 3].map((attempt) => spanIdOf(one, attempt)));
      return new Set(spans).size === spans.length && spans.every((span) => /^[0-9a-f]{16}$/.test(span));
    }),
  ));
