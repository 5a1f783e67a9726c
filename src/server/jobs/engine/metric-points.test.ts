import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countEvents, countItems } from './metric-points.ts';

it('counts the items of an array without building it', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (items) => {
      expect(countItems(JSON.stringify(items))).toBe(items.length);
    }),
  );
});

it('counts all else as one event, and nothing as none', () => {
  expect([
    countEvents(null),
    countEvents('{"a":[1,2]}'),
    countEvents('"[1,2]"'),
    countEvents('[1,2]'),
    countEvents('[]'),
  ]).toEqual([0, 1, 1, 2, 0]);
});
