import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconArrowsMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import classes from './GraphView.module.css';
import { type Direction, type LayoutEdge, type LayoutNode, layoutGraph, pathOf, type PlacedEdge, type PlacedNode } from './layout.ts';
import { fit, neighbour, reveal, type ViewBox, zoom } from './view-box.ts';

export interface GraphViewProps<N extends LayoutNode> {
  /** Accessible name of the drawing. */
  readonly label: string;
  readonly nodes: readonly N[];
  readonly edges: readonly LayoutEdge[];
  readonly direction?: Direction;
  /** The inside of a node's box; the box has the node's width and height. */
  readonly renderNode: (node: N) => ReactNode;
  /** What a screen reader says of a node. */
  readonly nodeLabel: (node: N) => string;
  readonly onOpen?: (node: N) => void;
  readonly selected?: string | null | undefined;
  /** `muted`: a branch that was not taken; `active`: one that runs. */
  readonly edgeTone?: (edge: LayoutEdge) => 'muted' | 'active' | undefined;
}

/**
 * A graph in layers, to be looked at: drag to move, Ctrl+wheel or the buttons to zoom. It is one stop of the Tab key;
 * the arrows go from node to node and Enter opens.
 */
export function GraphView<N extends LayoutNode>({ label, nodes, edges, direction = 'right', renderNode, nodeLabel, onOpen, selected, edgeTone }: GraphViewProps<N>): ReactNode {
  const layout = useMemo(() => layoutGraph(nodes, edges, direction), [nodes, edges, direction]);
  const { ref: sizeRef, width, height } = useElementSize<HTMLDivElement>();
  const windowRef = useRef<HTMLDivElement | null>(null);
  const [box, setBox] = useState<ViewBox>({ scale: 1, x: 0, y: 0 });
  const moved = useRef(false);
  const [focused, setFocused] = useState<string | null>(null);
  const drag = useRef<{ x: number; y: number } | null>(null);
  const markerId = useId();
  const tabStop = [focused, selected, nodes[0]?.id].find((id) => id !== null && id !== undefined && layout.nodes.has(id));

  const fitAll = () => {
    moved.current = false;
    setBox(fit(layout, { width, height }));
  };
  useLayoutEffect(() => {
    if (width > 0 && !moved.current) setBox(fit(layout, { width, height }));
  }, [layout, width, height]);

  useEffect(() => {
    const node = windowRef.current;
    if (!node) return undefined;
    // React listens to `wheel` passively; zooming has to keep the page from zooming.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const at = node.getBoundingClientRect();
      moved.current = true;
      setBox((now) => zoom(now, Math.exp(-event.deltaY / 300), event.clientX - at.left, event.clientY - at.top));
    };
    node.addEventListener('wheel', onWheel, { passive: false });
    return () => node.removeEventListener('wheel', onWheel);
  }, []);

  const step = (factor: number) => {
    moved.current = true;
    setBox((now) => zoom(now, factor, width / 2, height / 2));
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || (event.target as HTMLElement).closest('button')) return;
    drag.current = { x: event.clientX - box.x, y: event.clientY - box.y };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const from = drag.current;
    if (!from) return;
    moved.current = true;
    setBox((now) => ({ ...now, x: event.clientX - from.x, y: event.clientY - from.y }));
  };
  const onNodeKey = (event: KeyboardEvent<HTMLButtonElement>, node: PlacedNode) => {
    const next = neighbour(node, layout.nodes.values(), event.key);
    if (!next) return;
    event.preventDefault();
    setFocused(next.id);
    setBox((now) => reveal(now, next, { width, height }));
    event.currentTarget.parentElement?.querySelector<HTMLElement>(`[data-node="${CSS.escape(next.id)}"]`)?.focus({ preventScroll: true });
  };

  return (
    <div className={classes.root}>
      <div
        ref={(element) => {
          sizeRef(element);
          windowRef.current = element;
        }}
        className={classes.window}
        role="group"
        aria-label={label}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={() => (drag.current = null)}
        onPointerCancel={() => (drag.current = null)}
      >
        <div className={classes.drawing} style={{ transform: `translate(${box.x}px, ${box.y}px) scale(${box.scale})`, width: layout.width, height: layout.height }}>
          <svg className={classes.edges} width={layout.width} height={layout.height} aria-hidden="true">
            <defs>
              <marker id={markerId} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
                <path d="M0,0.5 L7,4 L0,7.5 z" className={classes.arrow} />
              </marker>
            </defs>
            {layout.edges.map((edge, index) => (
              <Edge key={`${edge.from} ${edge.to} ${edge.port ?? ''} ${index}`} edge={edge} direction={direction} tone={edgeTone?.(edge)} marker={markerId} />
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
                onFocus={() => setFocused(node.id)}
                onKeyDown={(event) => onNodeKey(event, placed)}
                onClick={() => onOpen?.(node)}
              >
                {renderNode(node)}
              </button>
            );
          })}
        </div>
      </div>
      <Group gap={4} className={classes.tools}>
        {(
          [
            ['Zoom out', IconMinus, () => step(1 / 1.25)],
            ['Zoom in', IconPlus, () => step(1.25)],
            ['Show all', IconArrowsMaximize, fitAll],
          ] as const
        ).map(([name, Icon, run]) => (
          <Tooltip key={name} label={name}>
            <ActionIcon variant="default" size="sm" aria-label={name} onClick={run}>
              <Icon size={14} aria-hidden="true" />
            </ActionIcon>
          </Tooltip>
        ))}
      </Group>
    </div>
  );
}

function Edge({ edge, direction, tone, marker }: { edge: PlacedEdge; direction: Direction; tone: 'muted' | 'active' | undefined; marker: string }): ReactNode {
  const [first, second] = edge.points;
  return (
    <g className={classes.edge} data-tone={tone} data-back={edge.back || undefined}>
      <path d={pathOf(edge.points, direction)} markerEnd={`url(#${marker})`} />
      {edge.port !== undefined && first && (
        <text {...(direction === 'right' ? { x: first.x + 8, y: (second?.y ?? first.y) > first.y + 1 ? first.y + 15 : first.y - 6 } : { x: first.x + ((second?.x ?? first.x) < first.x ? -8 : 8), y: first.y + 14, textAnchor: (second?.x ?? first.x) < first.x ? 'end' : 'start' })}>
          {edge.port}
        </text>
      )}
    </g>
  );
}
