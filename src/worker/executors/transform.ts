import { payloadOfResult } from '../payload.ts';
import { textOf } from './config.ts';
import type { Executor } from './executor.ts';

/** JSONata on the input; what has no value is null. */
export const transform: Executor = async (task, { expressions }) => ({
  output: payloadOfResult(await expressions.evaluate(textOf(task.node, 'expression'), task.input, task)),
});
