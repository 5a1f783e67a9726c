import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { lowerThreadPriority } from './lower-thread-priority.ts';

it('changes nothing where a priority is that of the whole process, or may not be changed', () => {
  const set: number[] = [];
  lowerThreadPriority('darwin', (priority) => set.push(priority));
  lowerThreadPriority('win32', (priority) => set.push(priority));
  expect(set).toEqual([]);
  lowerThreadPriority('linux', () => {
    throw new Error('EACCES');
  });
});

it('is the priority of the calling thread alone', async () => {
  const before = getPriority();
  const code = `import { lowerThreadPriority } from ${JSON.stringify(new URL('./lower-thread-priority.ts', import.meta.url).href)}; import { getPriority } from 'node:os'; import { parentPort } from 'node:worker_threads'; lowerThreadPriority(); parentPort.postMessage(getPriority());`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
  const [inThread] = (await once(worker, 'message')) as [number];
  await worker.terminate();
  expect(inThread).toBe(process.platform === 'linux' ? 5 : before);
  expect(getPriority()).toBe(before);
});
