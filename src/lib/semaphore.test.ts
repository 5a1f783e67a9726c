import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSemaphore } from './semaphore.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limitedTo = (most: () => number) =>
  createSemaphore({ most, waiting: 2, waitMs: 10_000, refuse: (why, count) => new Error(`${why} of ${count}`) });
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
  const { acquire } = limitedTo(() => 1);
  const leave = await acquire();
  const second = acquire();
  const third = acquire();
  expect(await state(acquire())).toBe('full of 1');
  leave();
  leave();
  const late = acquire();
  expect([await state(second), await state(third), await state(late)]).toEqual(['in', 'waits', 'waits']);
});

it('refuses one that waited too long, and one whose caller is gone; what they do later moves nobody', async () => {
  const { acquire } = limitedTo(() => 1);
  const leave = await acquire();
  const impatient = new AbortController();
  const refused = expect(acquire(impatient.signal)).rejects.toThrow('late of 1');
  await vi.advanceTimersByTimeAsync(10_000);
  await refused;
  const gone = new AbortController();
  const left = expect(acquire(gone.signal)).rejects.toThrow('gone of 1');
  gone.abort();
  await left;
  const next = acquire();
  impatient.abort();
  leave();
  expect(await next).toBeTypeOf('function');
});

it('follows a bound that changes', async () => {
  let most = 2;
  const { acquire } = limitedTo(() => most);
  const [first, second] = [await acquire(), await acquire()];
  const third = acquire();
  most = 1;
  first();
  expect(await state(third)).toBe('waits');
  second();
  expect(await state(third)).toBe('in');
});
