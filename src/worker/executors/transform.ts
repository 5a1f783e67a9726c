import { payloadOf, payloadOfResult } from '../payload.ts';
import { textOf } from './node-config.ts';
import type { Executor } from './executor.ts';

/** JSONata on the input; what has no value is null. */
export const transform: Executor = async (task, { expressions }) => {
  const source = textOf(task.node, 'expression');
  const known = expressions.atOnce(source, task.input);
  return {
    output:
      known === null
        ? payloadOfResult(await expressions.evaluate(source, task.input, task))
        : payloadOf(known.value ?? null),
  };
};
