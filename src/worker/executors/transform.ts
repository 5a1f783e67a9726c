import { payloadFromValue, payloadFromResult } from '../payload.ts';
import { requireText } from './node-config.ts';
import type { Executor } from './executor.ts';

/** JSONata on the input; what has no value is null. */
export const transform: Executor = async (task, { expressions }) => {
  const source = requireText(task.node, 'expression');
  const known = expressions.tryFastPath(source, task.input);
  return {
    output:
      known === null
        ? payloadFromResult(await expressions.evaluate(source, task.input, task))
        : payloadFromValue(known.value ?? null),
  };
};
