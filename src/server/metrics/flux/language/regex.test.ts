import { expect, it } from 'vitest';
import { createRegex } from './regex.ts';

it('takes an expression of a reasonable size, and refuses one that would hold a reader up', () => {
  expect(createRegex('^[a-z]{1,63}-[0-9]{3}$').test('abc-123')).toBe(true);
  expect(() => createRegex('(?:.{0,30}){33}'.repeat(60))).toThrow(/the maximum is 2000/);
});
