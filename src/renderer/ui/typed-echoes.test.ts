import { expect, it } from 'vitest';
import { createTypedEchoes } from './typed-echoes.ts';

it('knows a text that comes back after more was typed, and takes what others wrote', () => {
  const echoes = createTypedEchoes();
  for (const text of ['a', 'ab', 'abc']) echoes.typed(text);
  // A slow page answers to the first key after the third.
  expect(echoes.isLate('a', 'abc')).toBe(true);
  expect(echoes.isLate('ab', 'abc')).toBe(true);
  expect(echoes.isLate('abc', 'abc')).toBe(false);
  // An undo writes a text that was typed once; nothing is awaited any more.
  expect(echoes.isLate('ab', 'abc')).toBe(false);
  echoes.typed('abd');
  expect(echoes.isLate('merged', 'abd')).toBe(false);
});

it('does not wait for a text that a later answer went past', () => {
  const echoes = createTypedEchoes();
  for (const text of ['a', 'ab', 'abc']) echoes.typed(text);
  expect(echoes.isLate('ab', 'abc')).toBe(true);
  expect(echoes.isLate('a', 'abc')).toBe(false);
});
