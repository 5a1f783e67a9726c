import { expect, it } from 'vitest';
import { pathText } from './path.ts';

it('writes a path as filters and expressions do', () => {
  expect(pathText(['order', 'items', 3, 'price'])).toBe('order.items[3].price');
  expect(pathText(['odd key', 'a-b'])).toBe('`odd key`.`a-b`');
  expect(pathText([0, 'x'])).toBe('$[0].x');
  expect(pathText([])).toBe('$');
});
