import { expect, it } from 'vitest';
import { isSampled, traceIdOf } from '../../lib/trace-context.ts';
import { createSampler } from './sampler.ts';

const id = (n: number) => n.toString(16).padStart(32, '0');
const CALLER = 'b7ad6b7169203331';

it('begins a trace for its share of the jobs that come without one', () => {
  let made = 0;
  let roll = 0;
  const decide = createSampler(
    { parentBased: true, ratio: 0.25 },
    () => id(++made),
    () => (roll++ % 100) / 100,
  );
  const traces = Array.from({ length: 100 }, () => decide(null)).filter((trace) => trace !== null);
  expect(traces).toHaveLength(25);
  expect(traces.every((trace) => isSampled(trace) && trace.slice(33, 49) === '0'.repeat(16))).toBe(true);
  // IDs are made for those alone.
  expect(made).toBe(25);
});

it.each(['00', '01', '02', '03'])('leaves a caller’s decision (%s) where it is based on the parent', (flags) => {
  const given = `${id(1)}-${CALLER}-${flags}`;
  expect(
    createSampler(
      { parentBased: true, ratio: 0 },
      () => id(2),
      () => 0,
    )(given),
  ).toBe(given);
});

it('decides by the trace ID alone where it is not, and keeps the other flags', () => {
  const decide = createSampler(
    { parentBased: false, ratio: 0.5 },
    () => id(1),
    () => 0,
  );
  const low = `${'a'.repeat(19)}0${'0'.repeat(12)}-${CALLER}-02`;
  const high = `${'a'.repeat(19)}f${'0'.repeat(12)}-${CALLER}-03`;
  expect(decide(low)).toBe(`${low.slice(0, -2)}03`);
  expect(decide(high)).toBe(`${high.slice(0, -2)}02`);
  expect(traceIdOf(decide(low) ?? '')).toBe(low.slice(0, 32));
});
