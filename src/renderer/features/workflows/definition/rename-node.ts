import type { Definition } from '../../../../contract/definition.ts';
import { inGroups } from './edits.ts';
import { referencesFollow } from './references.ts';

/**
 * Gives a node another id. Its edges, the workflow's output and its group follow, and so do the expressions that read its
 * output by name (behind a join an input is keyed by predecessors). The caller sees to it that the id is free and well formed.
 */
export function renameNode(definition: Definition, id: string, next: string): Definition {
  if (id === next || !definition.nodes.some((node) => node.id === id)) return definition;
  const followed = referencesFollow(definition, id, next);
  const swap = (one: string): string => (one === id ? next : one);
  const renamed: Definition = {
    ...followed,
    nodes: followed.nodes.map((node) => (node.id === id ? { ...node, id: next } : node)),
    edges: followed.edges.map((edge) =>
      edge.from === id || edge.to === id ? { ...edge, from: swap(edge.from), to: swap(edge.to) } : edge,
    ),
    output: swap(definition.output),
  };
  return inGroups(renamed, (nodes) => (nodes.includes(id) ? nodes.map(swap) : nodes));
}
