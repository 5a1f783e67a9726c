import { requireText } from './node-config.ts';
import type { Executor } from './executor.ts';

/** Hands its input on over port `true` or `false`, by JSONata's own notion of truth (`$boolean`). */
export const condition: Executor = async (task, { expressions }) => {
  const truth = await expressions.evaluate(`$boolean((${requireText(task.node, 'expression')}\n))`, task.input, task);
  return { output: task.input, port: truth === true ? 'true' : 'false' };
};
