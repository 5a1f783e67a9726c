import type { Definition, DefinitionFault, WorkflowEdge } from '../../contract/definition.ts';

export const CONDITION_PORTS = ['true', 'false'];

/** Faults of the graph: ids, edges and their ports, input, output, cycles, what is never reached. */
export function checkGraph(definition: Definition): DefinitionFault[] {
  const { nodes, edges } = definition;
  const faults: DefinitionFault[] = [];
  const types = new Map<string, string>();
  nodes.forEach((node, i) => {
    if (types.has(node.id))
      faults.push({
        pointer: `/nodes/${i}/id`,
        code: 'DUPLICATE_NODE',
        message: `another node has the ID ${node.id}; node IDs must be unique`,
      });
    else types.set(node.id, node.type);
  });

  const inputs = nodes.flatMap((node, i) => (node.type === 'input' ? [i] : []));
  if (inputs.length === 0)
    faults.push({
      pointer: '/nodes',
      code: 'NO_INPUT',
      message: 'the graph has no input node; exactly one is required',
    });
  for (const i of inputs.slice(1))
    faults.push({
      pointer: `/nodes/${i}/type`,
      code: 'MANY_INPUTS',
      message: 'the graph has another input node; exactly one is required',
    });

  const good = checkEdges(edges, types, faults);
  const cycle = findCycle(
    nodes.map((n) => n.id),
    good,
  );
  if (cycle)
    faults.push({
      pointer: `/edges/${edges.indexOf(cycle.closing)}`,
      code: 'CYCLE',
      message: `the edge creates a cycle: ${cycle.path.join(' → ')}`,
    });

  const reached = reachedFrom(
    inputs.map((i) => nodes[i]?.id ?? ''),
    good,
  );
  if (inputs.length > 0)
    nodes.forEach((node, i) => {
      if (node.id !== definition.output && !reached.has(node.id))
        faults.push({
          pointer: `/nodes/${i}`,
          code: 'UNREACHABLE',
          message: `no path leads from the input to ${node.id}`,
        });
    });
  const type = types.get(definition.output);
  if (type === undefined)
    faults.push({
      pointer: '/output',
      code: 'OUTPUT_MISSING',
      message: definition.output === '' ? 'the output node is required' : `node ${definition.output} not found`,
    });
  else if (type !== 'output')
    faults.push({
      pointer: '/output',
      code: 'OUTPUT_TYPE',
      message: `${definition.output} is of type ${type}; the output must be a node of type output`,
    });
  else if (inputs.length > 0 && !reached.has(definition.output))
    faults.push({
      pointer: '/output',
      code: 'OUTPUT_UNREACHABLE',
      message: `no path leads from the input to ${definition.output}`,
    });
  return faults;
}

/** Names what is wrong with edges; gives those that lead from a node to a node. */
function checkEdges(
  edges: readonly WorkflowEdge[],
  types: ReadonlyMap<string, string>,
  faults: DefinitionFault[],
): WorkflowEdge[] {
  const seen = new Set<string>();
  return edges.filter((edge, i) => {
    const at = `/edges/${i}`;
    const key = JSON.stringify([edge.from, edge.to, edge.port]);
    if (seen.has(key))
      faults.push({
        pointer: at,
        code: 'DUPLICATE_EDGE',
        message: `another edge already connects ${edge.from} to ${edge.to}`,
      });
    seen.add(key);
    const from = types.get(edge.from);
    const to = types.get(edge.to);
    if (from === undefined)
      faults.push({ pointer: `${at}/from`, code: 'DANGLING_EDGE', message: `node ${edge.from} not found` });
    else if (from === 'output')
      faults.push({
        pointer: `${at}/from`,
        code: 'EDGE_FROM_OUTPUT',
        message: 'an output node cannot have outgoing edges',
      });
    else if (from === 'condition') {
      if (edge.port === undefined)
        faults.push({
          pointer: at,
          code: 'PORT_MISSING',
          message: `an edge from a condition needs a port: ${CONDITION_PORTS.join(' or ')}`,
        });
      else if (!CONDITION_PORTS.includes(edge.port))
        faults.push({
          pointer: `${at}/port`,
          code: 'PORT_UNKNOWN',
          message: `a condition has no port ${edge.port}; its ports are ${CONDITION_PORTS.join(' and ')}`,
        });
    } else if (edge.port !== undefined)
      faults.push({
        pointer: `${at}/port`,
        code: 'PORT_NOT_ALLOWED',
        message: `a node of type ${from} has no ports; remove the port`,
      });
    if (to === undefined)
      faults.push({ pointer: `${at}/to`, code: 'DANGLING_EDGE', message: `node ${edge.to} not found` });
    else if (to === 'input')
      faults.push({ pointer: `${at}/to`, code: 'EDGE_TO_INPUT', message: 'the input node cannot have incoming edges' });
    return from !== undefined && to !== undefined;
  });
}

function outgoing(edges: readonly WorkflowEdge[]): Map<string, WorkflowEdge[]> {
  const from = new Map<string, WorkflowEdge[]>();
  for (const edge of edges) {
    const known = from.get(edge.from);
    if (known) known.push(edge);
    else from.set(edge.from, [edge]);
  }
  return from;
}

/** The first cycle met, by a depth-first walk that needs no call stack. */
function findCycle(
  ids: readonly string[],
  edges: readonly WorkflowEdge[],
): { path: string[]; closing: WorkflowEdge } | null {
  const next = outgoing(edges);
  const state = new Map<string, 'open' | 'done'>();
  for (const start of ids) {
    if (state.has(start)) continue;
    const trail: { id: string; at: number }[] = [{ id: start, at: 0 }];
    state.set(start, 'open');
    for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
      const edge = next.get(top.id)?.[top.at++];
      if (edge === undefined) {
        state.set(top.id, 'done');
        trail.pop();
      } else if (state.get(edge.to) === 'open') {
        const path = trail.map((step) => step.id);
        return { path: [...path.slice(path.indexOf(edge.to)), edge.to], closing: edge };
      } else if (!state.has(edge.to)) {
        state.set(edge.to, 'open');
        trail.push({ id: edge.to, at: 0 });
      }
    }
  }
  return null;
}

function reachedFrom(starts: readonly string[], edges: readonly WorkflowEdge[]): Set<string> {
  const next = outgoing(edges);
  const reached = new Set(starts);
  for (const id of reached) for (const edge of next.get(id) ?? []) reached.add(edge.to);
  return reached;
}
