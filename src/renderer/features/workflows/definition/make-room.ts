import type { Definition } from '../../../../contract/definition.ts';
import { moveNodes, setNode, type Point } from './edits.ts';
import { clear, NODE_WIDTH, nodePositions, SPACING } from './positions.ts';

/**
 * Places a node that was put between others, and makes room for it: what comes after it is moved to the right as far as it
 * must be, and nothing else. `before`: the definition without the new edges; `wanted`: where it was dropped. Where the other
 * nodes are all laid out by themselves, so is this one.
 */
export function makeRoom(before: Definition, after: Definition, id: string, wanted?: Point): Definition {
  const others = before.nodes.filter((node) => node.id !== id);
  if (others.every((node) => node.position === undefined)) return setNode(after, id, { position: undefined });
  const shown = nodePositions({ nodes: others, edges: before.edges });
  const places = new Map<string, Point>();
  // What was laid out by itself would be laid out anew around the new edges: it stays where it is shown.
  for (const node of others) {
    const place = shown.get(node.id);
    if (node.position === undefined && place) places.set(node.id, place);
  }
  const at = (one: string) => places.get(one) ?? shown.get(one);
  const behind = descendants(after, id);
  const inFront = [...shown].flatMap(([one, place]) => (behind.has(one) ? [] : [place]));
  places.set(id, clear(placeFor(after, id, at, wanted), inFront));
  const moved = new Set<string>();
  for (const one of topologicalOrder(after).filter((each) => behind.has(each))) {
    const before = after.edges.flatMap((edge) =>
      edge.to === one && (edge.from === id || behind.has(edge.from)) ? (at(edge.from)?.x ?? []) : [],
    );
    const least = Math.max(...before) + NODE_WIDTH + SPACING.columnGap;
    const place = at(one);
    if (!place || place.x >= least) continue;
    places.set(one, { x: least, y: place.y });
    moved.add(one);
  }
  // Who had to make way goes below who stands there.
  const standing = [...shown.keys(), id].flatMap((one) => (moved.has(one) ? [] : (at(one) ?? [])));
  for (const one of moved) {
    const place = clear(at(one) ?? { x: 0, y: 0 }, standing);
    places.set(one, place);
    standing.push(place);
  }
  return moveNodes(after, places);
}

/** Right of what leads to it; as high as it was dropped, else level with its neighbours. */
function placeFor({ edges }: Definition, id: string, at: (id: string) => Point | undefined, wanted?: Point): Point {
  const places = (ids: readonly string[]) => ids.flatMap((one) => at(one) ?? []);
  const from = places(edges.filter((edge) => edge.to === id).map((edge) => edge.from));
  const to = places(edges.filter((edge) => edge.from === id).map((edge) => edge.to));
  const around = [...from.slice(0, 1), ...to.slice(0, 1)];
  const least = from.length === 0 ? Number.NEGATIVE_INFINITY : Math.max(...from.map(({ x }) => x + NODE_WIDTH));
  const level = around.reduce((sum, { y }) => sum + y, 0) / Math.max(1, around.length);
  const free = least === Number.NEGATIVE_INFINITY ? (wanted?.x ?? 0) : least + SPACING.columnGap;
  return {
    x: wanted && wanted.x >= least + SPACING.columnGap / 2 ? wanted.x : free,
    y: wanted?.y ?? level,
  };
}

function descendants({ edges }: Definition, id: string): Set<string> {
  const next = Map.groupBy(edges, ({ from }) => from);
  const found = new Set<string>();
  const queue = [id];
  for (const one of queue)
    for (const { to } of next.get(one) ?? [])
      if (to !== id && !found.has(to)) {
        found.add(to);
        queue.push(to);
      }
  return found;
}

/** Nodes on a cycle, which a draft may have, are left out. */
function topologicalOrder({ nodes, edges }: Definition): string[] {
  const open = new Map(nodes.map(({ id }) => [id, 0]));
  for (const { to } of edges) open.set(to, (open.get(to) ?? 0) + 1);
  const next = Map.groupBy(edges, ({ from }) => from);
  const order = nodes.flatMap(({ id }) => (open.get(id) === 0 ? [id] : []));
  for (const id of order)
    for (const { to } of next.get(id) ?? []) {
      const left = (open.get(to) ?? 0) - 1;
      open.set(to, left);
      if (left === 0) order.push(to);
    }
  return order;
}
