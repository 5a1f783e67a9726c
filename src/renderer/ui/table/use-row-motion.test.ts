import { expect, it } from 'vitest';
import { rowShift } from './use-row-motion.ts';

it('follows a row that stands elsewhere than before', () => {
  expect(rowShift({ id: 'a', top: 0 }, { id: 'a', top: 36 })).toBe(-36);
  expect(rowShift({ id: 'a', top: 72 }, { id: 'a', top: 36 })).toBe(36);
});
it('follows no other row, none that stays, and none from far away', () => {
  expect(rowShift({ id: 'a', top: 0 }, { id: 'b', top: 36 })).toBeNull();
  expect(rowShift({ id: 'a', top: 36 }, { id: 'a', top: 36 })).toBeNull();
  expect(rowShift({ id: 'a', top: 0 }, { id: 'a', top: 9216 })).toBeNull();
  expect(rowShift({ id: undefined, top: 0 }, { id: undefined, top: 36 })).toBeNull();
});
