import { setTimeout as wait } from 'node:timers/promises';
import { requireNumber } from './node-config.ts';
import type { Executor } from './executor.ts';

/** Waits, holding its slot, and hands its input on. */
export const delay: Executor = async (task, { limits }) => {
  await wait(requireNumber(task.node, 'seconds', limits.delayMaxSeconds) * 1000, undefined, { signal: task.signal() });
  return { output: task.input };
};
