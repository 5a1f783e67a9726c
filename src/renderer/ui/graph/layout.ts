import { itemAt, valueAt } from '../../../lib/item-at.ts';

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
export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface PlacedNode extends LayoutNode, Point {
  /** Column, from 0. */
  readonly rank: number;
}
export interface PlacedEdge extends LayoutEdge {
  /** From the side of `from` where it leaves to the side of `to` where it enters, with a point in each column between. */
  readonly points: readonly Point[];
  /** Closes a cycle. */
  readonly back: boolean;
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
/** Points in columns between, over all edges. Edges beyond it are drawn straight, so that no draft can freeze the window. */
const MAX_PASSES = 20_000;

/** A node, or the point where a long edge passes through a column. */
interface Slot {
  readonly key: string;
  readonly rank: number;
  readonly width: number;
  readonly height: number;
  readonly before: Slot[];
  readonly after: Slot[];
  order: number;
  y: number;
}

export function layoutGraph(
  nodes: readonly LayoutNode[],
  edges: readonly LayoutEdge[],
  spacing: Spacing = SPACING,
): Layout {
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
  for (const node of byId.values()) slots.set(node.id, add(node.id, ranks.get(node.id) ?? 0, node.width, node.height));
  let passes = 0;
  const chains = forward.map(({ from, to }, index) => {
    const [begin, end] = [valueAt(slots, from), valueAt(slots, to)];
    const chain = [begin];
    for (let at = begin.rank + 1; at < end.rank && passes < MAX_PASSES; at++, passes++)
      chain.push(add(`\0${index}:${at}`, at, 0, 8));
    chain.push(end);
    for (const [i, slot] of chain.slice(1).entries()) {
      const previous = itemAt(chain, i);
      previous.after.push(slot);
      slot.before.push(previous);
    }
    return chain;
  });

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
  const routed = forward.map(({ edge }, index) => {
    const chain = itemAt(chains, index);
    const points = chain.map((slot, i): Point => {
      const node = placed.get(slot.key);
      if (node) return { x: i === 0 ? node.x + node.width : node.x, y: node.y + node.height / 2 };
      return { x: (left[slot.rank] ?? 0) + (widths[slot.rank] ?? 0) / 2, y: slot.y + shift };
    });
    const isBack = back.has(edge);
    return { ...edge, back: isBack, points: isBack ? points.reverse() : points };
  });
  const height = all.length === 0 ? 0 : Math.max(...all.map((slot) => slot.y + slot.height / 2)) + shift;
  return { nodes: placed, edges: routed, width: Math.max(0, x - spacing.columnGap), height };
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

/** Orders each column by the mean place of its neighbours, there and back. */
function uncross(columns: readonly Slot[][]): void {
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const column of down ? columns : [...columns].reverse()) {
      const wish = new Map(
        column.map((slot) => [slot, mean((down ? slot.before : slot.after).map((other) => other.order)) ?? slot.order]),
      );
      column.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0) || a.order - b.order);
      for (const [order, slot] of column.entries()) slot.order = order;
    }
  }
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
        column.map((slot) => mean((down ? slot.before : slot.after).map((other) => other.y)) ?? slot.y),
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

/** An edge as the `d` of an SVG path: level at its ends and where it passes a column. */
export function svgPath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  let d = `M${round(first.x)},${round(first.y)}`;
  let at = first;
  for (const point of rest) {
    const dx = (point.x - at.x) / 2;
    d += ` C${round(at.x + dx)},${round(at.y)} ${round(point.x - dx)},${round(point.y)} ${round(point.x)},${round(point.y)}`;
    at = point;
  }
  return d;
}
const round = (value: number): number => Math.round(value * 10) / 10;
