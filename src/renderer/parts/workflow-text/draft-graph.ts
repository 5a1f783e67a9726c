import { itemsOf, textOf, valueOf } from './place.ts';
import type { JsonNode } from './scan.ts';

/** The graph of a draft as far as it is typed, for its preview. Two nodes of one id are drawn as one. */
export interface DraftNode {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  /** Place in the list of nodes. */
  readonly index: number;
}
export interface DraftGraph {
  readonly nodes: readonly DraftNode[];
  readonly edges: readonly { from: string; to: string; port?: string }[];
}

export function draftGraph(root: JsonNode | null): DraftGraph {
  const nodes = new Map<string, DraftNode>();
  for (const [index, node] of itemsOf(valueOf(root, 'nodes')).entries()) {
    const id = textOf(valueOf(node, 'id'));
    if (id !== null && id !== '' && !nodes.has(id)) nodes.set(id, { id, type: textOf(valueOf(node, 'type')) ?? '', name: textOf(valueOf(node, 'name')) || id, index });
  }
  const edges = itemsOf(valueOf(root, 'edges')).flatMap((edge) => {
    const [from, to, port] = [textOf(valueOf(edge, 'from')), textOf(valueOf(edge, 'to')), textOf(valueOf(edge, 'port'))];
    return from === null || to === null ? [] : [{ from, to, ...(port === null ? {} : { port }) }];
  });
  return { nodes: [...nodes.values()], edges };
}
