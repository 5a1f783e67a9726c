import { payloadFromValue } from '../payload.ts';
import type { Executor } from './executor.ts';

/** Texts of a wait node that may hold `{{ JSONata }}`. */
const TEXTS = ['until', 'title'] as const;

/** Fills in the texts of a wait on its input. Its output is these texts alone: the master waits, and no slot is held. */
export const wait: Executor = async (task, { fillTemplate: fill }) => {
  const filled: Record<string, string> = {};
  for (const name of TEXTS) {
    const text = task.node.config[name];
    if (typeof text === 'string') filled[name] = await fill(text, task.input, task);
  }
  return { output: payloadFromValue(filled) };
};
