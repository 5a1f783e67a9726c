import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventsOf, itemsOf } from './metric-points.ts';

it('counts the items of an array without building it', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (items) => {
      expect(itemsOf(JSON.stringify(items))).toBe(items.length);
    }),
  );
});

it('counts all else as one event, and nothing as none', () => {
  expect([eventsOf(null), eventsOf('{"a":[1,2]}'), eventsOf('"[1,2]"'), eventsOf('[1,2]'), eventsOf('[]')]).toEqual([
    0, 1, 1, 2, 0,
  ]);
});
