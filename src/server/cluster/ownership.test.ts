import { afterEach, expect, it, vi } from 'vitest';
import { FRESH_MS, holdOwnership, LEASE_MS, RENEW_MS, type Ownership } from './ownership.ts';

let ownership: Ownership;
afterEach(() => {
  ownership.stop();
  vi.useRealTimers();
});

/** A lease whose renewals succeed, fail, or find another owner, as `answer` says; time passes by `vi`. */
function rig() {
  vi.useFakeTimers();
  const state = { answer: true as boolean | 'no answer', takesMs: 0, deposed: 0, expired: 0 };
  ownership = holdOwnership({
    owner: 'a',
    epoch: 1,
    since: Date.now(),
    time: {
      elapsed: () => Date.now(),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    },
    database: {
      async renew() {
        if (state.takesMs > 0) await new Promise((resolve) => setTimeout(resolve, state.takesMs));
        if (state.answer === 'no answer') throw new Error('timed out');
        return state.answer;
      },
    },
    onDeposed: () => state.deposed++,
    onExpired: () => state.expired++,
    onTrouble: () => {},
  });
  const told: string[] = [];
  const ask = () => ownership.whenProved((error) => told.push(error === null ? 'proved' : 'NO_OWNER'));
  return { state, told, ask };
}

it('answers at once while it renews', async () => {
  const { told, ask } = rig();
  await vi.advanceTimersByTimeAsync(10 * RENEW_MS);
  ask();
  expect(told).toEqual(['proved']);
});

it('lets readers wait for a proof when the last one is old, and refuses them when the lease has run out', async () => {
  const { state, told, ask } = rig();
  state.answer = 'no answer';
  await vi.advanceTimersByTimeAsync(FRESH_MS + RENEW_MS);
  ask();
  expect([told, ownership.fresh()]).toEqual([[], false]);
  state.answer = true;
  await vi.advanceTimersByTimeAsync(RENEW_MS);
  expect(told).toEqual(['proved']);
  state.answer = 'no answer';
  await vi.advanceTimersByTimeAsync(FRESH_MS + RENEW_MS);
  ask();
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect([told.at(-1), state.expired, state.deposed]).toEqual(['NO_OWNER', 1, 0]);
  // Nobody took over meanwhile: it goes on.
  state.answer = true;
  await vi.advanceTimersByTimeAsync(RENEW_MS * 2);
  ask();
  expect(told.at(-1)).toBe('proved');
});

it('goes on where PostgreSQL is slow: who waited before a renewal was sent is told by it', async () => {
  const { state, told, ask } = rig();
  state.takesMs = 3 * FRESH_MS;
  await vi.advanceTimersByTimeAsync(4 * FRESH_MS);
  ask();
  expect([told, ownership.fresh()]).toEqual([[], false]);
  await vi.advanceTimersByTimeAsync(7 * FRESH_MS);
  expect([told, state.expired]).toEqual([['proved'], 0]);
});

it('is not proved by a renewal that was sent before somebody asked, and came late', async () => {
  const { state, told, ask } = rig();
  await vi.advanceTimersByTimeAsync(2 * RENEW_MS + RENEW_MS / 2);
  state.takesMs = 3 * FRESH_MS;
  // Its next renewal is under way, and is answered when it is old.
  await vi.advanceTimersByTimeAsync(2 * FRESH_MS);
  ask();
  await vi.advanceTimersByTimeAsync(FRESH_MS + RENEW_MS);
  expect(told).toEqual([]);
});

it('trusts no memory after it stood still, before anything else has run', async () => {
  const { told, ask } = rig();
  await vi.advanceTimersByTimeAsync(RENEW_MS);
  vi.setSystemTime(Date.now() + 60_000);
  ask();
  expect([told, ownership.fresh()]).toEqual([[], false]);
});

it('stops at once where another master owns the state', async () => {
  const { state, told, ask } = rig();
  state.answer = false;
  await vi.advanceTimersByTimeAsync(RENEW_MS * 4);
  expect(state.deposed).toBe(1);
  await vi.advanceTimersByTimeAsync(FRESH_MS);
  ask();
  ownership.stop();
  expect(told).toEqual(['NO_OWNER']);
});
