import type { NodeType } from '../../contract/node-types.ts';
import { code } from './code.ts';
import { condition } from './condition.ts';
import { delay } from './delay.ts';
import { createForEachExecutor } from './for-each.ts';
import { handler } from './handler.ts';
import type { Executor } from './executor.ts';
import { http } from './http.ts';
import { template } from './template.ts';
import { transform } from './transform.ts';
import { wait } from './wait.ts';

/** One for each type of node that a worker runs, but the forEach, which runs these for its items. */
const plain: Readonly<Record<Exclude<NodeType, 'input' | 'output' | 'workflow' | 'forEach'>, Executor>> = {
  transform,
  condition,
  code,
  template,
  http,
  delay,
  handler,
  wait,
};
const EXECUTORS = { ...plain, forEach: createForEachExecutor(plain) };

export const SUPPORTED_TYPES: readonly string[] = Object.keys(EXECUTORS);

/** What runs a node of a type; undefined where a worker does not support it. */
export const executorOf = (type: string): Executor | undefined =>
  Object.hasOwn(EXECUTORS, type) ? EXECUTORS[type as keyof typeof EXECUTORS] : undefined;
