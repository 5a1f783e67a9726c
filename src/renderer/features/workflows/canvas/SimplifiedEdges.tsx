import { getBezierPath, Position, ViewportPortal } from '@xyflow/react';
import { memo, type ReactNode, useMemo } from 'react';
import classes from './Edges.module.css';
import { type FlowNode, portHeight, type CanvasEdge } from './flow.ts';
import { portsForType } from './connect-rules.ts';
import { NODE_HEIGHT, NODE_WIDTH } from '../definition/positions.ts';

/** All edges in two strokes of the pen: from far away, where none can be pointed at, hundreds cost as much as one. */
export const SimplifiedEdges = memo(function SimplifiedEdges({
  nodes,
  edges,
}: {
  nodes: readonly FlowNode[];
  edges: readonly CanvasEdge[];
}): ReactNode {
  const [good, faulty] = useMemo(() => {
    const at = new Map(nodes.map((node) => [node.id, node]));
    const paths: [string, string] = ['', ''];
    for (const { source, target, sourceHandle, data } of edges) {
      const [from, to] = [at.get(source), at.get(target)];
      if (from?.type !== 'step' || !to) continue;
      const ports = portsForType(from.data['type']);
      const [path] = getBezierPath({
        sourceX: from.position.x + NODE_WIDTH,
        sourceY: from.position.y + portHeight(Math.max(0, ports.indexOf(sourceHandle ?? undefined)), ports.length),
        sourcePosition: Position.Right,
        targetX: to.position.x,
        targetY: to.position.y + NODE_HEIGHT / 2,
        targetPosition: Position.Left,
        curvature: 0.3,
      });
      paths[data?.fault ? 1 : 0] += path;
    }
    return paths;
  }, [nodes, edges]);
  return (
    <ViewportPortal>
      <svg className={classes['farEdges']} aria-hidden="true">
        <path d={good} />
        {faulty !== '' && <path d={faulty} data-fault />}
      </svg>
    </ViewportPortal>
  );
});
