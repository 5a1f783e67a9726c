import type { Definition, WorkflowNode } from '../../../../contract/definition.ts';
import { layoutGraph } from '../../../ui/graph/layout.ts';
import type { Point } from './edits.ts';

/** How large a node is drawn, in canvas units; the layout and the frames count on it. */
export const NODE_WIDTH = 208;
export const NODE_HEIGHT = 64;
/** Between nodes that are laid out, in canvas units. */
export const SPACING = { columnGap: 56, rowGap: 32 };
/** Placed nodes farther than this from where the others would be laid out draw those to them. */
const APART = 1500;

/**
 * Where every node is shown. One that has a place is there; the others are laid out by themselves, anew with each change
 * of the graph. Such places are not written into the definition before somebody moves the node: a version would change
 * with nothing done to it, two authors would disagree over numbers that neither chose, and what is written by hand or by
 * a program would never be laid out better than the first time it was opened. Nodes that are all at one place, as programs
 * write them that know of none, were placed by nobody: one would hide the others.
 */
export function nodePositions(definition: Pick<Definition, 'nodes' | 'edges'>): Map<string, Point> {
  const places = new Map<string, Point>();
  const heaped = overlappingNodes(definition.nodes);
  const free = definition.nodes.filter((node) => !node.position || heaped.has(node.id));
  for (const node of definition.nodes) if (node.position && !heaped.has(node.id)) places.set(node.id, node.position);
  if (free.length === 0) return places;
  const layout = layoutGraph(
    definition.nodes.map(({ id }) => ({ id, width: NODE_WIDTH, height: NODE_HEIGHT })),
    definition.edges,
    SPACING,
  );
  const [dx, dy] = shift([...places.values()], layout.width, layout.height);
  const taken = [...places.values()];
  for (const { id } of free) {
    const { x, y } = layout.nodes.get(id) ?? { x: 0, y: 0 };
    const place = taken.length === 0 ? { x, y } : clear({ x: x + dx, y: y + dy }, taken);
    places.set(id, place);
  }
  return places;
}

/** The nodes whose place is to the unit that of another. */
export function overlappingNodes(nodes: readonly Pick<WorkflowNode, 'id' | 'position'>[]): Set<string> {
  const at = Map.groupBy(
    nodes.filter((node) => node.position),
    ({ position }) => `${position?.x} ${position?.y}`,
  );
  return new Set([...at.values()].flatMap((heap) => (heap.length > 1 ? heap.map((node) => node.id) : [])));
}

/** Nothing, as long as the placed nodes are where the layout is; else the way to below them. */
function shift(placed: readonly Point[], width: number, height: number): [number, number] {
  if (placed.length === 0) return [0, 0];
  const [left, top, right, bottom] = boundingBox(placed);
  const near = left < width + APART && right > -APART && top < height + APART && bottom > -APART;
  return near ? [0, 0] : [left, bottom + SPACING.rowGap * 2];
}

/** Left, top, right and bottom of nodes at these places. */
export function boundingBox(spots: readonly Point[]): [number, number, number, number] {
  let [left, top, right, bottom] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (const { x, y } of spots) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + NODE_WIDTH);
    bottom = Math.max(bottom, y + NODE_HEIGHT);
  }
  return [left, top, right, bottom];
}

/** The place itself where nothing is in its way, or the nearest one below. */
export function clear(spot: Point, taken: readonly Point[]): Point {
  const inWay = (y: number) =>
    taken.find((one) => Math.abs(one.x - spot.x) < NODE_WIDTH + 12 && Math.abs(one.y - y) < NODE_HEIGHT + 12);
  let { y } = spot;
  for (let found = inWay(y); found; found = inWay(y)) y = found.y + NODE_HEIGHT + SPACING.rowGap;
  return { x: spot.x, y };
}

/** Where a new node goes that comes after another, or none: right of it, else right of all. */
export function freePosition(places: ReadonlyMap<string, Point>, after: string | null): Point {
  const all = [...places.values()];
  const before = after === null ? undefined : places.get(after);
  if (before) return clear({ x: before.x + NODE_WIDTH + SPACING.columnGap, y: before.y }, all);
  if (all.length === 0) return { x: 0, y: 0 };
  const [left, , , bottom] = boundingBox(all);
  return clear({ x: left, y: bottom + SPACING.rowGap }, all);
}
