import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoffMs, createBackoff, jitteredBackoffMs } from './backoff.ts';

const rule = { firstMs: 1000, mostMs: 60_000, jitter: 0.2 };

it('doubles from the first to the most', () => {
  expect([1, 2, 3, 6, 7, 50].map((failures) => backoffMs(rule, failures))).toEqual([
    1000, 2000, 4000, 32_000, 60_000, 60_000,
  ]);
  expect(backoffMs({ firstMs: 90_000, mostMs: 60_000 }, 3)).toBe(90_000);
});

it('stays within its jitter, and obeys who asks for more', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (failures, random) => {
        const steady = jitteredBackoffMs(rule, failures, 0.5);
        const wait = jitteredBackoffMs(rule, failures, random);
        expect(wait).toBeGreaterThanOrEqual(Math.floor(steady * 0.8));
        expect(wait).toBeLessThanOrEqual(Math.ceil(steady * 1.2));
        expect(jitteredBackoffMs(rule, failures, random, 600_000)).toBe(600_000);
      },
    ),
  );
});

it('begins anew once it worked', () => {
  const backoff = createBackoff({ firstMs: 1, mostMs: 4 });
  expect([backoff.next(), backoff.next(), backoff.next(), backoff.next()]).toEqual([1, 2, 4, 4]);
  backoff.reset();
  expect(backoff.next()).toBe(1);
});
