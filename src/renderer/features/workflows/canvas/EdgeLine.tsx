import { BaseEdge, type EdgeProps, getBezierPath } from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import classes from './Edges.module.css';
import type { CanvasEdge } from './flow.ts';

/** An edge. What is wrong with it shows in its line, and in the list of faults in words. */
export const EdgeLine = memo(function EdgeLine({
  id,
  sourceX,
  sourceY,
  targetX,
  targetY,
  sourcePosition,
  targetPosition,
  data,
  selected,
}: EdgeProps<CanvasEdge>): ReactNode {
  const [path] = getBezierPath({ sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, curvature: 0.3 });
  return (
    <g className={classes['wire']} data-fault={data?.fault ?? undefined} data-selected={selected || undefined}>
      <BaseEdge id={id} path={path} interactionWidth={18} />
    </g>
  );
});
