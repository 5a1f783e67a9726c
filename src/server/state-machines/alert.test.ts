import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFiring, MISSING_EVALUATIONS, nextAlert, type AlertFacts, type AlertObservation } from './alert.ts';

const times = (forMs: number, keepFiringMs = 0) => ({ forMs, keepFiringMs, firing: 'Alerting' as const });
const saw = (at: number, holds: boolean): AlertObservation => ({ on: 'value', at, value: holds ? 9 : 1, holds });
const run = (seen: readonly AlertObservation[], rule = times(0)) => {
  let facts: AlertFacts | null = null;
  return seen.map((one) => (facts = nextAlert(facts, one, rule))?.state ?? null);
};

describe('an alert', () => {
  it('fires at once without a `for`, else from the second evaluation on that is so much later', () => {
    expect(run([saw(0, true), saw(10, false)])).toEqual(['Alerting', 'Normal']);
    expect(run([saw(0, true), saw(10, true), saw(60, true)], times(60))).toEqual(['Pending', 'Pending', 'Alerting']);
    expect(run([saw(0, true), saw(10, false), saw(60, true)], times(60))).toEqual(['Pending', 'Normal', 'Pending']);
  });

  it('recovers for as long as it is to keep firing, and is one alert all the while', () => {
    let facts = nextAlert(null, saw(0, true), times(0, 100));
    facts = nextAlert(facts, saw(10, false), times(0, 100));
    expect(facts).toMatchObject({ state: 'Recovering', startsAt: 0 });
    facts = nextAlert(facts, saw(50, true), times(0, 100));
    expect(facts).toMatchObject({ state: 'Alerting', startsAt: 0 });
    facts = nextAlert(nextAlert(facts, saw(60, false), times(0, 100)), saw(160, false), times(0, 100));
    expect(facts).toMatchObject({ state: 'Normal', startsAt: 0, endsAt: 160 });
  });

  it('keeps its last value while it recovers without one: its title is made of it', () => {
    const rule = times(0, 100);
    const fired = nextAlert(null, saw(0, true), rule);
    const recovering = nextAlert(fired, { on: 'value', at: 10, value: null, holds: false }, rule);
    expect(recovering).toMatchObject({ state: 'Recovering', value: 9 });
    expect(nextAlert(recovering, { on: 'value', at: 20, value: 1, holds: false }, rule)).toMatchObject({ value: 1 });
  });

  it('outlives one evaluation without its series and resolves at the second', () => {
    expect(
      run([saw(0, true), { on: 'missing', at: 1 }, saw(2, true), { on: 'missing', at: 3 }, { on: 'missing', at: 4 }]),
    ).toEqual(['Alerting', 'Alerting', 'Alerting', 'Alerting', 'Normal']);
  });

  it('waits no longer than once more where the clock goes back', () => {
    expect(run([saw(1_000_000, true), saw(0, true), saw(59, true), saw(60, true)], times(60))).toEqual([
      'Pending',
      'Pending',
      'Pending',
      'Alerting',
    ]);
  });
});

const step = fc.record({
  jump: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 60 }) }, fc.integer({ min: -5000, max: 5000 })),
  what: fc.constantFrom('true', 'true', 'true', 'false', 'missing', 'keep', 'drop'),
  restart: fc.boolean(),
});

it('holds its invariants over any evaluations, restarts and jumps of the clock', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(0, 30, 200),
      fc.constantFrom(0, 50),
      fc.array(step, { maxLength: 80 }),
      (forMs, keepFiringMs, steps) => {
        const rule = times(forMs, keepFiringMs);
        let facts: AlertFacts | null = null;
        let at = 10_000;
        let missing = 0;
        /** Time that passed while the condition held without a break, jumps backwards left out. */
        let held = 0;
        for (const { jump, what, restart } of steps) {
          at += jump;
          const before: AlertFacts | null = facts;
          const seen: AlertObservation =
            what === 'true' || what === 'false'
              ? saw(at, what === 'true')
              : what === 'drop'
                ? { on: 'drop', at, reason: 'Paused' }
                : { on: what as 'missing' | 'keep', at };
          // What a restart reads back is what was written.
          const known: AlertFacts | null = restart ? (JSON.parse(JSON.stringify(before)) as AlertFacts | null) : before;
          facts = nextAlert(known, seen, rule);
          const open = before !== null && before.state !== 'Normal' ? before : null;
          const fired = open !== null && isFiring(open);
          missing = what === 'missing' ? missing + 1 : what === 'keep' ? missing : 0;
          held = what === 'true' && open !== null && open.state === 'Pending' ? (jump < 0 ? 0 : held + jump) : 0;

          if (facts === null) {
            expect(open).toBeNull();
            continue;
          }
          expect(facts.since).toBeLessThanOrEqual(at);
          expect(facts.activeAt).toBeLessThanOrEqual(facts.since);
          expect(isFiring(facts) ? facts.startsAt : 0).not.toBeNull();
          expect(facts.endsAt !== null).toBe(facts.state === 'Normal');
          // One incident has one beginning; only a clock that went back moves it, backwards.
          if (fired && isFiring(facts))
            expect(facts.startsAt).toBe(
              jump < 0
                ? Math.min(open.startsAt as number, before?.since !== undefined && before.since > at ? at : Infinity)
                : open.startsAt,
            );
          // It begins to fire only while the condition holds, and never before its `for` is over.
          if (!fired && isFiring(facts)) {
            expect(what).toBe('true');
            if (forMs > 0) expect(open?.state).toBe('Pending');
          }
          if (open?.state === 'Pending' && what === 'true' && held >= forMs + 5000) expect(isFiring(facts)).toBe(true);
          // Nothing resolves but by an evaluation that says so.
          if (open !== null && facts.state === 'Normal') {
            if (what === 'missing') expect(facts.missing).toBe(MISSING_EVALUATIONS);
            else expect(['false', 'drop']).toContain(what);
            if (fired && what === 'false' && keepFiringMs > 0) expect(open.state).toBe('Recovering');
          }
          if (missing >= MISSING_EVALUATIONS) expect(facts.state).toBe('Normal');
        }
      },
    ),
    { numRuns: 500 },
  );
});
