import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assignRowSlots } from './row-slots.ts';

const slots = (found: ReturnType<typeof assignRowSlots>) => found.map(({ slot }) => slot);

it('stands as the rows do while nothing moves', () => {
  expect(assignRowSlots(4, 8, 6, [], true)).toEqual([
    { slot: 4, index: 4 },
    { slot: 5, index: 5 },
    { slot: 0, index: 6 },
    { slot: 1, index: 7 },
  ]);
});
it('writes the rows that come into sight where others went out, and moves no element', () => {
  const before = assignRowSlots(0, 6, 6, [], true);
  const after = assignRowSlots(2, 8, 6, slots(before), false);
  expect(slots(after)).toEqual(slots(before));
  expect(after.map(({ index }) => index)).toEqual([6, 7, 2, 3, 4, 5]);
});
it('shows each row once, whatever was scrolled, and keeps what stays in sight in its element', () => {
  const sight = fc.record({ first: fc.nat(1_000_000), count: fc.nat(60) });
  fc.assert(
    fc.property(fc.array(sight, { minLength: 1, maxLength: 12 }), fc.boolean(), (sights, still) => {
      let order: number[] = [];
      let known = new Map<number, number>();
      for (const { first, count } of sights) {
        const now = assignRowSlots(first, first + count, 60, order, still);
        expect(now.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: count }, (_, i) => first + i),
        );
        expect(new Set(slots(now)).size).toBe(count);
        for (const { slot, index } of now) expect(known.get(index) ?? slot).toBe(slot);
        known = new Map(now.map(({ slot, index }) => [index, slot]));
        order = slots(now);
      }
    }),
  );
});
