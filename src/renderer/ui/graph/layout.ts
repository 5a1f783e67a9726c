import { itemAt, valueAt } from '../../../lib/item-at.ts';
import type { Point } from './edge-path.ts';

/**
 * A layered layout of a directed graph, left to right. Pure, the same answer for the same input. It takes whatever is
 * drawn while it is typed: edges to nodes that are not there are left out, and an edge that closes a cycle is turned
 * round for the placing and drawn as it is.
 */
export interface LayoutNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}
export interface LayoutEdge {
  readonly from: string;
  readonly to: string;
  readonly port?: string | undefined;
}
export type { Point };
export interface PlacedNode extends LayoutNode, Point {
  /** Column, from 0. */
  readonly rank: number;
}
export interface PlacedEdge extends LayoutEdge {
  /** From the side of `from` where it leaves to the side of `to` where it enters, by way of the points between. */
  readonly points: readonly Point[];
}
export interface Layout {
  readonly nodes: ReadonlyMap<string, PlacedNode>;
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

export interface Spacing {
  readonly columnGap: number;
  readonly rowGap: number;
}
const SPACING: Spacing = { columnGap: 56, rowGap: 24 };
/** Passes over the columns that take crossings out; more than this gains nothing that is seen. */
const SWEEPS = 6;
/** Ports from top to bottom, as they are drawn at a node. */
const PORT_ORDER: readonly (string | undefined)[] = ['true', 'false'];
/** Points in columns between, over all edges. Edges beyond it are drawn straight, so that no draft can freeze the window. */
const MAX_PASSES = 20_000;

/** A node, or the point where a long edge passes through a column. */
interface Slot {
  readonly key: string;
  readonly rank: number;
  readonly width: number;
  readonly height: number;
  /** With the place of the port that the edge leaves from, from 0, as a part of a row. */
  readonly before: { readonly slot: Slot; readonly port: number }[];
  readonly after: Slot[];
  order: number;
  y: number;
}

export function layoutGraph(
  nodes: readonly LayoutNode[],
  edges: readonly LayoutEdge[],
  spacing: Spacing = SPACING,
): Omit<Layout, 'edges'> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const known = edges.filter((edge) => byId.has(edge.from) && byId.has(edge.to) && edge.from !== edge.to);
  const back = backEdges([...byId.keys()], known);
  const forward = known.map((edge) =>
    back.has(edge) ? { edge, from: edge.to, to: edge.from } : { edge, from: edge.from, to: edge.to },
  );
  const ranks = rank([...byId.keys()], forward);

  const slots = new Map<string, Slot>();
  const columns: Slot[][] = [];
  const add = (key: string, at: number, width: number, height: number): Slot => {
    const column = (columns[at] ??= []);
    const slot: Slot = { key, rank: at, width, height, before: [], after: [], order: column.length, y: 0 };
    column.push(slot);
    return slot;
  };
  for (const node of inPortOrder([...byId.values()], forward))
    slots.set(node.id, add(node.id, ranks.get(node.id) ?? 0, node.width, node.height));
  let passes = 0;
  for (const [index, { edge, from, to }] of forward.entries()) {
    const [begin, end] = [valueAt(slots, from), valueAt(slots, to)];
    const chain = [begin];
    for (let at = begin.rank + 1; at < end.rank && passes < MAX_PASSES; at++, passes++)
      chain.push(add(`\0${index}:${at}`, at, 0, 8));
    chain.push(end);
    for (const [i, slot] of chain.slice(1).entries()) {
      const previous = itemAt(chain, i);
      previous.after.push(slot);
      slot.before.push({ slot: previous, port: i === 0 && edge.from === from ? portPlace(edge) : 0 });
    }
  }

  uncross(columns);
  straighten(columns, spacing.rowGap);

  const widths = columns.map((column) => Math.max(0, ...column.map((slot) => slot.width)));
  const left: number[] = [];
  let x = 0;
  for (const width of widths) {
    left.push(x);
    x += width + spacing.columnGap;
  }
  const all = columns.flat();
  const shift = all.length === 0 ? 0 : -Math.min(...all.map((slot) => slot.y - slot.height / 2));
  const placed = new Map<string, PlacedNode>();
  for (const node of byId.values()) {
    const slot = valueAt(slots, node.id);
    placed.set(node.id, {
      ...node,
      rank: slot.rank,
      x: (left[slot.rank] ?? 0) + ((widths[slot.rank] ?? 0) - node.width) / 2,
      y: slot.y - node.height / 2 + shift,
    });
  }
  const height = all.length === 0 ? 0 : Math.max(...all.map((slot) => slot.y + slot.height / 2)) + shift;
  return { nodes: placed, width: Math.max(0, x - spacing.columnGap), height };
}

/** Edges that lead back to a node under way: without them the graph has no cycle. Walks without recursion. */
function backEdges(ids: readonly string[], edges: readonly LayoutEdge[]): Set<LayoutEdge> {
  const outgoing = new Map<string, LayoutEdge[]>(ids.map((id) => [id, []]));
  for (const edge of edges) outgoing.get(edge.from)?.push(edge);
  const state = new Map<string, 'open' | 'done'>();
  const found = new Set<LayoutEdge>();
  const fed = new Set(edges.map((edge) => edge.to));
  for (const start of [...ids.filter((id) => !fed.has(id)), ...ids]) {
    if (state.has(start)) continue;
    const stack = [{ id: start, next: 0 }];
    state.set(start, 'open');
    while (stack.length > 0) {
      const top = itemAt(stack, stack.length - 1);
      const edge = outgoing.get(top.id)?.[top.next++];
      if (!edge) {
        state.set(top.id, 'done');
        stack.pop();
      } else if (state.get(edge.to) === 'open') found.add(edge);
      else if (!state.has(edge.to)) {
        state.set(edge.to, 'open');
        stack.push({ id: edge.to, next: 0 });
      }
    }
  }
  return found;
}

/** The column of each node: one after the last of its predecessors. */
function rank(ids: readonly string[], edges: readonly { from: string; to: string }[]): Map<string, number> {
  const open = new Map(ids.map((id) => [id, 0]));
  const outgoing = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const edge of edges) {
    open.set(edge.to, (open.get(edge.to) ?? 0) + 1);
    outgoing.get(edge.from)?.push(edge.to);
  }
  const ranks = new Map(ids.map((id) => [id, 0]));
  const queue = ids.filter((id) => open.get(id) === 0);
  for (let i = 0; i < queue.length; i++) {
    const id = queue[i] ?? '';
    for (const to of outgoing.get(id) ?? []) {
      ranks.set(to, Math.max(ranks.get(to) ?? 0, (ranks.get(id) ?? 0) + 1));
      const left = (open.get(to) ?? 0) - 1;
      open.set(to, left);
      if (left === 0) queue.push(to);
    }
  }
  return ranks;
}

const portPlace = ({ port }: LayoutEdge): number => Math.max(0, PORT_ORDER.indexOf(port)) / PORT_ORDER.length;

/** Each node before those that it leads to, and of those what an upper port leads to first: the order to begin with. Walks without recursion. */
function inPortOrder(
  nodes: readonly LayoutNode[],
  edges: readonly { edge: LayoutEdge; from: string; to: string }[],
): LayoutNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const outgoing = Map.groupBy(edges, ({ from }) => from);
  const fed = new Set(edges.map(({ to }) => to));
  // The last one is taken first: roots in their order, then what only a cycle leads to.
  const stack = [...nodes.filter(({ id }) => fed.has(id)), ...nodes.filter(({ id }) => !fed.has(id))].map(
    ({ id }) => id,
  );
  const roots = nodes.filter(({ id }) => !fed.has(id)).length;
  stack.splice(stack.length - roots, roots, ...stack.slice(stack.length - roots).toReversed());
  const order = new Map<string, LayoutNode>();
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const node = byId.get(id);
    if (!node || order.has(id)) continue;
    order.set(id, node);
    const next = (outgoing.get(id) ?? []).toSorted((a, b) => portPlace(a.edge) - portPlace(b.edge));
    stack.push(...next.map(({ to }) => to).toReversed());
  }
  return [...order.values()];
}

/** Orders each column by the mean place of its neighbours, there and back, and keeps the order with the fewest crossings. */
function uncross(columns: readonly Slot[][]): void {
  let fewest = crossings(columns);
  let best = columns.map((column) => [...column]);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    const down = sweep % 2 === 0;
    for (const column of down ? columns : [...columns].reverse()) {
      const places = (slot: Slot) =>
        down ? slot.before.map((edge) => edge.slot.order + edge.port) : slot.after.map((other) => other.order);
      const wish = new Map(column.map((slot) => [slot, mean(places(slot)) ?? slot.order]));
      column.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0) || a.order - b.order);
      for (const [order, slot] of column.entries()) slot.order = order;
    }
    const now = crossings(columns);
    if (now >= fewest) continue;
    fewest = now;
    best = columns.map((column) => [...column]);
  }
  for (const [i, column] of columns.entries()) {
    column.splice(0, column.length, ...(best[i] ?? []));
    for (const [order, slot] of column.entries()) slot.order = order;
  }
}

/** How many pairs of edges cross, those of the ports of one node among them. */
function crossings(columns: readonly Slot[][]): number {
  let found = 0;
  for (const column of columns) {
    const ends = column
      .flatMap((slot) => slot.before.map((edge) => [edge.slot.order + edge.port, slot.order] as const))
      .sort(([a, b], [c, d]) => a - c || b - d);
    // Inversions, by a tree of counts over the places in the column.
    const tree = new Uint32Array(column.length + 1);
    for (const [i, [, to]] of ends.entries()) {
      let notAbove = 0;
      for (let at = to + 1; at > 0; at -= at & -at) notAbove += tree[at] ?? 0;
      found += i - notAbove;
      for (let at = to + 1; at < tree.length; at += at & -at) tree[at] = (tree[at] ?? 0) + 1;
    }
  }
  return found;
}

/** Puts each slot near the middle of its neighbours, with room between those of a column. */
function straighten(columns: readonly Slot[][], gap: number): void {
  for (const column of columns) {
    let y = 0;
    for (const slot of column) {
      slot.y = y + slot.height / 2;
      y += slot.height + gap;
    }
    for (const slot of column) slot.y -= (y - gap) / 2;
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const column of down ? columns : [...columns].reverse())
      settle(
        column,
        column.map(
          (slot) => mean(down ? slot.before.map((edge) => edge.slot.y) : slot.after.map((other) => other.y)) ?? slot.y,
        ),
        gap,
      );
  }
}

/** The places nearest to the wishes (least squares) that keep order and distance: neighbours in the way move as one block. */
function settle(column: readonly Slot[], wishes: readonly number[], gap: number): void {
  const offsets: number[] = [];
  let offset = 0;
  for (const [i, slot] of column.entries()) {
    if (i > 0) offset += (itemAt(column, i - 1).height + slot.height) / 2 + gap;
    offsets.push(offset);
  }
  const blocks: { sum: number; count: number }[] = [];
  for (const [i, wish] of wishes.entries()) {
    blocks.push({ sum: wish - (offsets[i] ?? 0), count: 1 });
    for (;;) {
      const last = itemAt(blocks, blocks.length - 1);
      const previous = blocks.at(-2);
      if (!previous || previous.sum / previous.count <= last.sum / last.count) break;
      previous.sum += last.sum;
      previous.count += last.count;
      blocks.pop();
    }
  }
  let i = 0;
  for (const block of blocks)
    for (let n = 0; n < block.count; n++, i++) itemAt(column, i).y = block.sum / block.count + (offsets[i] ?? 0);
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
