import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createGate } from './gate.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const gateOf = (most: () => number) =>
  createGate({ most, waiting: 2, waitMs: 10_000, refuse: (why, count) => new Error(`${why} of ${count}`) });
const state = async (promise: Promise<unknown>) =>
  Promise.race([
    promise.then(
      () => 'in',
      (error: Error) => error.message,
    ),
    Promise.resolve()
      .then(() => Promise.resolve())
      .then(() => 'waits'),
  ]);

it('lets the next one in where one leaves, and nobody before it', async () => {
  const enter = gateOf(() => 1);
  const leave = await enter(null);
  const second = enter(null);
  const third = enter(null);
  expect(await state(enter(null))).toBe('full of 1');
  leave();
  leave();
  const late = enter(null);
  expect([await state(second), await state(third), await state(late)]).toEqual(['in', 'waits', 'waits']);
});

it('refuses one that waited too long, and one whose caller is gone; what they do later moves nobody', async () => {
  const enter = gateOf(() => 1);
  const leave = await enter(null);
  const impatient = new AbortController();
  const refused = expect(enter(impatient.signal)).rejects.toThrow('late of 1');
  await vi.advanceTimersByTimeAsync(10_000);
  await refused;
  const gone = new AbortController();
  const left = expect(enter(gone.signal)).rejects.toThrow('gone of 1');
  gone.abort();
  await left;
  const next = enter(null);
  impatient.abort();
  leave();
  expect(await next).toBeTypeOf('function');
});

it('follows a bound that changes', async () => {
  let most = 2;
  const enter = gateOf(() => most);
  const [first, second] = [await enter(null), await enter(null)];
  const third = enter(null);
  most = 1;
  first();
  expect(await state(third)).toBe('waits');
  second();
  expect(await state(third)).toBe('in');
});
