import type { WorkerLimits } from '../../contract/worker-protocol.ts';
import { parseJson } from '../../lib/json.ts';
import { TaskExecutionError } from '../task-execution-error.ts';
import {
  compileExpression,
  followPath,
  isTimeout,
  jsonataCode,
  jsonataMessage,
  type CompiledExpression,
} from './compile.ts';
import { rememberLast } from '../../lib/bounded-map.ts';
import { computeWithDoubles } from '../raw-numbers.ts';
import type { Payload } from '../payload.ts';
import type { IsolatePool } from '../isolation/pool.ts';
import { UNDECIDED } from './fast-path.ts';
import { quoteExpression } from './quote-expression.ts';

export interface Expressions {
  /** The value of a JSONata expression on the input; undefined where it has none. Throws a `TaskExecutionError`. */
  evaluate(source: string, input: Payload, task: { signal(): AbortSignal }): Promise<unknown>;
  /** The same where it is known without the evaluator: a plain JSON value or undefined. Null where it is not. */
  tryFastPath(source: string, input: Payload): { value: unknown } | null;
}

/** How long an expression may hold the worker's event loop before it is started anew in a process. */
const INLINE_MS = 25;
const COMPILED = 1000;

/** Longer expressions are parsed where they run, in a process. */
const INLINE_CHARS = 10_000;

/** Light expressions run at once on the event loop, all others (and those that turn out to be long) in a process that may break. */
export function createExpressions(processes: IsolatePool, limits: Readonly<WorkerLimits>): Expressions {
  const compiled = rememberLast(COMPILED, (source: string) => compileExpression(source, INLINE_MS));
  const evaluateFast = ({ path, fastPath: quick }: CompiledExpression, input: unknown): { value: unknown } | null => {
    const found = path === null ? undefined : followPath(path, input);
    if (found !== undefined || quick === null) return found ?? null;
    const value = quick(input);
    return value === UNDECIDED ? null : { value };
  };
  return {
    tryFastPath: (source, input) =>
      source.length > INLINE_CHARS ? null : evaluateFast(compiled(source), input.value()),
    async evaluate(source, input, task) {
      const expression = source.length > INLINE_CHARS ? null : compiled(source);
      const found = expression === null ? null : evaluateFast(expression, input.value());
      if (found !== null) return found.value;
      if (expression?.cheap) {
        try {
          if (expression.structural) return await expression.evaluate(input.value());
          return await computeWithDoubles(input.value(), expression.evaluate);
        } catch (error) {
          if (!isTimeout(error)) throw expressionError(source, error);
        }
      }
      const text = await processes.run(
        {
          kind: 'expression',
          source,
          input: input.text(),
          outputBytes: limits.taskOutputBytes,
          timeoutMs: limits.expressionSeconds * 1000,
        },
        task.signal(),
      );
      return text === '' ? undefined : parseJson(text);
    },
  };
}

/** What the evaluator threw as a failure of the task. */
export function expressionError(source: string, error: unknown): TaskExecutionError {
  if (error instanceof TaskExecutionError) return error;
  const what =
    error instanceof RangeError
      ? `it created a string, list or recursion that is too large (${error.message})`
      : jsonataMessage(error);
  return new TaskExecutionError('TASK_ERROR', `the expression ${quoteExpression(source)} failed: ${what}`, {
    retryable: isWorthRetrying(source, jsonataCode(error)),
  });
}

/** Codes of what an author throws on purpose: `$error` and `$assert`. */
const THROWN: ReadonlySet<string | undefined> = new Set(['D3137', 'D3141']);

/**
 * An expression gives the same for the same input, so trying it again is in vain, unless the author throws (which may
 * be meant to put the task off) or it asks for the time or a random number.
 */
export const isWorthRetrying = (source: string, code?: string): boolean =>
  THROWN.has(code) || /\$(now|millis|random|shuffle|eval)\b/.test(source);
