import type { CommitDiff } from '../../../contract/api.ts';
import type { Definition, WorkflowNode } from '../../../contract/definition.ts';
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

const SIZE = { width: 184, height: 48 };

/** Both versions in one graph: what is there now, and what has gone in its place. */
export function diffGraph(diff: CommitDiff, readable: ReadableDiff, from: Definition, to: Definition): { nodes: DiffNode[]; edges: DiffEdge[] } {
  const kinds = new Map(readable.nodes.map((node): [string, DiffKind] => [node.id, node.moved ? 'moved' : node.kind]));
  const gone = new Set((diff.nodes.removed as WorkflowNode[]).map(({ id }) => id));
  const all = [...to.nodes, ...from.nodes.filter(({ id }) => gone.has(id))];
  const key = ({ from: a, to: b, port }: { from: string; to: string; port?: string | undefined }) => JSON.stringify([a, b, port]);
  const added = new Set(diff.edges.added.map(key));
  return {
    nodes: all.map(({ id, type, name = id }) => ({ id, type, name, kind: kinds.get(id) ?? 'same', ...SIZE })),
    edges: [...to.edges.map((edge) => ({ ...edge, kind: added.has(key(edge)) ? ('added' as const) : ('same' as const) })), ...diff.edges.removed.map((edge) => ({ ...edge, kind: 'removed' as const }))],
  };
}
