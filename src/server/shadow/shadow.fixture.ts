import type { WorkflowNode } from '../../contract/definition.ts';
import { OUTSIDE_TYPES } from '../../contract/node-types.ts';
import type { Lease, Report } from '../../contract/worker-protocol.ts';
import { done, failed, items } from '../testing/worker.fake.ts';
import type { Runnable } from '../workflows/port.ts';

/** What a worker does with a node of these tests; `answers` are those of the world outside. */
function outputOf(node: WorkflowNode, input: unknown, answers: Record<string, unknown>): unknown {
  if (OUTSIDE_TYPES.has(node.type)) return answers[node.id];
  if (node.type === 'transform') return { at: node.id, got: input };
  return input;
}

/** What it reports of a lease; the node `fails` fails for good. */
export function reportsOf(
  { graph }: Runnable,
  lease: Lease,
  answers: Record<string, unknown>,
  fails: string | null,
): Report[] {
  const reports: Report[] = [];
  let input = lease.input;
  for (const { id, node: name } of [{ id: lease.id, node: lease.node }, ...lease.chain]) {
    const node = graph.nodes.get(name) as WorkflowNode;
    const held = { id, attempt: 1 };
    if (name === fails) {
      reports.push(failed(held, { code: 'NON_RETRYABLE', message: 'refused', retryable: false }));
      break;
    }
    if (node.type === 'forEach' && lease.item === null) {
      reports.push(items(held, [1, 2, 3]));
      break;
    }
    input = node.type === 'forEach' ? (answers[name] ?? { got: input }) : outputOf(node, input, answers);
    reports.push(
      done(held, input, node.type === 'condition' ? (node.config?.['expression'] as 'true' | 'false') : undefined),
    );
  }
  return reports;
}

/** A transform that does what the workers of these tests do. */
export const tell = (id: string, more = ''): Partial<WorkflowNode> => ({
  config: { expression: `{"at": "${id}", "got": $${more}}` },
});
