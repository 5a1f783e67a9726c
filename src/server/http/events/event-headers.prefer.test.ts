import { expect, it } from 'vitest';
import { processorMs } from '../../../lib/processor-time.fixture.ts';
import { parsePrefer } from './event-headers.ts';

it.each([
  [undefined, false, null, null],
  ['respond-async', true, null, 'respond-async'],
  ['Respond-Async, wait=10', true, 10, 'respond-async, wait=10'],
  ['wait="5"', false, 5, 'wait=5'],
  ['wait=1, wait=9', false, 1, 'wait=1'],
  ['wait=soon, respond-async', true, null, 'respond-async'],
  ['wait=-1', false, null, null],
  ['wait=99999', false, 3600, 'wait=3600'],
  ['foo; bar="a,b;c", respond-async;x=1, baz="wait=3"', true, null, 'respond-async'],
  [',,=,"', false, null, null],
])('Prefer: %s', (header, respondAsync, wait, applied) => {
  expect(parsePrefer(header, 3600)).toEqual({ respondAsync, wait, applied });
});

it.each([
  ['parameters', `a${';a'.repeat(16_000)}"`],
  ['spaces', `a${' '.repeat(32_000)}"`],
  ['quotes that do not end', 'a;",'.repeat(8000)],
  ['backslashes', `a="${'\\'.repeat(32_000)}`],
  ['equals signs', `a${'= '.repeat(16_000)}`],
])('is read in the time of its length with many %s', (_, header) => {
  const took = processorMs(() => expect(parsePrefer(header, 3600).applied).toBeNull());
  expect(took).toBeLessThan(5000);
});
