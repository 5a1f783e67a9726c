import { expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import { createRetryUntilStored } from './retry-until-stored.ts';
import type { Transaction } from './port.ts';

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
