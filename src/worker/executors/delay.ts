import { setTimeout as wait } from 'node:timers/promises';
import { LIMITS } from '../../contract/limits.ts';
import { numberOf } from './config.ts';
import type { Executor } from './executor.ts';

/** Waits, holding its slot, and hands its input on. */
export const delay: Executor = async (task) => {
  await wait(numberOf(task.node, 'seconds', LIMITS.delayMaxSeconds) * 1000, undefined, { signal: task.signal() });
  return { output: task.input };
};
