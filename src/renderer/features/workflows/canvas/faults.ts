import type { Definition } from '../../../../contract/definition.ts';
import type { DefinitionMark } from '../definition/marks.ts';
import { faultPath } from './draft.ts';
import { edgeKey } from '../definition/edits.ts';
import type { FaultLevel } from './flow.ts';

/** Faults by the node or the edge that they are in. */
export interface Faults {
  readonly nodes: ReadonlyMap<string, FaultLevel>;
  readonly edges: ReadonlyMap<string, FaultLevel>;
}

const WORSE: readonly FaultLevel[] = ['advice', 'publish', 'save'];

/** `marks`: of the very text that the definition was read from, or of one a moment older, whose places may be off by as much. */
export function faultsBySubject(definition: Definition, marks: readonly DefinitionMark[]): Faults {
  const found = { nodes: new Map<string, FaultLevel>(), edges: new Map<string, FaultLevel>() };
  for (const { pointer, blocks } of marks) {
    const place = faultPath(pointer);
    if (!place) continue;
    const edge = place.list === 'edges' ? definition.edges[place.index] : undefined;
    const key = place.list === 'nodes' ? definition.nodes[place.index]?.id : edge && edgeKey(edge);
    if (key === undefined) continue;
    const level = blocks ?? 'advice';
    const known = found[place.list].get(key);
    if (known === undefined || WORSE.indexOf(level) > WORSE.indexOf(known)) found[place.list].set(key, level);
  }
  return found;
}

/** What a mark is in: the flow id of a node, or the key of an edge; null for the definition as a whole. */
export function faultSubject(
  definition: Definition,
  { pointer }: DefinitionMark,
): { node: string } | { edge: string } | null {
  const place = faultPath(pointer);
  if (!place)
    return pointer === '/output' && definition.nodes.some((node) => node.id === definition.output)
      ? { node: definition.output }
      : null;
  if (place.list === 'nodes') {
    const node = definition.nodes[place.index];
    return node ? { node: node.id } : null;
  }
  const edge = definition.edges[place.index];
  return edge ? { edge: edgeKey(edge) } : null;
}
