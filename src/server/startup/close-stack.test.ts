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
  expect(errors).toEqual(['broken', 'a component did not close within 0.02 s; shutting down without it']);
});

it('of two parts that open side by side closes the one that did, where the other fails', async () => {
  const closed: string[] = [];
  const opened = createCloseStack(() => {});
  const part = (name: string) => ({ close: () => closed.push(name) });
  opened.keep(part('first'));
  await opened.keepBoth(Promise.resolve(part('a')), Promise.resolve(part('b')));
  const failing = opened.keepBoth(Promise.reject(new Error('no thread')), Promise.resolve(part('c')));
  await expect(failing).rejects.toThrow('no thread');
  await opened.closeAll();
  expect(closed).toEqual(['c', 'b', 'a', 'first']);
});
