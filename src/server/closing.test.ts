import { expect, it } from 'vitest';
import { closing } from './closing.ts';

it('closes in reverse, goes on after a step that fails, and past one that never ends', async () => {
  const told: string[] = [];
  const errors: string[] = [];
  const opened = closing((error) => errors.push((error as Error).message), 20);
  opened.later(() => told.push('first'));
  opened.later(() => new Promise(() => {}));
  opened.later(() => {
    throw new Error('broken');
  });
  opened.later(() => new Promise((resolve) => setTimeout(() => resolve(told.push('slow')), 40)), 1000);
  await Promise.all([opened.now(), opened.now()]);
  expect(told).toEqual(['slow', 'first']);
  expect(errors).toEqual(['broken', 'a part did not close within 0.02 s and is left behind']);
});
