import { ViewportPortal } from '@xyflow/react';
import { memo, type ReactNode, useMemo } from 'react';
import { edgePath } from '../../../ui/graph/edge-path.ts';
import { edgeEnds } from '../definition-layout.ts';
import classes from './Edges.module.css';
import type { FlowNode, CanvasEdge } from './flow.ts';

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
      const port = sourceHandle === 'out' ? undefined : (sourceHandle ?? undefined);
      const path = edgePath(...edgeEnds(from.position, to.position, from.data['type'], port));
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
