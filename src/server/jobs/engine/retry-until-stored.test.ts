import { afterEach, expect, it, vi } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import { createRetryUntilStored } from './retry-until-stored.ts';
import type { Transaction } from './port.ts';

afterEach(() => void vi.useRealTimers());

/** An engine of which the test says what becomes of each step; `took` is what it took, in order. */
function engine() {
  const took: string[] = [];
  const refuse = new Set<string>();
  let full = false;
  const enqueue = async (_weight: number, op: (unit: Transaction) => unknown) => {
    const names = String(op({} as Transaction)).split(' ');
    if (full) throw new Fault('STORE_UNAVAILABLE', 'full');
    if (names.some((name) => refuse.has(name))) throw new Error('bad');
    took.push(...names);
  };
  return { took, refuse, enqueue, fill: (now: boolean) => void (full = now) };
}

it('keeps what a full store refuses, in order, until it takes it', async () => {
  const { took, enqueue, fill } = engine();
  const told = createRetryUntilStored({ enqueue, waitMs: 5 });
  fill(true);
  const first = told.run(1, () => 'a');
  const second = told.run(1, () => 'b');
  await expect.poll(() => took).toEqual([]);
  fill(false);
  await Promise.all([first, second]);
  expect(took).toEqual(['a', 'b']);
  told.close();
});

it('tells nobody that a report is stored before the journal is known to have it, and does it once', async () => {
  const took: unknown[] = [];
  let isOwner = false;
  const told = createRetryUntilStored({
    waitMs: 5,
    async enqueue(_weight, op) {
      // It is committed here, whatever becomes of it.
      took.push(op({} as Transaction));
      if (!isOwner) throw new Fault('NO_OWNER', 'not known whether it was kept');
    },
  });
  let stored = false;
  void told.run(2, () => 'a b', [() => 'a', () => 'b']);
  told.settled(() => (stored = true));
  await expect.poll(() => took.length).toBeGreaterThan(2);
  expect(stored).toBe(false);
  isOwner = true;
  await expect.poll(() => stored).toBe(true);
  expect(took.filter((what) => what !== undefined)).toEqual(['a b']);
  told.close();
});

it('tries what came meanwhile once, in its order, however long the first one takes', async () => {
  vi.useFakeTimers();
  const took: string[] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const told = createRetryUntilStored({
    waitMs: 1,
    enqueue(_weight, op) {
      took.push(String(op({} as Transaction)));
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      return answer.promise;
    },
  });
  const stored: string[] = [];
  const run = (name: string) => void told.run(1, () => name).then(() => stored.push(name));
  run('a');
  answers[0]?.reject(new Fault('OVERLOADED', 'too much waits for PostgreSQL'));
  await vi.advanceTimersByTimeAsync(1);
  expect(took).toEqual(['a', 'a']);
  for (const name of ['b', 'c', 'd']) run(name);
  await vi.advanceTimersByTimeAsync(1000);
  expect(took).toEqual(['a', 'a']);
  answers[1]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(took).toEqual(['a', 'a', 'b', 'c', 'd']);
  answers.forEach((answer) => answer.resolve());
  await vi.advanceTimersByTimeAsync(0);
  expect(stored).toEqual(['a', 'b', 'c', 'd']);
  told.close();
});

it('takes the rest of a frame of which one part is bad', async () => {
  const { took, refuse, enqueue } = engine();
  refuse.add('b');
  const told = createRetryUntilStored({ enqueue });
  await told.run(
    3,
    () => 'a b c',
    ['a', 'b', 'c'].map((name) => () => name),
  );
  await expect.poll(() => took).toEqual(['a', 'c']);
  told.close();
});

it('takes nothing once it is closed', async () => {
  const { took, enqueue } = engine();
  const told = createRetryUntilStored({ enqueue });
  told.close();
  await told.run(1, () => 'a', [() => 'a']);
  expect(took).toEqual([]);
});
