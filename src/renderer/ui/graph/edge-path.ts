/** How edges are drawn, in the builder as in graphs that are looked at. Pure. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Rectangle extends Point {
  readonly width: number;
  readonly height: number;
}

/** Room to the right of a node, in canvas units, below which a curve would turn back on itself. */
const LEAST = 12;
/** How far an edge goes straight on before it turns back, and the radius of its corners. */
const OFFSET = 18;
const RADIUS = 12;
/** Between an edge and a box that it passes. */
const CLEAR = 8;
/** Boxes that lie behind those that an edge avoids and are avoided too, before it is drawn straight. */
const MOST_PASSED = 12;
const SAMPLES = 24;

/** The `d` of an SVG path: curves that lead on, by way of `via`; where the end is to the left, level lines around the nodes instead of a loop. */
export function edgePath(from: Point, to: Point, via: readonly Point[] = []): string {
  if (to.x < from.x + LEAST) return steps(from, to);
  let d = `M${round(from.x)},${round(from.y)}`;
  let at = from;
  for (const point of [...via, to]) {
    const half = (point.x - at.x) / 2;
    d += ` C${round(at.x + half)},${round(at.y)} ${round(point.x - half)},${round(point.y)} ${round(point.x)},${round(point.y)}`;
    at = point;
  }
  return d;
}

/** Out to the right, back in the middle between both heights, and into the end from its left. */
function steps(from: Point, to: Point): string {
  const middle = (from.y + to.y) / 2;
  const corners = [
    { x: from.x + OFFSET, y: from.y },
    { x: from.x + OFFSET, y: middle },
    { x: to.x - OFFSET, y: middle },
    { x: to.x - OFFSET, y: to.y },
  ];
  let d = `M${round(from.x)},${round(from.y)}`;
  for (const [i, corner] of corners.entries()) {
    const before = corners[i - 1] ?? from;
    const after = corners[i + 1] ?? to;
    const enter = towards(corner, before);
    const leave = towards(corner, after);
    d += ` L${round(enter.x)},${round(enter.y)} Q${round(corner.x)},${round(corner.y)} ${round(leave.x)},${round(leave.y)}`;
  }
  return `${d} L${round(to.x)},${round(to.y)}`;
}

/** The point on the way to `other` where a rounded corner ends; at most half way. */
function towards(corner: Point, other: Point): Point {
  const [dx, dy] = [other.x - corner.x, other.y - corner.y];
  const length = Math.hypot(dx, dy);
  const share = length === 0 ? 0 : Math.min(RADIUS, length / 2) / length;
  return { x: corner.x + dx * share, y: corner.y + dy * share };
}

/** The points that an edge passes to keep clear of boxes that its curve would cross; none where it crosses none, or no way is found. */
export function edgeRoute(from: Point, to: Point, boxes: readonly Rectangle[]): readonly Point[] {
  if (to.x < from.x + LEAST) return [];
  const between = boxes.filter(({ x, width }) => x + width > from.x + CLEAR && x < to.x - CLEAR);
  const crossed = between.filter((box) => crosses(from, to, box));
  if (crossed.length === 0) return [];
  const middle = (from.y + to.y) / 2;
  const ways = [pass(crossed, between, 'above'), pass(crossed, between, 'below')].flatMap((way) => way ?? []);
  const [way] = ways.toSorted((a, b) => Math.abs(a.y - middle) - Math.abs(b.y - middle));
  if (way === undefined) return [];
  return [
    { x: Math.max(way.left - CLEAR, from.x + LEAST), y: way.y },
    { x: Math.min(way.right + CLEAR, to.x - LEAST), y: way.y },
  ];
}

/** A level line above or below boxes, which crosses no other either. */
function pass(
  crossed: readonly Rectangle[],
  between: readonly Rectangle[],
  side: 'above' | 'below',
): { y: number; left: number; right: number } | null {
  const passed = new Set(crossed);
  for (let i = 0; i < MOST_PASSED; i++) {
    const all = [...passed];
    const left = Math.min(...all.map(({ x }) => x));
    const right = Math.max(...all.map(({ x, width }) => x + width));
    const y =
      side === 'above'
        ? Math.min(...all.map((box) => box.y)) - 2 * CLEAR
        : Math.max(...all.map((box) => box.y + box.height)) + 2 * CLEAR;
    const inWay = between.filter(
      (box) =>
        !passed.has(box) &&
        box.x < right &&
        box.x + box.width > left &&
        box.y - CLEAR < y &&
        box.y + box.height + CLEAR > y,
    );
    if (inWay.length === 0) return { y, left, right };
    for (const box of inWay) passed.add(box);
  }
  return null;
}

/** Whether the curve from `from` to `to` comes into a box. */
function crosses(from: Point, to: Point, { x, y, width, height }: Rectangle): boolean {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  for (let i = 1; i < SAMPLES; i++) {
    const at = i / SAMPLES;
    const px = from.x + dx * (1.5 * at * (1 - at) + at ** 3);
    const py = from.y + dy * at * at * (3 - 2 * at);
    if (px > x && px < x + width && py > y - CLEAR && py < y + height + CLEAR) return true;
  }
  return false;
}

const round = (value: number): number => Math.round(value * 10) / 10;
