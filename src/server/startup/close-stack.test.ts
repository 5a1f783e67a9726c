import { expect, it } from 'vitest';
import { createCloseStack } from './close-stack.ts';

it('closes in reverse, goes on after a step that fails, and past one that never ends', async () => {
  const told: string[] = [];
  const errors: string[] = [];
  const opened = createCloseStack((error) => errors.push((error as Error).message), 20);
  opened.add(() => told.push('first'));
  opened.add(() => new Promise(() => {}));
  opened.add(() => {
    throw new Error('broken');
  });
  opened.add(() => new Promise((resolve) => setTimeout(() => resolve(told.push('slow')), 40)), 1000);
  await Promise.all([opened.closeAll(), opened.closeAll()]);
  expect(told).toEqual(['slow', 'first']);
  expect(errors).toEqual(['broken', 'a part did not close within 0.02 s and is left behind']);
});
