import { payloadOf } from '../payload.ts';
import { textOf } from './node-config.ts';
import type { Executor } from './executor.ts';

/** Text with `{{ JSONata }}`; the output is a string. */
export const template: Executor = async (task, { fill }) => ({
  output: payloadOf(await fill(textOf(task.node, 'template'), task.input, task)),
});
