import { expect, it } from 'vitest';
import { isShort } from './fits.ts';

it('takes a text for short by its letters, and one in another script never', () => {
  expect(isShort('flow-3', 84)).toBe(true);
  expect(isShort('', 0)).toBe(true);
  expect(isShort('checkout-of-the-shop', 84)).toBe(false);
  expect(isShort('注文', 84)).toBe(false);
});
