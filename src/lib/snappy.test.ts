import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unpacked } from './snappy.fixture.ts';
import { snappy } from './snappy.ts';

const same = (data: Uint8Array): void => {
  expect(unpacked(snappy(data)).equals(data)).toBe(true);
};

it('gives back what was packed', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), same));
  // Repeated pieces, over the border of a block too.
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('node', 'workflow_id', 'x', '\u0000'.repeat(90)), { maxLength: 400 }),
      (words) => same(Buffer.from(words.join('').repeat(9))),
    ),
    { numRuns: 30 },
  );
  same(Buffer.alloc(200_000));
  same(Buffer.from(Array.from({ length: 150_000 }, (_, i) => (i * 7919 + (i >> 3)) % 251)));
});

it('makes what repeats a fraction of its size', () => {
  const text = Buffer.from('yardmaster_task_run_seconds_bucket{node="a",le="0.5"}'.repeat(500));
  expect(snappy(text).length).toBeLessThan(text.length / 15);
});
