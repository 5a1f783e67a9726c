import { expect, it } from 'vitest';
import { retryAfterSeconds } from './retry-after.ts';

it.each([
  ['5', 5],
  [' 1.5 ', 1.5],
  ['Thu, 01 Jan 2026 00:00:10 GMT', 10],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
  ['9'.repeat(400), undefined],
  [null, undefined],
  [undefined, undefined],
])('Retry-After %j is %s s', (header, seconds) =>
  expect(retryAfterSeconds(header, Date.UTC(2026, 0, 1))).toBe(seconds),
);
