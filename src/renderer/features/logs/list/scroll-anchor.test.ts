import { expect, test } from 'vitest';
import { isAtBottom } from './scroll-anchor.ts';

test.each([
  ['at the end of the track', 9_200, 10_000, 10_000, true],
  ['a line above it', 9_178, 10_000, 10_000, false],
  ['at the end of the track as it was before taller lines were drawn', 7_200, 10_000, 8_000, true],
  ['beyond the end of a track that was shorter', 7_300, 10_000, 8_000, false],
  ['at the start of a track that was not drawn before', 0, 10_000, 0, false],
])('%s', (_where, scrollTop, track, before, at) => {
  expect(isAtBottom(scrollTop, 800, track, before)).toBe(at);
});
