import type { Definition } from '../../../../contract/definition.ts';
import type { CommitDiff } from '../../../../contract/workflows.ts';
import type { Layout } from '../../../ui/graph/layout.ts';
import { clear, overlappingNodes, NODE_HEIGHT, NODE_WIDTH, nodePositions } from '../definition/positions.ts';
import { definitionLayout } from '../definition-layout.ts';
import type { ReadableDiff } from './shape.ts';

export type DiffKind = 'added' | 'removed' | 'changed' | 'moved' | 'same';

export interface DiffNode {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly kind: DiffKind;
  readonly width: number;
  readonly height: number;
}
export interface DiffEdge {
  readonly from: string;
  readonly to: string;
  readonly port?: string | undefined;
  readonly kind: 'added' | 'removed' | 'same';
}

const SIZE = { width: NODE_WIDTH, height: NODE_HEIGHT };

/** Both versions in one graph: what is there now, and what has gone in its place. */
export function diffGraph(
  diff: CommitDiff,
  readable: ReadableDiff,
  from: Definition,
  to: Definition,
): { nodes: DiffNode[]; edges: DiffEdge[] } {
  const kinds = new Map(readable.nodes.map((node): [string, DiffKind] => [node.id, node.moved ? 'moved' : node.kind]));
  const gone = new Set(diff.nodes.removed.map(({ id }) => id));
  const all = [...to.nodes, ...from.nodes.filter(({ id }) => gone.has(id))];
  const key = ({ from: a, to: b, port }: { from: string; to: string; port?: string | undefined }) =>
    JSON.stringify([a, b, port]);
  const added = new Set(diff.edges.added.map(key));
  return {
    nodes: all.map(({ id, type, name = id }) => ({ id, type, name, kind: kinds.get(id) ?? 'same', ...SIZE })),
    edges: [
      ...to.edges.map((edge) => ({ ...edge, kind: added.has(key(edge)) ? ('added' as const) : ('same' as const) })),
      ...diff.edges.removed.map((edge) => ({ ...edge, kind: 'removed' as const })),
    ],
  };
}

/** Both where the builder shows them, edges drawn as there: what is there now at its place, and what has gone where it was, or beside that. */
export function diffLayout({ nodes, edges }: ReturnType<typeof diffGraph>, from: Definition, to: Definition): Layout {
  const own = new Map(to.nodes.map((node) => [node.id, node.position]));
  const heaped = { from: overlappingNodes(from.nodes), to: overlappingNodes(to.nodes) };
  const gone = new Map(from.nodes.map(({ id, position }) => [id, heaped.from.has(id) ? undefined : position]));
  const taken = to.nodes.flatMap(({ id, position }) => (position && !heaped.to.has(id) ? [position] : []));
  const places = nodePositions({
    nodes: nodes.map(({ id, type }) => {
      const before = own.has(id) ? undefined : gone.get(id);
      // Where nothing that stays was placed by hand, a place of before says nothing.
      const position = own.get(id) ?? (before && taken.length > 0 ? clear(before, taken) : undefined);
      return { id, type, ...(position ? { position } : {}) };
    }),
    edges: edges.map(({ from: source, to: target }) => ({ from: source, to: target })),
  });
  return definitionLayout(nodes, edges, places);
}
