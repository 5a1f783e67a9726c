import type { Definition, WorkflowEdge, WorkflowNode } from '../../../../contract/definition.ts';
import { scanJson } from '../../../ui/json-text/scan.ts';
import { shapeFaults } from '../../../ui/json-text/check.ts';
import { freshId } from '../definition/node-types.ts';
import { parseJson } from '../../../../lib/json.ts';
import { ClipSchema } from './clipboard-schema.ts';
import type { Point } from '../definition/edits.ts';

/** Nodes on the clipboard, with the edges between them. What is copied in one workflow can be pasted in another. */
export interface Clip {
  readonly yardmaster: 'nodes';
  readonly nodes: readonly WorkflowNode[];
  readonly edges: readonly WorkflowEdge[];
}

/** The nodes in the order of the definition; `places`: where they are shown, so that the paste keeps their shape. */
export function copyToClip(definition: Definition, ids: ReadonlySet<string>, places: ReadonlyMap<string, Point>): Clip {
  const nodes = definition.nodes
    .filter((node) => ids.has(node.id))
    .map((node) => {
      const place = places.get(node.id);
      return place ? { ...node, position: { x: Math.round(place.x), y: Math.round(place.y) } } : node;
    });
  return {
    yardmaster: 'nodes',
    nodes,
    edges: definition.edges.filter((edge) => ids.has(edge.from) && ids.has(edge.to)),
  };
}

/** Reads what another window, or another program, put on the clipboard; null where these are no nodes. */
export function readClip(text: string): Clip | null {
  if (text.length > MOST || !text.includes('"yardmaster"')) return null;
  const { root, errors } = scanJson(text);
  if (root === null || errors.length > 0 || shapeFaults(root, ClipSchema).length > 0) return null;
  const clip = parseJson<Clip>(text);
  return clip.nodes.length === 0 ? null : clip;
}
const MOST = 5_000_000;

/** Adds the nodes of a clip under fresh ids; their edges follow. `at`: the place of their upper left corner; absent: none is written. */
export function paste(definition: Definition, clip: Clip, at?: Point): { definition: Definition; ids: string[] } {
  const taken = new Set(definition.nodes.map((node) => node.id));
  const names = new Map<string, string>();
  for (const { id } of clip.nodes) {
    const fresh = freshId(taken.has(id) ? id.replace(/-\d+$/, '') : id, taken);
    taken.add(fresh);
    names.set(id, fresh);
  }
  const left = Math.min(...clip.nodes.map((node) => node.position?.x ?? 0));
  const top = Math.min(...clip.nodes.map((node) => node.position?.y ?? 0));
  const nodes = clip.nodes.map(({ position, ...node }): WorkflowNode => {
    const fresh = { ...node, id: names.get(node.id) ?? node.id };
    return at
      ? {
          ...fresh,
          position: { x: Math.round(at.x + (position?.x ?? 0) - left), y: Math.round(at.y + (position?.y ?? 0) - top) },
        }
      : fresh;
  });
  const edges = clip.edges.flatMap((edge) => {
    const [from, to] = [names.get(edge.from), names.get(edge.to)];
    return from === undefined || to === undefined ? [] : [{ ...edge, from, to }];
  });
  return {
    definition: { ...definition, nodes: [...definition.nodes, ...nodes], edges: [...definition.edges, ...edges] },
    ids: nodes.map((node) => node.id),
  };
}
