import { edgeRoute } from '../../ui/graph/edge-path.ts';
import type { Layout, LayoutEdge, PlacedEdge, Point } from '../../ui/graph/layout.ts';
import { portsForType } from './canvas/connect-rules.ts';
import { boundingBox, NODE_HEIGHT, NODE_WIDTH } from './definition/positions.ts';

const SIZE = { width: NODE_WIDTH, height: NODE_HEIGHT };
/** Below the lowest nodes, for what stands under them: how they fared. */
const FOOT = 22;
/** Edges of larger graphs lead straight on: to look at all nodes for each of them would take too long. */
const MOST_ROUTED = 200;

/** Heights at which the ways out of a node are, from its upper edge. */
export const portHeight = (index: number, count: number): number =>
  count === 1 ? NODE_HEIGHT / 2 : index === 0 ? 20 : NODE_HEIGHT - 20;

/** Where an edge leaves a node of this type, and where it enters the other. */
export function edgeEnds(
  source: Point,
  target: Point,
  sourceType: string,
  port: string | undefined,
): [from: Point, to: Point] {
  const ports = portsForType(sourceType);
  return [
    { x: source.x + NODE_WIDTH, y: source.y + portHeight(Math.max(0, ports.indexOf(port)), ports.length) },
    { x: target.x, y: target.y + NODE_HEIGHT / 2 },
  ];
}

/** The points of an edge, its ends among them, where it has to pass nodes; null where it leads straight on. */
export function routesAround(places: readonly Point[]): (from: Point, to: Point) => readonly Point[] | null {
  if (places.length > MOST_ROUTED) return () => null;
  const boxes = places.map((place) => ({ ...place, ...SIZE }));
  return (from, to) => {
    const via = edgeRoute(from, to, boxes);
    return via.length === 0 ? null : [from, ...via, to];
  };
}

/** Nodes at their places, from zero, and the edges between them, as the builder draws them. */
export function definitionLayout(
  nodes: readonly { readonly id: string; readonly type: string }[],
  edges: readonly LayoutEdge[],
  places: ReadonlyMap<string, Point>,
): Layout {
  if (places.size === 0) return { nodes: new Map(), edges: [], width: 0, height: 0 };
  const [left, top, right, bottom] = boundingBox([...places.values()]);
  const led = new Set(edges.map((edge) => edge.to));
  const types = new Map(nodes.map(({ id, type }) => [id, type]));
  const placed = new Map(
    [...places].map(([id, { x, y }]) => [id, { id, ...SIZE, x: x - left, y: y - top, rank: led.has(id) ? 1 : 0 }]),
  );
  const routeOf = routesAround([...placed.values()]);
  return {
    nodes: placed,
    edges: edges.flatMap((edge): PlacedEdge[] => {
      const [source, target] = [placed.get(edge.from), placed.get(edge.to)];
      if (!source || !target) return [];
      const ends = edgeEnds(source, target, types.get(edge.from) ?? '', edge.port);
      return [{ ...edge, points: routeOf(...ends) ?? ends }];
    }),
    width: right - left,
    height: bottom - top + FOOT,
  };
}
