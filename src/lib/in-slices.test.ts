import { expect, it } from 'vitest';
import { inSlices } from './in-slices.ts';

const burn = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

it('does a little at once', () => {
  const seen: number[] = [];
  expect(inSlices([1, 2, 3], (n) => void seen.push(n))).toBeUndefined();
  expect(seen).toEqual([1, 2, 3]);
  expect(inSlices([], burn)).toBeUndefined();
});

it('gives others their turn again and again, and keeps the order', async () => {
  const seen: number[] = [];
  const all = Array.from({ length: 320 }, (_, i) => i);
  let turns = 0;
  let going = true;
  const count = () => void (going && (turns++, setImmediate(count)));
  setImmediate(count);
  await inSlices(all, (n) => {
    burn(0.25);
    seen.push(n);
  });
  going = false;
  expect(seen).toEqual(all);
  // 80 ms of work, in slices of 16 items, 4 ms, each.
  expect(turns).toBeGreaterThan(10);
});

it('rejects with what a later step throws, and leaves the rest', async () => {
  let done = 0;
  const going = inSlices(Array.from({ length: 100 }), () => {
    burn(0.5);
    if (++done === 50) throw new Error('the fiftieth');
  });
  await expect(going).rejects.toThrow('the fiftieth');
  expect(done).toBe(50);
});
