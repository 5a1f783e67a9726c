import type { Definition, PortWarning } from '../../contract/definition.ts';
import { CONDITION_PORTS } from './check-graph.ts';

/** Ports of conditions from which no edge leads. */
export function portWarnings({ nodes, edges }: Pick<Definition, 'nodes' | 'edges'>): PortWarning[] {
  const connected = new Set(edges.map(({ from, port }) => JSON.stringify([from, port])));
  return nodes.flatMap(({ id, type }, i) =>
    type === 'condition'
      ? CONDITION_PORTS.filter((port) => !connected.has(JSON.stringify([id, port]))).map((port) => ({
          pointer: `/nodes/${i}`,
          code: 'PORT_UNCONNECTED' as const,
          message: `port ${port} of ${id} leads nowhere: an input that takes it is not processed further`,
          port,
        }))
      : [],
  );
}
