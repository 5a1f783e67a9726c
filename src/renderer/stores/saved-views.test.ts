import { expect, it } from 'vitest';
import { createSavedViews } from './saved-views.ts';

const memory = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
};

it('keeps views over a restart, one for each name, apart for each page', () => {
  const storage = memory();
  const views = createSavedViews(storage, 'jobs');
  views.save('night', { status: ['FAILED'] });
  views.save('night', { status: ['TIMEOUT'] });
  expect(createSavedViews(storage, 'jobs').list()).toEqual([{ name: 'night', search: { status: ['TIMEOUT'] } }]);
  expect(createSavedViews(storage, 'failures').list()).toEqual([]);
  expect(views.remove('night')).toEqual([]);
});
it('starts empty where what is kept is broken, and works without a storage', () => {
  expect(createSavedViews({ getItem: () => '[{"name":1},7', setItem: () => undefined }, 'jobs').list()).toEqual([]);
  expect(createSavedViews(null, 'jobs').save('a', {})).toHaveLength(1);
});
