import { BaseEdge, type EdgeProps } from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import { edgePath, type Point } from '../../../ui/graph/edge-path.ts';
import classes from './Edges.module.css';
import type { CanvasEdge } from './flow.ts';

/** An edge. What is wrong with it shows in its line, and in the list of faults in words. */
export const EdgeLine = memo(function EdgeLine({
  id,
  sourceX,
  sourceY,
  targetX,
  targetY,
  data,
  selected,
}: EdgeProps<CanvasEdge>): ReactNode {
  const [from, to] = [
    { x: sourceX, y: sourceY },
    { x: targetX, y: targetY },
  ];
  const path = edgePath(from, to, via(data?.route ?? null, from, to));
  return (
    <g
      className={classes['wire']}
      data-fault={data?.fault ?? undefined}
      data-tested={data?.tested ?? undefined}
      data-run={data?.run ?? undefined}
      data-selected={selected || undefined}
    >
      <BaseEdge id={id} path={path} interactionWidth={18} />
    </g>
  );
});

/** How far the middle of a handle is from the side of its node. */
const HANDLE = 8;

/** The points by which an edge passes other nodes; none while one of its own is held elsewhere. */
function via(route: readonly Point[] | null, from: Point, to: Point): readonly Point[] {
  const near = (a: Point | undefined, b: Point) => a && Math.abs(a.x - b.x) <= HANDLE && Math.abs(a.y - b.y) <= HANDLE;
  return route && near(route[0], from) && near(route.at(-1), to) ? route.slice(1, -1) : [];
}
