import type { CallWarning, Definition, DefinitionFault } from '../../contract/definition.ts';
import { ENVIRONMENTS, type Environment } from '../../contract/vocabulary.ts';

/** A node that calls a workflow; `pointer` is that of the id. */
export interface WorkflowCall {
  readonly pointer: string;
  readonly workflowId: string;
  /** Where it is to be published; empty: the node does not say, which is a fault. */
  readonly environment: string;
}

/** What a definition calls, also item by item. */
export function workflowCalls({ nodes }: Pick<Definition, 'nodes'>): WorkflowCall[] {
  return nodes.flatMap(({ type, config = {} }, i) => {
    const inner =
      type === 'forEach'
        ? (config['node'] as { type?: unknown; config?: Record<string, unknown> } | undefined)
        : undefined;
    const [kind, called, pointer] = inner
      ? [inner.type, inner.config, `/nodes/${i}/config/node/config/workflowId`]
      : [type, config, `/nodes/${i}/config/workflowId`];
    return kind === 'workflow' && typeof called?.['workflowId'] === 'string'
      ? [
          {
            pointer,
            workflowId: called['workflowId'],
            environment: typeof called['environment'] === 'string' ? called['environment'] : '',
          },
        ]
      : [];
  });
}

/** A workflow that calls itself would do so without end. (Loops over several workflows end at the limit of depth.) */
export const selfCalls = (calls: readonly WorkflowCall[], workflowId: string): DefinitionFault[] =>
  calls.flatMap((call) =>
    call.workflowId === workflowId
      ? [
          {
            pointer: call.pointer,
            code: 'SELF_CALL',
            message: `${workflowId} would call itself endlessly; call another workflow`,
          },
        ]
      : [],
  );

/** Calls of what cannot be called now. `published`: undefined: no such workflow, or an archived one; null: nothing is published there. */
export const callWarnings = (
  calls: readonly WorkflowCall[],
  published: (workflowId: string, environment: Environment) => string | null | undefined,
): CallWarning[] =>
  calls.flatMap(({ pointer, workflowId, environment }): CallWarning[] => {
    const known = ENVIRONMENTS.find((one) => one === environment);
    const hash = known === undefined ? '' : published(workflowId, known);
    if (typeof hash === 'string') return [];
    return hash === undefined
      ? [
          {
            pointer,
            code: 'CALL_UNKNOWN',
            message: `workflow ${workflowId} does not exist or is archived: calls from this node fail until it exists`,
            workflowId,
            environment,
          },
        ]
      : [
          {
            pointer,
            code: 'CALL_NOT_PUBLISHED',
            message: `${workflowId} is not published to ${environment} yet: calls from this node fail until it is`,
            workflowId,
            environment,
          },
        ];
  });
