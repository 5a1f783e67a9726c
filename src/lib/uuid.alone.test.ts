import { expect, it } from 'vitest';
import { uuidv7 } from './uuid.ts';

it('makes UUIDv7s that sort in the order they were made', () => {
  const ids = Array.from({ length: 20_000 }, () => uuidv7());
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids.slice(0, 100))
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

it('carries the time, and keeps its order when the clock goes back', () => {
  const now = Date.now() + 10_000;
  const a = uuidv7(now);
  const b = uuidv7(now - 5_000);
  expect(Number.parseInt(a.replaceAll('-', '').slice(0, 12), 16)).toBe(now);
  expect(b > a).toBe(true);
});
