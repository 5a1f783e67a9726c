import type { Definition, WorkflowEdge } from '../../../../contract/definition.ts';

/** The graph as lines to be read one after the other: each node after those that it depends on, with its ways out beneath. */
export interface OutlineNode {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  /** Names of the nodes that hand it their output. */
  readonly from: readonly string[];
  readonly out: readonly { readonly edge: WorkflowEdge; readonly name: string }[];
}

/** Nodes of a circle, which no order can put right, come last, as they are written. */
export function outlineNodes({ nodes, edges }: Pick<Definition, 'nodes' | 'edges'>): OutlineNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const name = (id: string): string => byId.get(id)?.name || id;
  const incoming = new Map<string, WorkflowEdge[]>();
  const outgoing = new Map<string, WorkflowEdge[]>();
  for (const edge of edges) {
    if (!byId.has(edge.from) || !byId.has(edge.to)) continue;
    incoming.set(edge.to, [...(incoming.get(edge.to) ?? []), edge]);
    outgoing.set(edge.from, [...(outgoing.get(edge.from) ?? []), edge]);
  }
  const open = new Map(nodes.map((node) => [node.id, incoming.get(node.id)?.length ?? 0]));
  const order: string[] = [];
  // The last one made ready is taken first, so that a branch is read to its end before the next one begins.
  const ready = nodes
    .filter((node) => open.get(node.id) === 0)
    .map((node) => node.id)
    .reverse();
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    order.push(id);
    for (const { to } of [...(outgoing.get(id) ?? [])].reverse()) {
      const left = (open.get(to) ?? 0) - 1;
      open.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
  const listed = new Set(order);
  return [...order, ...nodes.map((node) => node.id).filter((id) => !listed.has(id))].flatMap((id) => {
    const node = byId.get(id);
    if (!node) return [];
    return [
      {
        id,
        type: node.type,
        name: name(id),
        from: (incoming.get(id) ?? []).map((edge) => name(edge.from)),
        out: (outgoing.get(id) ?? []).map((edge) => ({ edge, name: name(edge.to) })),
      },
    ];
  });
}

/** Whether a line is meant by what was typed into the search. */
export const matchesOutlineSearch = ({ id, name, type }: OutlineNode, wanted: string): boolean =>
  `${id} ${name} ${type}`.toLowerCase().includes(wanted.trim().toLowerCase());
