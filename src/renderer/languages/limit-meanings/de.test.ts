import { expect, test } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { limitMeanings } from './de.ts';

test('each limit has a sentence in German, and what is no limit has none', () => {
  const named = Object.keys(LIMITS).toSorted();
  expect(Object.keys(limitMeanings).toSorted()).toEqual(named);
  expect(named.filter((name) => !limitMeanings[name]?.endsWith('.'))).toEqual([]);
});
