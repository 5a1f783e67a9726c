import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BlockRow } from '../files/schema.ts';
import {
  countRows,
  endOf,
  failBlocks,
  frontOf,
  haveFailed,
  HelpFailed,
  leaveBlocks,
  shareBlocks,
} from './shared-blocks.ts';

const row = (id: number): BlockRow => ({
  id,
  t0: id * 1000.5,
  t1: id * 1000 + 999,
  s0: id * 2 ** 33,
  s1: id * 2 ** 33 + 1,
  rows: id + 1,
  bytes: 7,
  pieces: 2,
  hot: 1,
  born: 1.7e12 + id,
});
const shared = (count: number) =>
  shareBlocks(
    { wanted: 'count', began: 5 },
    ['a', 'b'],
    Array.from({ length: count }, (_, id) => ({ file: id % 2, row: row(id) })),
  );

it('each block is taken once, from the front or from the end, whoever is quicker and whenever the helper leaves', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 20 }),
      fc.array(fc.constantFrom('front', 'end', 'leave'), { maxLength: 40 }),
      (count, turns) => {
        const blocks = shared(count);
        const front = frontOf(blocks);
        const end = endOf(blocks);
        const taken = { front: [] as number[], end: [] as number[] };
        let isOver = false;
        const turn = (who: string) => {
          if (who === 'leave') leaveBlocks(blocks);
          else if (who === 'front') {
            if (front.take()) taken.front.push(taken.front.length);
            else isOver = true;
          } else {
            const { value, done } = end.next();
            if (done) return;
            expect(value).toEqual({ file: value.row.id % 2, row: row(value.row.id) });
            taken.end.push(value.row.id);
            countRows(blocks, value.row.rows);
          }
        };
        turns.forEach(turn);
        while (!isOver) turn('front');
        // It has read the last one that it took.
        turn('end');
        expect([...taken.front, ...taken.end.toReversed()]).toEqual(Array.from({ length: count }, (_, id) => id));
        expect(front.helped()).toBe(taken.end.reduce((sum, id) => sum + id + 1, 0));
      },
    ),
  );
});

it('the front waits for the block that the helper is at', () => {
  const blocks = shared(2);
  const front = frontOf(blocks);
  const end = endOf(blocks);
  end.next();
  expect([front.take(), front.take()]).toEqual([true, false]);
  expect(front.helped()).toBeNull();
  countRows(blocks, 2);
  end.next();
  expect(front.helped()).toBe(2);
});

it('a helper that failed is not waited for', () => {
  const blocks = shared(2);
  const front = frontOf(blocks);
  endOf(blocks).next();
  expect(front.take()).toBe(true);
  failBlocks(blocks);
  expect(haveFailed(blocks)).toBe(true);
  expect(() => front.helped()).toThrow(HelpFailed);
});
