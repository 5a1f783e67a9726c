import { ActionIcon, Box, Group, Tooltip } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconArrowsMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { targetOf } from '../event-target.ts';
import { t } from '../../../lib/language.ts';
import { Drawing, type EdgeTone } from './Drawing.tsx';
import classes from './GraphView.module.css';
import type { Layout, LayoutEdge, LayoutNode, PlacedNode } from './layout.ts';
import { fit, isVisible, neighbour, opening, reveal, type ViewBox, zoom } from './view-box.ts';

export interface GraphViewProps<N extends LayoutNode> {
  /** Accessible name of the drawing. */
  readonly label: string;
  readonly nodes: readonly N[];
  /** Where they and the edges between them are drawn. */
  readonly layout: Layout;
  /** The inside of a node's box; the box has the node's width and height. */
  readonly renderNode: (node: N) => ReactNode;
  /** What a screen reader says of a node. */
  readonly nodeLabel: (node: N) => string;
  readonly onOpen?: (node: N) => void;
  readonly selected?: string | null | undefined;
  /** `taken`, `active`, `missed`: by a run, one that goes on beyond it, or not; `added`, `removed`: a difference, `faint`: none. */
  readonly edgeTone?: (edge: LayoutEdge) => EdgeTone;
}

/** Up to so many nodes all are drawn at any scale. Of more, only those in sight, and from afar their shapes alone. */
const FEW = 200;
const FAR = 0.3;
const KEY_ZOOM = 1.25;

/**
 * A graph to be looked at: drag to move, Ctrl+wheel, `+` and `-` or the buttons to zoom. It is one stop of the
 * Tab key; the arrows go from node to node and Enter opens.
 */
export function GraphView<N extends LayoutNode>({
  label,
  nodes,
  layout,
  renderNode,
  nodeLabel,
  onOpen,
  selected,
  edgeTone,
}: GraphViewProps<N>): ReactNode {
  const { ref: sizeRef, width, height } = useElementSize<HTMLDivElement>();
  const windowRef = useRef<HTMLDivElement | null>(null);
  // The same at each rendering: one made anew would forget a size that was measured and not yet told.
  const ref = useMergedRef(sizeRef, windowRef);
  const [box, setBox] = useState<ViewBox>({ scale: 1, x: 0, y: 0 });
  const moved = useRef(false);
  const [focused, setFocused] = useState<string | null>(null);
  const drag = useRef<{ x: number; y: number } | null>(null);
  const marker = useId();

  const many = nodes.length > FEW;
  const far = many && box.scale < FAR;
  const sight = many && !far ? isVisible(box, { width, height }) : null;
  // The rectangle moves in steps, so that dragging does not pick the nodes anew with every pixel.
  const shown = useMemo(() => {
    if (sight === null) return nodes;
    return nodes.filter((node) => {
      const at = layout.nodes.get(node.id);
      return (
        at !== undefined &&
        at.x + at.width > sight.left &&
        at.x < sight.right &&
        at.y + at.height > sight.top &&
        at.y < sight.bottom
      );
    });
  }, [nodes, layout, sight?.left, sight?.right, sight?.top, sight?.bottom]);
  const edgesInSight = useMemo(() => {
    if (sight === null) return layout.edges;
    return layout.edges.filter(
      ({ points }) =>
        points.some(({ x }) => x > sight.left) &&
        points.some(({ x }) => x < sight.right) &&
        points.some(({ y }) => y > sight.top) &&
        points.some(({ y }) => y < sight.bottom),
    );
  }, [layout, sight?.left, sight?.right, sight?.top, sight?.bottom]);
  const tabStop =
    [focused, selected, shown[0]?.id].find((id) => id !== null && id !== undefined && layout.nodes.has(id)) ??
    undefined;

  const fitAll = () => {
    moved.current = true;
    setBox(fit(layout, { width, height }));
  };
  useLayoutEffect(() => {
    const start = [...layout.nodes.values()].find((node) => node.rank === 0);
    if (width > 0 && start && !moved.current) setBox(opening(layout, start, { width, height }));
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
    if (event.button !== 0 || targetOf(event).closest('button')) return;
    drag.current = { x: event.clientX - box.x, y: event.clientY - box.y };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const from = drag.current;
    if (!from) return;
    moved.current = true;
    setBox((now) => ({ ...now, x: event.clientX - from.x, y: event.clientY - from.y }));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const run = { '+': () => step(KEY_ZOOM), '=': () => step(KEY_ZOOM), '-': () => step(1 / KEY_ZOOM), '0': fitAll }[
      event.key
    ];
    if (!run || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    run();
  };
  const onKey = useCallback(
    (event: KeyboardEvent<HTMLButtonElement>, node: PlacedNode) => {
      const next = neighbour(node, layout.nodes.values(), event.key);
      if (!next) return;
      event.preventDefault();
      setFocused(next.id);
      setBox((now) => reveal(now, next, { width, height }));
    },
    [layout, width, height],
  );
  // A node that was out of sight is drawn only once the window has moved there; then it takes the focus.
  useEffect(() => {
    const window = windowRef.current;
    if (focused === null || !window?.contains(document.activeElement)) return;
    const node = window.querySelector<HTMLElement>(`[data-node="${CSS.escape(focused)}"]`);
    if (node !== document.activeElement) node?.focus({ preventScroll: true });
  }, [focused, shown]);

  return (
    <Box pos="relative" h="100%" mih={0} onKeyDown={onKeyDown}>
      <div
        ref={ref}
        className={classes.window}
        role="group"
        aria-label={many ? t('{label}, {count} nodes', { label, count: nodes.length }) : label}
        tabIndex={far ? 0 : -1}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={() => (drag.current = null)}
        onPointerCancel={() => (drag.current = null)}
      >
        <div
          className={classes.drawing}
          style={{
            transform: `translate(${box.x}px, ${box.y}px) scale(${box.scale})`,
            width: layout.width,
            height: layout.height,
          }}
        >
          <Drawing
            layout={layout}
            nodes={shown}
            edges={edgesInSight}
            far={far}
            marker={marker}
            tabStop={tabStop}
            selected={selected}
            renderNode={renderNode}
            nodeLabel={nodeLabel}
            edgeTone={edgeTone}
            onOpen={onOpen}
            onFocus={setFocused}
            onKey={onKey}
          />
        </div>
      </div>
      <Group gap={4} className={classes.tools}>
        {(
          [
            [t('Zoom out'), IconMinus, () => step(1 / KEY_ZOOM)],
            [t('Zoom in'), IconPlus, () => step(KEY_ZOOM)],
            [t('Fit to view'), IconArrowsMaximize, fitAll],
          ] as const
        ).map(([name, Icon, run]) => (
          <Tooltip key={name} label={name}>
            <ActionIcon variant="default" size="sm" aria-label={name} onClick={run}>
              <Icon size={14} aria-hidden="true" />
            </ActionIcon>
          </Tooltip>
        ))}
      </Group>
    </Box>
  );
}
