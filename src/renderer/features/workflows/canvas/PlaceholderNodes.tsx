import { ViewportPortal } from '@xyflow/react';
import { memo, type ReactNode, useMemo } from 'react';
import classes from './Edges.module.css';
import type { FlowNode } from './flow.ts';
import { NODE_HEIGHT, NODE_WIDTH } from '../definition/positions.ts';

/** The outlines of nodes that are drawn in one of the next frames, all in one stroke of the pen. */
export const PlaceholderNodes = memo(function PlaceholderNodes({
  nodes,
  late,
}: {
  nodes: readonly FlowNode[];
  late: ReadonlySet<string>;
}): ReactNode {
  const path = useMemo(
    () =>
      nodes
        .map(({ id, type, position: { x, y } }) =>
          type === 'step' && late.has(id) ? `M${x} ${y}h${NODE_WIDTH}v${NODE_HEIGHT}h${-NODE_WIDTH}z` : '',
        )
        .join(''),
    [nodes, late],
  );
  return (
    <ViewportPortal>
      <svg className={classes['lateNodes']} aria-hidden="true">
        <path d={path} />
      </svg>
    </ViewportPortal>
  );
});
