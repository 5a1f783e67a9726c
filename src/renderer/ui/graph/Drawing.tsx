import { type KeyboardEvent, memo, type ReactNode, useMemo } from 'react';
import classes from './GraphView.module.css';
import { edgePath } from './edge-path.ts';
import type { Layout, LayoutEdge, LayoutNode, PlacedEdge, PlacedNode } from './layout.ts';

export type EdgeTone = 'taken' | 'active' | 'missed' | 'faint' | 'added' | 'removed' | undefined;

/** Signs of the tones that stand for a difference, so that they are not told by colour alone. */
const SIGNS: Readonly<Record<string, string>> = { added: '+', removed: '−' };

export interface DrawingProps<N extends LayoutNode> {
  readonly layout: Layout;
  /** The nodes that are in sight. */
  readonly nodes: readonly N[];
  /** The edges that may be in sight. */
  readonly edges: readonly PlacedEdge[];
  /** Too small to be read: shapes alone, in two strokes of the pen. */
  readonly far: boolean;
  readonly marker: string;
  readonly tabStop: string | undefined;
  readonly selected: string | null | undefined;
  readonly renderNode: (node: N) => ReactNode;
  readonly nodeLabel: (node: N) => string;
  readonly edgeTone: ((edge: LayoutEdge) => EdgeTone) | undefined;
  readonly onOpen: ((node: N) => void) | undefined;
  readonly onFocus: (id: string) => void;
  readonly onKey: (event: KeyboardEvent<HTMLButtonElement>, node: PlacedNode) => void;
}

/** What moves under the window of a graph. Moving and zooming draw nothing of it again. */
function DrawingOf<N extends LayoutNode>({
  layout,
  nodes,
  edges,
  far,
  marker,
  tabStop,
  selected,
  renderNode,
  nodeLabel,
  edgeTone,
  onOpen,
  onFocus,
  onKey,
}: DrawingProps<N>): ReactNode {
  if (far) return <Far layout={layout} />;
  return (
    <>
      <svg className={classes.edges} width={layout.width} height={layout.height} aria-hidden="true">
        <defs>
          <marker
            id={marker}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="9"
            markerHeight="9"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0,0.5 L7,4 L0,7.5 z" className={classes.arrow} />
          </marker>
        </defs>
        {edges.map((edge, index) => (
          <Edge
            key={`${edge.from} ${edge.to} ${edge.port ?? ''} ${index}`}
            edge={edge}
            tone={edgeTone?.(edge)}
            marker={marker}
          />
        ))}
      </svg>
      {nodes.map((node) => {
        const placed = layout.nodes.get(node.id);
        if (!placed) return null;
        return (
          <button
            key={node.id}
            type="button"
            data-node={node.id}
            className={classes.node}
            style={{ left: placed.x, top: placed.y, width: node.width, height: node.height }}
            tabIndex={node.id === tabStop ? 0 : -1}
            aria-label={nodeLabel(node)}
            aria-pressed={selected === undefined ? undefined : selected === node.id}
            onFocus={() => onFocus(node.id)}
            onKeyDown={(event) => onKey(event, placed)}
            onClick={() => onOpen?.(node)}
          >
            {renderNode(node)}
          </button>
        );
      })}
    </>
  );
}
// `memo` loses the type parameter.
export const Drawing = memo(DrawingOf) as typeof DrawingOf;

function pathOf({ points }: PlacedEdge): string {
  const [first, last] = [points[0], points.at(-1)];
  return first && last ? edgePath(first, last, points.slice(1, -1)) : '';
}

const Edge = memo(function Edge({
  edge,
  tone,
  marker,
}: {
  edge: PlacedEdge;
  tone: EdgeTone;
  marker: string;
}): ReactNode {
  const [first] = edge.points;
  const sign = SIGNS[tone ?? ''];
  return (
    <g className={classes.edge} data-tone={tone}>
      <path d={pathOf(edge)} markerEnd={`url(#${marker})`} />
      {sign !== undefined && first && (
        <text x={first.x + 8} y={first.y - 6}>
          {sign}
        </text>
      )}
    </g>
  );
});

function Far({ layout }: { layout: Layout }): ReactNode {
  const [edges, nodes] = useMemo(
    () => [
      layout.edges.map(pathOf).join(' '),
      [...layout.nodes.values()]
        .map((node) => `M${node.x},${node.y}h${node.width}v${node.height}h${-node.width}z`)
        .join(''),
    ],
    [layout],
  );
  return (
    <svg className={classes.edges} width={layout.width} height={layout.height} aria-hidden="true">
      <path d={edges} className={classes.farEdges} />
      <path d={nodes} className={classes.farNodes} />
    </svg>
  );
}
