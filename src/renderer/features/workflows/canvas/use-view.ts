import { useReactFlow, type Viewport } from '@xyflow/react';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { reveal, type ViewBox } from '../../../ui/graph/view-box.ts';
import type { FlowNode, CanvasEdge } from './flow.ts';
import { NODE_HEIGHT } from '../definition/positions.ts';

/** A graph drawn smaller than this cannot be read. */
const READABLE = 0.8;
/** A whole graph may be a little smaller than a part: one whose last node is cut off tells less. */
const READABLE_WHOLE = 0.76;
/** The canvas goes no smaller. */
export const MIN_ZOOM = 0.05;
/** The least scale at which a node that was looked for is shown. */
const CLEAR = 0.9;
const glide = (): number => (window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 200);

export interface View {
  /** The box of the canvas. */
  readonly host: RefObject<HTMLDivElement | null>;
  /** An empty box over the part of the canvas that no pane covers. */
  readonly free: RefObject<HTMLDivElement | null>;
  /** Shows the whole graph where it can be read so small; else its beginning, in the middle of the height. */
  readonly open: () => void;
  /** Brings a node into sight. One that is in sight stays where it is. */
  readonly show: (id: string) => void;
  /** A node was made: the whole graph if that was in sight, else the node. */
  readonly made: (id: string) => void;
  /** Nodes were laid out anew: the whole graph, if that was in sight. */
  readonly laid: () => void;
  /** Shows the whole graph, however small; where that is shown already, its beginning at a size that can be read. */
  readonly fit: () => void;
  /** Somebody moved the canvas. */
  readonly moved: () => void;
}

/**
 * What part of the graph the canvas shows. Where a pane over it opens or closes, what is drawn stays at its place of the
 * window, and a node that is chosen in sight; a graph that is shown whole is fitted anew where nothing of it is chosen or can be read.
 * `makeRoom` folds what gives way to a graph that has no room; false: nothing does.
 */
export function useView(chosen: ReadonlySet<string>, makeRoom: () => boolean): View {
  const flow = useReactFlow<FlowNode, CanvasEdge>();
  const host = useRef<HTMLDivElement>(null);
  const free = useRef<HTMLDivElement>(null);
  const isWhole = useRef(false);
  const latest = useRef(chosen);
  latest.current = chosen;

  /** Where the whole graph is shown; null: there is none. */
  const whole = useCallback((): Viewport | null => {
    const nodes = flow.getNodes();
    const box = areaOf(host.current, free.current);
    if (nodes.length === 0 || !box) return null;
    const all = flow.getNodesBounds(nodes);
    const zoom = Math.max(MIN_ZOOM, Math.min(1, (box.width - 48) / all.width, (box.height - 96) / all.height));
    return {
      zoom,
      x: box.left + (box.width - all.width * zoom) / 2 - all.x * zoom,
      y: box.top + (box.height - all.height * zoom) / 2 - all.y * zoom,
    };
  }, [flow]);
  /** False: it would be drawn smaller than `least`, and is not shown. */
  const showWhole = useCallback(
    (duration: number, least = READABLE_WHOLE): boolean => {
      const to = whole();
      if (to === null || to.zoom < least) return false;
      void flow.setViewport(to, { duration });
      isWhole.current = true;
      return true;
    },
    [flow, whole],
  );
  const show = useCallback(
    (id: string) => {
      const node = flow.getNode(id);
      const box = areaOf(host.current, free.current);
      if (!node || !box) return;
      const { x, y, zoom } = flow.getViewport();
      const moved = revealIn(box, { x, y, scale: zoom }, node);
      if (zoom >= READABLE && moved.x === x && moved.y === y) return;
      isWhole.current = false;
      const scale = Math.max(zoom, CLEAR);
      const rect = rectOf(node);
      void flow.setViewport(
        {
          zoom: scale,
          x: box.left + box.width / 2 - (rect.x + rect.width / 2) * scale,
          y: box.top + box.height / 2 - (rect.y + rect.height / 2) * scale,
        },
        { duration: glide() },
      );
    },
    [flow],
  );
  /** Where the beginning of the graph is shown; null: there is none. */
  const beginning = useCallback((): Viewport | null => {
    const nodes = flow.getNodes();
    const first =
      nodes.find((node) => node.type === 'step' && node.data['type'] === 'input') ??
      nodes.find((node) => node.type === 'step');
    const box = areaOf(host.current, free.current);
    if (!first || !box) return null;
    return {
      zoom: READABLE,
      x: box.left + 32 - first.position.x * READABLE,
      y: box.top + box.height / 2 - (first.position.y + NODE_HEIGHT / 2) * READABLE,
    };
  }, [flow]);
  const showBeginning = useCallback(
    (duration: number) => {
      // Of an empty canvas all is in sight, and stays so while nodes come.
      isWhole.current = flow.getNodes().length === 0;
      const to = beginning();
      if (to) void flow.setViewport(to, { duration });
    },
    [beginning, flow],
  );
  /** Nothing is drawn on an empty canvas that could need it. */
  const giveRoom = useCallback(() => flow.getNodes().length > 0 && makeRoom(), [flow, makeRoom]);
  const open = useCallback(() => {
    if (showWhole(0)) return;
    // What the address names was selected before there was a canvas to show it on.
    const named = latest.current.size === 1 ? [...latest.current][0] : undefined;
    if (named !== undefined && flow.getNode(named)) show(named);
    else if (!giveRoom() || !showWhole(0)) showBeginning(0);
  }, [flow, giveRoom, show, showBeginning, showWhole]);
  const made = useCallback(
    (id: string) => {
      if (!isWhole.current || !showWhole(glide())) show(id);
    },
    [show, showWhole],
  );
  const laid = useCallback(() => void requestAnimationFrame(() => isWhole.current && showWhole(glide())), [showWhole]);
  const fit = useCallback(() => {
    const to = whole();
    if (to !== null && to.zoom < READABLE_WHOLE && isAt(flow.getViewport(), to)) showBeginning(glide());
    // A canvas that grows meanwhile would end a glide.
    else if (!showWhole(glide())) showWhole(giveRoom() ? 0 : glide(), MIN_ZOOM);
  }, [flow, giveRoom, showBeginning, showWhole, whole]);
  const moved = useCallback(() => void (isWhole.current = false), []);

  useLayoutEffect(() => {
    const [canvas, element] = [host.current, free.current];
    if (!canvas || !element) return undefined;
    let before = element.getBoundingClientRect();
    let corner = canvas.getBoundingClientRect();
    const observer = new ResizeObserver(() => {
      const [was, now] = [before, element.getBoundingClientRect()];
      const [from, to] = [corner, canvas.getBoundingClientRect()];
      [before, corner] = [now, to];
      const area = areaOf(canvas, element);
      if (!area || now.width === 0 || (now.width === was.width && now.height === was.height)) return;
      const one = [...latest.current].at(-1);
      const node = one === undefined ? undefined : flow.getNode(one);
      const { x, y, zoom } = flow.getViewport();
      if (isWhole.current && !node && showWhole(0)) return;
      const kept = { scale: zoom, x: x + from.left - to.left, y: y + from.top - to.top };
      const next = node ? revealIn(area, kept, node) : kept;
      void flow.setViewport({ zoom, x: next.x, y: next.y });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [flow, showWhole]);

  return useMemo(() => ({ host, free, open, show, made, laid, fit, moved }), [open, show, made, laid, fit, moved]);
}

/** Give or take what a glide rounds. */
const isAt = (at: Viewport, to: Viewport): boolean =>
  Math.abs(at.x - to.x) < 1 && Math.abs(at.y - to.y) < 1 && Math.abs(at.zoom - to.zoom) < 0.001;

interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The part of the canvas that no pane covers, from the corner of the canvas. */
function areaOf(canvas: HTMLElement | null, free: HTMLElement | null): Area | null {
  if (!canvas || !free) return null;
  const [all, part] = [canvas.getBoundingClientRect(), free.getBoundingClientRect()];
  return { left: part.left - all.left, top: part.top - all.top, width: part.width, height: part.height };
}

/** Height of the tools that float over its upper edge. */
const TOOLS = 44;

function revealIn({ left, top, width, height }: Area, box: ViewBox, node: FlowNode): ViewBox {
  const clear = { width, height: height - TOOLS };
  const { scale, x, y } = reveal({ ...box, x: box.x - left, y: box.y - top - TOOLS }, rectOf(node), clear);
  return { scale, x: x + left, y: y + top + TOOLS };
}

const rectOf = ({ position, width = 0, height = NODE_HEIGHT }: FlowNode) => ({ ...position, width, height });
