import { withoutUndefined } from '../../../../lib/without-undefined.ts';
import type { Definition, WorkflowEdge, WorkflowNode } from '../../../../contract/definition.ts';
import { freshId, nodeTypeDoc } from './node-types.ts';
import { overlappingNodes } from './positions.ts';

/**
 * The edits of a definition that canvas, outline and forms make. Pure: each gives a new definition and shares with the old
 * one what it did not change, so that the text is rewritten only where something changed. None checks the graph: a faulty
 * one is work in progress.
 */

/** Canvas units. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Members to set; `undefined` takes one away. */
export type NodePatch = { readonly [K in Exclude<keyof WorkflowNode, 'id'>]?: WorkflowNode[K] | undefined };

/** What an edge is told by: two with the same three are one. */
export const edgeKey = ({ from, to, port }: WorkflowEdge): string => JSON.stringify([from, to, port ?? null]);

const idsOf = (definition: Definition): Set<string> => new Set(definition.nodes.map((node) => node.id));
const spot = ({ x, y }: Point): Point => ({ x: Math.round(x), y: Math.round(y) });

/** Where a node is added: `between`, what came after that place comes after the node now; with `to`, that one alone. */
export interface After {
  readonly from: string;
  readonly port?: string | undefined;
  readonly between?: boolean | undefined;
  readonly to?: string | undefined;
}

/** A node of a type with the configuration that new ones start with. `after`: an edge leads to it from there. The first output node becomes the workflow's. */
export function addNode(
  definition: Definition,
  type: string,
  { position, after }: { position?: Point | undefined; after?: After | undefined } = {},
): { definition: Definition; id: string } {
  const id = freshId(type, idsOf(definition));
  const config = nodeTypeDoc(type)?.config ?? {};
  const node: WorkflowNode = {
    id,
    type,
    ...(Object.keys(config).length === 0 ? {} : { config: structuredClone(config) }),
    ...(position ? { position: spot(position) } : {}),
  };
  const known = definition.nodes.some((one) => one.id === definition.output);
  const next = {
    ...definition,
    nodes: [...definition.nodes, node],
    ...(type === 'output' && !known ? { output: id } : {}),
  };
  if (!after) return { id, definition: next };
  const port = type === 'condition' ? 'true' : undefined;
  const taken = (edge: WorkflowEdge): boolean =>
    after.between === true &&
    type !== 'output' &&
    edge.from === after.from &&
    edge.port === after.port &&
    (after.to === undefined || edge.to === after.to);
  const edges = next.edges.map((edge) =>
    taken(edge) ? { from: id, to: edge.to, ...(port === undefined ? {} : { port }) } : edge,
  );
  return {
    id,
    definition: connect(
      { ...next, edges },
      { from: after.from, to: id, ...(after.port === undefined ? {} : { port: after.port }) },
    ),
  };
}

/** Puts a node that is there into an edge, between the two nodes of that. */
export function insertIntoEdge(definition: Definition, id: string, { from, to, port }: WorkflowEdge): Definition {
  const isCondition = definition.nodes.find((node) => node.id === id)?.type === 'condition';
  const key = edgeKey({ from, to, ...(port === undefined ? {} : { port }) });
  const edges = definition.edges.flatMap((edge): WorkflowEdge[] =>
    edgeKey(edge) === key
      ? [
          { ...edge, to: id },
          { from: id, to, ...(isCondition ? { port: 'true' } : {}) },
        ]
      : [edge],
  );
  return { ...definition, edges };
}

/** Takes nodes away, and with each the edges at it and its place in a group. */
export function removeNodes(definition: Definition, ids: ReadonlySet<string>): Definition {
  if (!definition.nodes.some((node) => ids.has(node.id))) return definition;
  const next: Definition = {
    ...definition,
    nodes: definition.nodes.filter((node) => !ids.has(node.id)),
    edges: definition.edges.filter((edge) => !ids.has(edge.from) && !ids.has(edge.to)),
  };
  return inGroups(next, (nodes) => nodes.filter((id) => !ids.has(id)));
}

export function removeEdges(definition: Definition, keys: ReadonlySet<string>): Definition {
  const edges = definition.edges.filter((edge) => !keys.has(edgeKey(edge)));
  return edges.length === definition.edges.length ? definition : { ...definition, edges };
}

/** Adds an edge; an equal one that is there already stays alone. */
export function connect(definition: Definition, edge: WorkflowEdge): Definition {
  const key = edgeKey(edge);
  if (definition.edges.some((one) => edgeKey(one) === key)) return definition;
  return {
    ...definition,
    edges: [
      ...definition.edges,
      { from: edge.from, to: edge.to, ...(edge.port === undefined ? {} : { port: edge.port }) },
    ],
  };
}

export const disconnect = (definition: Definition, edge: WorkflowEdge): Definition =>
  removeEdges(definition, new Set([edgeKey(edge)]));

/** Leads an edge elsewhere, in its place of the list. */
export function reconnect(definition: Definition, old: WorkflowEdge, edge: WorkflowEdge): Definition {
  const key = edgeKey(old);
  if (definition.edges.some((one) => edgeKey(one) === edgeKey(edge))) return disconnect(definition, old);
  return { ...definition, edges: definition.edges.map((one) => (edgeKey(one) === key ? edge : one)) };
}

/** Sets members of a node, or takes them away. */
export function setNode(definition: Definition, id: string, patch: NodePatch): Definition {
  return {
    ...definition,
    nodes: definition.nodes.map((node) => (node.id === id ? withoutUndefined({ ...node, ...patch }) : node)),
  };
}

/** Writes places, in whole units. Of nodes that lay on one another those that are not moved forget theirs: the last one would jump back there. */
export function moveNodes(definition: Definition, places: ReadonlyMap<string, Point>): Definition {
  const heaped = definition.nodes.some((node) => places.has(node.id)) ? overlappingNodes(definition.nodes) : NONE;
  const nodes = definition.nodes.map((node) => {
    const place = places.get(node.id);
    if (!place) return heaped.has(node.id) ? unplaced(node) : node;
    const { x, y } = spot(place);
    return node.position?.x === x && node.position.y === y ? node : { ...node, position: { x, y } };
  });
  return nodes.every((node, index) => node === definition.nodes[index]) ? definition : { ...definition, nodes };
}

/** Takes every place away, so that all is laid out by itself again. */
export function clearPositions(definition: Definition): Definition {
  if (definition.nodes.every((node) => node.position === undefined)) return definition;
  return { ...definition, nodes: definition.nodes.map(unplaced) };
}

const NONE: ReadonlySet<string> = new Set();
const unplaced = ({ position: _position, ...node }: WorkflowNode): WorkflowNode => node;

/** Changes the members of each group; a group without any goes. */
export function inGroups(definition: Definition, change: (nodes: string[]) => string[]): Definition {
  const { groups } = definition.canvas ?? {};
  if (!groups) return definition;
  const next = groups
    .map((group) => ({ ...group, nodes: change(group.nodes) }))
    .filter((group) => group.nodes.length > 0);
  return { ...definition, canvas: { ...definition.canvas, groups: next } };
}
