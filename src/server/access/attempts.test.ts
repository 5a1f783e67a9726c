import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../lib/fault.ts';
import { groupOf } from '../../lib/address-group.ts';
import { createAttempts, type Attempts, type Presenter } from './attempts.ts';

const limits = { wrongTokens: 5, wrongTokensLocal: 50, wrongTokensBackoffSeconds: 60 };
let now = 0;
let refused: string[];
let attempts: Attempts;
beforeEach(() => {
  now = Date.parse('2026-01-01T00:00:00Z');
  refused = [];
  attempts = createAttempts({
    clock: { now: () => now },
    limits,
    refused: (action, at) => refused.push(`${action} ${at}`),
  });
});

const from = (address: string | null, isLocal = false): Presenter => ({ address, isLocal });
let secrets = 0;
/** Seconds that one is told to wait; 0: none. A secret of its own each time, unless one is given. */
const wrong = (who: Presenter, secret = `${secrets++}-guessed`): number => {
  try {
    attempts.wrong(who, secret);
    return 0;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    expect(error.code).toBe('TOO_MANY_ATTEMPTS');
    return Number(error.extra['retryAfterSeconds']);
  }
};
const times = (count: number, who: Presenter) => Array.from({ length: count }, () => wrong(who));

describe('wrong credentials of an address', () => {
  it('are answered plainly up to the limit, then wait twice as long each time', () => {
    const guesser = from('203.0.113.9');
    expect(times(6, guesser)).toEqual([0, 0, 0, 0, 0, 1]);
    // Whoever goes on meanwhile waits for no longer.
    now += 400;
    expect(wrong(guesser)).toBe(1);
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      now += (waits.at(-1) ?? 1) * 1000;
      let wait = 0;
      while (wait === 0) wait = wrong(guesser);
      waits.push(wait);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('are nobody else’s', () => {
    times(100, from('203.0.113.9'));
    expect(wrong(from('203.0.113.10'))).toBe(0);
    expect(wrong(from(null))).toBe(0);
  });

  it('are forgiven to who was quiet', () => {
    times(100, from('203.0.113.9'));
    now += 15 * 60_000;
    expect(times(6, from('203.0.113.9'))).toEqual([0, 0, 0, 0, 0, 1]);
  });

  it('count for its network with version 6', () => {
    expect(times(5, from('2001:db8:1:2::1'))).toEqual([0, 0, 0, 0, 0]);
    expect(wrong(from('2001:db8:1:2:ffff::9'))).toBe(1);
    expect(wrong(from('2001:db8:1:3::1'))).toBe(0);
    expect(groupOf('::1')).toBe('0:0:0:0');
    expect(groupOf('fe80::1%eth0')).toBe('fe80:0:0:0');
    expect(groupOf('1:2:3:4:5:6:7:8')).toBe('1:2:3:4');
  });

  it('are treated kindly on this machine, and yet not without an end', () => {
    const local = from('127.0.0.1', true);
    const answers = times(200, local);
    expect(answers.slice(0, 50).every((wait) => wait === 0)).toBe(true);
    expect(answers.slice(50).every((wait) => wait === 1)).toBe(true);
    now += 3_600_000;
    expect(wrong(local)).toBe(0);
  });
});

it('the beginning of a credential that many addresses guess at waits too', () => {
  const waits = Array.from({ length: 8 }, (_, i) => wrong(from(`203.0.113.${i}`), 'yt_abcdefg-and-some-end'));
  expect(waits).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
  expect(wrong(from('203.0.113.99'), 'yt_zzzzzzz-and-some-end')).toBe(0);
});

it('all are counted and told to the audit log', () => {
  times(8, from('203.0.113.9'));
  expect(attempts.stats()).toEqual({ wrong: 8, blocked: 3, recent: 8 });
  now += 5 * 60_000;
  expect(attempts.stats()).toEqual({ wrong: 8, blocked: 3, recent: 0 });
  expect(refused).toHaveLength(8);
  expect(refused[0]).toBe('token.refused 203.0.113.9');
});

it('never tells anybody to wait for longer than the limit, nor without an end', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ ms: fc.integer({ min: -5000, max: 400_000 }), who: fc.nat(3) })), (steps) => {
      const fresh = createAttempts({ clock: { now: () => now }, limits, refused: () => undefined });
      for (const { ms, who } of steps) {
        now += ms;
        try {
          fresh.wrong(from(`10.0.0.${who}`), String(who));
        } catch (error) {
          const wait = Number((error as Fault).extra['retryAfterSeconds']);
          expect(wait).toBeGreaterThan(0);
          expect(wait).toBeLessThanOrEqual(60 + 5);
        }
      }
    }),
  );
});
