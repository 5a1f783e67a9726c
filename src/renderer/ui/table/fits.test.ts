import { expect, it } from 'vitest';
import { fitsIn } from './fits.ts';

it('takes a text for short by its letters, and one in another script never', () => {
  expect(fitsIn('flow-3', 84)).toBe(true);
  expect(fitsIn('', 0)).toBe(true);
  expect(fitsIn('checkout-of-the-shop', 84)).toBe(false);
  expect(fitsIn('注文', 84)).toBe(false);
});
