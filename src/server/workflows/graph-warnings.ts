import type { Definition, GraphWarning } from '../../contract/definition.ts';
import { CONDITION_PORTS } from './check-graph.ts';
import { fieldWarnings } from './field-warnings.ts';

type WorkflowNode = Definition['nodes'][number];

type Graph = Pick<Definition, 'input' | 'nodes' | 'edges' | 'output'>;

/** Ports of conditions from which no edge leads, nodes whose result nobody gets, and fields that the input does not have. */
export const graphWarnings = (definition: Graph): GraphWarning[] => [
  ...edgeWarnings(definition),
  ...fieldWarnings(definition),
];

function edgeWarnings({ nodes, edges, output }: Graph): GraphWarning[] {
  const connected = new Set(edges.map(({ from, port }) => JSON.stringify([from, port])));
  const leaving = new Set(edges.map(({ from }) => from));
  const entered = new Set(edges.map(({ to }) => to));
  return nodes.flatMap((node, i): GraphWarning[] => {
    const { id, type } = node;
    const pointer = `/nodes/${i}`;
    if (type === 'condition')
      return CONDITION_PORTS.filter((port) => !connected.has(JSON.stringify([id, port]))).map((port) => ({
        pointer,
        code: 'PORT_UNCONNECTED',
        message: `port ${port} of ${id} leads nowhere: an input that takes it is not processed further`,
        port,
      }));
    // What is not reached is a fault already.
    const isLost = onlyComputes(node) && entered.has(id) && !leaving.has(id) && id !== output;
    return isLost
      ? [
          {
            pointer,
            code: 'RESULT_UNUSED',
            message: `no edge leads from ${id}: its result is not used`,
            node: id,
          },
        ]
      : [];
  });
}

const COMPUTING: ReadonlySet<string> = new Set(['transform', 'template', 'code']);

/** Nodes that call something, start something or wait may well be the last of their branch. */
function onlyComputes({ type, config }: WorkflowNode): boolean {
  if (type !== 'forEach') return COMPUTING.has(type);
  const inner = config?.['node'];
  return typeof inner === 'object' && inner !== null && 'type' in inner && COMPUTING.has(String(inner.type));
}
