import { expect, it } from 'vitest';
import { lingerMs, turnOf } from './turns.ts';

const MB = 1_000_000;
const waiting = (...sizes: number[]) => sizes.map((size) => ({ batch: { ndjson: new Uint8Array(size) } }));

it.each([
  ['what came together', [10, 20, 30], { batches: 3, bytes: 60 }],
  ['no more than a block holds', [MB, MB, MB, MB, MB], { batches: 4, bytes: 4 * MB }],
  ['a batch of any size', [9 * MB, 10], { batches: 1, bytes: 9 * MB }],
])('a turn writes %s', (_, sizes, turn) => expect(turnOf(waiting(...sizes))).toEqual(turn));

it('the first of many that send at once waits for the others, until they make a block', () => {
  const last = turnOf(waiting(MB, MB, MB));
  expect(lingerMs(last, MB, 5)).toBeGreaterThan(0);
  expect(lingerMs(last, 2 * MB, 5)).toBe(0);
  expect(lingerMs(last, MB, 1000)).toBe(0);
});

it.each([
  ['a sender that is alone', [MB]],
  ['senders of little', [1000, 1000, 1000]],
])('%s is not kept waiting', (_, sizes) => expect(lingerMs(turnOf(waiting(...sizes)), 1000, 5)).toBe(0));
