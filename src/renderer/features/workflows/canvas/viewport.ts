import type { ReactFlowState } from '@xyflow/react';
import type { FlowNode, CanvasEdge } from './flow.ts';

type Placed = Pick<ReactFlowState<FlowNode, CanvasEdge>, 'transform' | 'width' | 'height' | 'nodeLookup'>;

/** The nodes of which something is in sight. */
export function idsInViewport(state: Placed): string[] {
  const ids: string[] = [];
  for (const id of state.nodeLookup.keys()) if (overlaps(boxOf(id, state), state)) ids.push(id);
  return ids;
}

/** Whether an edge may be in sight: what it leads from and to spans some of the canvas that is. */
export function crossesViewport({ source, target }: Pick<CanvasEdge, 'source' | 'target'>, state: Placed): boolean {
  const [from, to] = [boxOf(source, state), boxOf(target, state)];
  return (
    from !== null &&
    to !== null &&
    overlaps(
      [Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.max(from[2], to[2]), Math.max(from[3], to[3])],
      state,
    )
  );
}

/** Left, top, right and bottom on the canvas's box, in pixels. */
type Box = readonly [number, number, number, number];

function boxOf(id: string, { transform: [x, y, zoom], nodeLookup }: Placed): Box | null {
  const node = nodeLookup.get(id);
  if (!node) return null;
  const { internals, measured } = node;
  const left = internals.positionAbsolute.x * zoom + x;
  const top = internals.positionAbsolute.y * zoom + y;
  return [left, top, left + (measured.width ?? 0) * zoom, top + (measured.height ?? 0) * zoom];
}

const overlaps = (box: Box | null, { width, height }: Placed): boolean =>
  box !== null && box[0] < width && box[1] < height && box[2] > 0 && box[3] > 0;
