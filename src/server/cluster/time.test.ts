import fc from 'fast-check';
import { expect, it } from 'vitest';
import { elapsedBy, systemClocks } from './time.ts';

function machine() {
  const at = { steady: 1000, wall: 50_000, uptime: 9000 };
  return {
    elapsed: elapsedBy({
      steady: () => at.steady,
      wall: () => at.wall,
      // As coarse as that of Linux.
      uptime: () => Math.floor(at.uptime / 10) * 10,
    }),
    runs(ms: number) {
      at.steady += ms;
      at.wall += ms;
      at.uptime += ms;
    },
    sleeps(ms: number) {
      at.wall += ms;
      at.uptime += ms;
    },
    isSet(ms: number) {
      at.wall += ms;
    },
  };
}

it('counts what passed while the machine slept, also where its clock was set back meanwhile', () => {
  const { elapsed, runs, sleeps, isSet } = machine();
  runs(100);
  expect(elapsed()).toBe(100);
  sleeps(10_000);
  expect(elapsed()).toBe(10_100);
  sleeps(10_000);
  isSet(-12_700);
  expect(elapsed()).toBeCloseTo(20_100, -2);
  runs(5);
  expect(elapsed()).toBeCloseTo(20_105, -2);
});

it('is never less than what passed, but for what the uptime cannot tell; each sleep is counted once', () => {
  const step = fc.oneof(
    fc.record({ what: fc.constant('runs' as const), ms: fc.integer({ min: 0, max: 3000 }) }),
    fc.record({ what: fc.constant('sleeps' as const), ms: fc.integer({ min: 60, max: 20_000 }) }),
    fc.record({ what: fc.constant('isSet' as const), ms: fc.integer({ min: -20_000, max: -6 }) }),
  );
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 20 }), (turns) => {
      const one = machine();
      let passed = 0;
      let sleeps = 0;
      for (const steps of turns) {
        // Set back by as much as it slept, to the millisecond: nothing shows that it slept.
        const [slept, set] = (['sleeps', 'isSet'] as const).map((what) =>
          steps.filter((s) => s.what === what).reduce((sum, { ms }) => sum + ms, 0),
        );
        if (Math.abs((slept ?? 0) + (set ?? 0)) <= 5) continue;
        for (const { what, ms } of steps) {
          one[what](ms);
          if (what !== 'isSet') passed += ms;
          if (what === 'sleeps') sleeps++;
        }
        const elapsed = one.elapsed();
        expect(elapsed).toBeGreaterThanOrEqual(passed - 60 * (sleeps + 1));
        expect(elapsed).toBeLessThanOrEqual(passed + 60 * (sleeps + 1));
      }
    }),
  );
});

it('reads clocks of this machine that go on', () => {
  const elapsed = elapsedBy(systemClocks);
  expect(systemClocks.uptime()).toBeGreaterThan(0);
  expect(elapsed()).toBeGreaterThanOrEqual(0);
});
