import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assignRowSlots, type RowSlot } from './row-slots.ts';

const slots = (found: readonly RowSlot[]) => found.map(({ slot }) => slot);
const ids = (found: readonly RowSlot[]) => found.map(({ id }) => id);
const named = (index: number) => `row ${index}`;

it('stands as the rows do while nothing moves', () => {
  const before = assignRowSlots(0, 4, named, [], false);
  const after = assignRowSlots(2, 6, named, before, true);
  expect(ids(after)).toEqual(['row 2', 'row 3', 'row 4', 'row 5']);
  expect(slots(after)).toEqual([2, 3, 0, 1]);
});
it('writes the rows that come into sight where others went out, and moves no element', () => {
  const before = assignRowSlots(0, 6, named, [], true);
  const after = assignRowSlots(2, 8, named, before, false);
  expect(slots(after)).toEqual(slots(before));
  expect(ids(after)).toEqual(['row 6', 'row 7', 'row 2', 'row 3', 'row 4', 'row 5']);
});
it('keeps each row in its element where a new one comes in above them', () => {
  const before = assignRowSlots(0, 4, named, [], true);
  const after = assignRowSlots(0, 4, (index) => (index === 0 ? 'new' : named(index - 1)), before, true);
  expect(ids(after)).toEqual(['new', 'row 0', 'row 1', 'row 2']);
  expect(slots(after)).toEqual([3, 0, 1, 2]);
});
it('shows a row that was waited for where its line stood', () => {
  const before = assignRowSlots(0, 3, (index) => (index === 1 ? undefined : named(index)), [], true);
  expect(assignRowSlots(0, 3, named, before, true)).toEqual([
    { slot: 0, index: 0, id: 'row 0' },
    { slot: 1, index: 1, id: 'row 1' },
    { slot: 2, index: 2, id: 'row 2' },
  ]);
});
it('gives a row that is there twice, while a list changes under its reader, two elements', () => {
  const before = assignRowSlots(0, 3, named, [], true);
  const after = assignRowSlots(0, 3, (index) => (index < 2 ? 'row 0' : named(index)), before, true);
  expect(ids(after)).toEqual(['row 0', 'row 0', 'row 2']);
  expect(new Set(slots(after)).size).toBe(3);
});
it('shows each row once, whatever was scrolled, and keeps what stays in sight in its element', () => {
  const sight = fc.record({
    first: fc.nat(1_000_000),
    count: fc.nat(60),
    still: fc.boolean(),
    /** Rows that came in above since. */
    above: fc.nat(3),
    /** One in so many is not read yet. */
    unread: fc.integer({ min: 2, max: 40 }),
  });
  fc.assert(
    fc.property(fc.array(sight, { minLength: 1, maxLength: 12 }), (sights) => {
      let before: readonly RowSlot[] = [];
      let shift = 0;
      let most = 0;
      for (const { first, count, still, above, unread } of sights) {
        shift += above;
        const idAt = (index: number) => (index % unread === 0 ? undefined : named(index - shift));
        const now = assignRowSlots(first, first + count, idAt, before, still);
        most = Math.max(most, count);
        const indices = now.map(({ index }) => index);
        const inOrder = Array.from({ length: count }, (_, i) => first + i);
        expect(indices.toSorted((a, b) => a - b)).toEqual(inOrder);
        if (still) expect(indices).toEqual(inOrder);
        expect(new Set(slots(now)).size).toBe(count);
        expect(Math.max(-1, ...slots(now))).toBeLessThan(most);
        const slotOf = new Map(before.map(({ id, slot }) => [id, slot]));
        for (const { id, slot } of now) if (id !== undefined) expect(slotOf.get(id) ?? slot).toBe(slot);
        before = now;
      }
    }),
  );
});
