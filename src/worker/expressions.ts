import { parseJson } from '../lib/json.ts';
import { TaskError } from './failure.ts';
import { compile, follow, isTimeout } from './jsonata.ts';
import { lru } from './lru.ts';
import { computing } from './numbers.ts';
import type { Payload } from './payload.ts';
import type { Threads } from './threads.ts';

export interface Expressions {
  /** The value of a JSONata expression on the input; undefined where it has none. Throws a `TaskError`. */
  evaluate(source: string, input: Payload, task: { signal(): AbortSignal }): Promise<unknown>;
}

/** How long an expression may hold the worker's event loop before it is started anew in a thread. */
const INLINE_MS = 25;
const COMPILED = 1000;

/** Light expressions run at once on the event loop, all others (and those that turn out to be long) in a thread. */
export function createExpressions(threads: Threads, timeoutSeconds: () => number): Expressions {
  const compiled = lru(COMPILED, (source) => compile(source, INLINE_MS));
  return {
    async evaluate(source, input, task) {
      const expression = compiled(source);
      const found = expression.path === null ? undefined : follow(expression.path, input.value());
      if (found !== undefined) return found.value;
      if (expression.light) {
        try {
          if (expression.structural) return await expression.evaluate(input.value());
          return await computing(input.value(), expression.evaluate);
        } catch (error) {
          if (!isTimeout(error)) throw expressionError(source, error);
        }
      }
      const text = await threads.run({ kind: 'expression', source, input: input.text(), timeoutMs: timeoutSeconds() * 1000 }, task.signal());
      return text === '' ? undefined : parseJson(text);
    },
  };
}

/** What the evaluator threw as a failure of the task. */
export function expressionError(source: string, error: unknown): TaskError {
  if (error instanceof TaskError) return error;
  const { message, code } = error as { message?: string; code?: string };
  return new TaskError('TASK_ERROR', `the expression ${JSON.stringify(source.slice(0, 200))} failed: ${message ?? code ?? String(error)}`);
}
