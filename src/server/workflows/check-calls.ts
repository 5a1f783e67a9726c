import type { Definition, Fault } from '../../contract/definition.ts';

/** A node that calls a workflow; `pointer` is that of the id. */
export interface WorkflowCall {
  readonly pointer: string;
  readonly workflowId: string;
}

/** What a definition calls, also item by item. */
export function callsOf({ nodes }: Pick<Definition, 'nodes'>): WorkflowCall[] {
  return nodes.flatMap(({ type, config = {} }, i) => {
    const inner = type === 'forEach' ? (config['node'] as { type?: unknown; config?: Record<string, unknown> } | undefined) : undefined;
    const [kind, called, pointer] = inner ? [inner.type, inner.config, `/nodes/${i}/config/node/config/workflowId`] : [type, config, `/nodes/${i}/config/workflowId`];
    return kind === 'workflow' && typeof called?.['workflowId'] === 'string' ? [{ pointer, workflowId: called['workflowId'] }] : [];
  });
}

/** A workflow that calls itself would do so without end. (Loops over several workflows end at the limit of depth.) */
export const selfCalls = (calls: readonly WorkflowCall[], workflowId: string): Fault[] =>
  calls.flatMap((call) => (call.workflowId === workflowId ? [{ pointer: call.pointer, code: 'SELF_CALL', message: `${workflowId} would call itself without end; call another workflow` }] : []));
