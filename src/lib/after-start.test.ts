import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { MEMORY, SHARED, warmThreads } from './after-start.ts';

const ALL = [...MEMORY, ...SHARED];

it('what a process tells V8 once it is ready is known there, and what it takes back to is what V8 has by itself', () => {
  const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const [, byDefault] of ALL) expect(stdout).toMatch(new RegExp(`default: ${byDefault}$`, 'm'));
});

it('is understood without a word', () => {
  const program = `for (const flag of ${JSON.stringify(ALL.flat())}) require('node:v8').setFlagsFromString(flag)`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([0, '', '']);
});

it('a thread loads what others need of Node, and ends by itself', async () => {
  const started = once(process, 'worker') as Promise<[Worker]>;
  warmThreads();
  const [thread] = await started;
  expect(await once(thread, 'exit')).toEqual([0]);
});
