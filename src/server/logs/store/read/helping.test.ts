import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { eitherOf } from './helping.ts';

it('what several give comes as it is found', async () => {
  const gate = Promise.withResolvers<void>();
  async function* slow() {
    yield 1;
    await gate.promise;
    yield 2;
  }
  async function* quick() {
    yield 3;
    yield 4;
  }
  const found: number[] = [];
  for await (const one of eitherOf([slow(), quick()])) {
    found.push(one);
    if (found.length === 3) gate.resolve();
  }
  expect(found.toSorted()).toEqual([1, 2, 3, 4]);
  expect(found.at(-1)).toBe(2);
});

it('a source that fails while the caller is busy with what it got fails the next one, and not the process', async () => {
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => unheard.push(reason);
  process.on('unhandledRejection', hear);
  try {
    async function* failing() {
      yield 1;
      throw new Error('took too long');
    }
    const both = eitherOf([failing()]);
    expect(await both.next()).toEqual({ value: 1, done: false });
    // The source is asked ahead, and fails meanwhile.
    await turn();
    await turn();
    expect(unheard).toEqual([]);
    await expect(both.next()).rejects.toThrow('took too long');
  } finally {
    process.off('unhandledRejection', hear);
  }
});
