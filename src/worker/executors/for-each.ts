import { isRecord } from '../../lib/is-record.ts';
import { isWorthRetrying } from '../expressions/expressions.ts';
import { TaskExecutionError } from '../task-execution-error.ts';
import { payloadFromText } from '../payload.ts';
import { requireText } from './node-config.ts';
import type { Executor, TaskRun } from './executor.ts';
import type { Tools } from './tools.ts';

/**
 * The list of a forEach (a lease with `item: null`), or one item of it: that is run by the executor of the inner node.
 * `inner`: the executors that it may use.
 */
export const createForEachExecutor =
  (inner: Readonly<Record<string, Executor>>): Executor =>
  async (task, tools) => {
    if (task.lease.item === null) return { output: payloadFromText('null'), items: await evaluateItems(task, tools) };
    const { type, config } = innerNode(task);
    const run = Object.hasOwn(inner, type) ? inner[type] : undefined;
    if (run === undefined)
      throw new TaskExecutionError(
        'INVALID_DAG',
        `a forEach node cannot run nodes of type ${JSON.stringify(type)}; allowed types: ${Object.keys(inner).join(', ')}`,
      );
    const { output } = await run({ ...task, node: { ...task.node, type, config } }, tools);
    return { output };
  };

/** The JSON texts of the items. Nothing but a list will do: who may have one or none of it writes `[…]` around the expression. */
async function evaluateItems(task: TaskRun, { expressions, limits }: Tools): Promise<string[]> {
  const source = requireText(task.node, 'items');
  const list = await expressions.evaluate(source, task.input, task);
  if (!Array.isArray(list))
    throw new TaskExecutionError(
      'TASK_ERROR',
      `the items expression returned ${describeType(list)}, not an array: put the expression in [ and ] to create an array`,
      { retryable: isWorthRetrying(source) },
    );
  const texts: string[] = [];
  let characters = 0;
  for (const item of list) {
    const text = JSON.stringify(item) ?? 'null';
    characters += text.length + 1;
    if (characters > limits.taskOutputBytes)
      throw new TaskExecutionError(
        'NON_RETRYABLE',
        `the list has more than ${limits.taskOutputBytes} characters of JSON: return fewer items, or references to them`,
      );
    texts.push(text);
  }
  return texts;
}

function innerNode({ node }: TaskRun): { type: string; config: Record<string, unknown> } {
  const inner = isRecord(node.config['node']) ? node.config['node'] : {};
  const { type, config } = inner;
  if (typeof type !== 'string')
    throw new TaskExecutionError('INVALID_DAG', `node ${node.id} (forEach) has no inner node in its config`);
  return { type, config: isRecord(config) ? config : {} };
}

function describeType(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
