import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRowKeys } from './row-keys.ts';

describe('the elements of lines', () => {
  const keysOf = (of: (number: number) => number, from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => of(from + i));
  it('are one for each line, whatever was drawn before, and never more than were drawn at once', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            from: fc.integer({ min: -1000, max: 1000 }),
            count: fc.integer({ min: 0, max: 80 }),
            alike: fc.boolean(),
          }),
          { minLength: 1 },
        ),
        (views) => {
          const keys = createRowKeys();
          let most = 1;
          for (const { from, count, alike } of views) {
            most = Math.max(most, count);
            const found = keysOf(keys.of(from, from + count, alike), from, from + count);
            expect(new Set(found).size).toBe(count);
            expect(found.every((key) => key >= 0 && key < most)).toBe(true);
          }
        },
      ),
    );
  });
  it('stay with a line that stays in sight; those that left are taken for those that came', () => {
    const keys = createRowKeys();
    const before = keys.of(100, 136, true);
    const kept = before(110);
    const left = before(100);
    const after = keys.of(101, 137, true);
    expect(after(110)).toBe(kept);
    expect(after(136)).toBe(left);
  });
  it('are written anew in their order where few lines stay, but not while somebody holds on to one', () => {
    const order = Array.from({ length: 36 }, (_, i) => i);
    const keys = createRowKeys();
    keys.of(100, 136, true);
    expect(keysOf(keys.of(132, 168, true), 132, 168)).toEqual(order);
    expect(keysOf(keys.of(164, 200, false), 164, 200)).not.toEqual(order);
    expect(keysOf(keys.of(5000, 5036, false), 5000, 5036)).toEqual(order);
  });
  it('stay where more lines are drawn than before, as when one of them unfolds', () => {
    const keys = createRowKeys();
    const before = keysOf(keys.of(100, 136, true), 100, 136);
    expect(keysOf(keys.of(80, 160, false), 100, 136)).toEqual(before);
  });
});
