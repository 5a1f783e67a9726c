import { payloadFromValue } from '../payload.ts';
import { requireText } from './node-config.ts';
import type { Executor } from './executor.ts';

/** Text with `{{ JSONata }}`; the output is a string. */
export const template: Executor = async (task, { fillTemplate: fill }) => ({
  output: payloadFromValue(await fill(requireText(task.node, 'template'), task.input, task)),
});
