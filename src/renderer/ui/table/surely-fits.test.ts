import { expect, it } from 'vitest';
import { surelyFits } from './surely-fits.ts';

it('takes a text for short by its letters, and one in another script never', () => {
  expect(surelyFits('flow-3', 84)).toBe(true);
  expect(surelyFits('', 0)).toBe(true);
  expect(surelyFits('checkout-of-the-shop', 84)).toBe(false);
  expect(surelyFits('注文', 84)).toBe(false);
});
