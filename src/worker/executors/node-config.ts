import type { LeasedNode } from '../../contract/worker-protocol.ts';
import { TaskExecutionError } from '../task-execution-error.ts';

/** A text of the node's configuration. Publishing has checked it, so a missing one is an invalid graph. */
export function requireText(node: LeasedNode, key: string): string {
  const value = node.config[key];
  if (typeof value !== 'string')
    throw new TaskExecutionError(
      'INVALID_DAG',
      `node ${node.id} (${node.type}) needs a string "${key}" in its config; got ${JSON.stringify(value) ?? 'none'}`,
    );
  return value;
}

/** A number of the node's configuration between 0 and `most`. */
export function requireNumber(node: LeasedNode, key: string, most: number, otherwise?: number): number {
  const value = node.config[key] ?? otherwise;
  if (typeof value !== 'number' || !(value >= 0 && value <= most))
    throw new TaskExecutionError(
      'INVALID_DAG',
      `node ${node.id} (${node.type}) needs a number "${key}" from 0 to ${most} in its config; got ${JSON.stringify(value) ?? 'none'}`,
    );
  return value;
}
