import { useStoreApi } from '@xyflow/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { FlowNode, CanvasEdge } from './flow.ts';
import { idsInViewport } from './viewport.ts';
import { NO_NODES, nextVisibleNodes, NODES_PER_FRAME } from './visible-nodes.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * The nodes as the canvas library is to draw them: where hundreds come into sight at once, a few in each frame. Those that wait
 * are hidden from it meanwhile; `late` names them, so that their outlines can stand in for them.
 */
export function useProgressiveNodes(nodes: FlowNode[]): {
  readonly shown: FlowNode[];
  readonly late: ReadonlySet<string>;
} {
  const store = useStoreApi<FlowNode, CanvasEdge>();
  const [late, setLate] = useState(NONE);
  const it = useRef({ sight: NO_NODES, frame: 0, drew: null as CSSNumberish | null, nodes }).current;
  it.nodes = nodes;
  useEffect(() => {
    /** One slice in each frame, also where the canvas moves and what waits is drawn in the same one. */
    const room = (): number => {
      const { currentTime } = document.timeline;
      if (it.drew === currentTime) return 0;
      it.drew = currentTime;
      return NODES_PER_FRAME;
    };
    const look = (most: number) => {
      const before = it.sight.late;
      it.sight = nextVisibleNodes(it.sight, idsInViewport(store.getState()), most);
      const now = it.sight.late;
      if (now.size > 0 || before.size > 0) {
        // The library hears of it at once: told by its property alone, it would draw all of them first.
        if ([...now].some((id) => !before.has(id))) store.getState().setNodes(without(it.nodes, now));
        setLate(now.size > 0 ? now : NONE);
      }
      if (now.size === 0 || it.frame !== 0) return;
      it.frame = requestAnimationFrame(() => {
        it.frame = 0;
        look(room());
      });
    };
    // The library has drawn these by now.
    it.sight = { seen: new Set(idsInViewport(store.getState())), late: NONE };
    const stop = store.subscribe((state, before) => {
      if (state.transform !== before.transform || state.width !== before.width || state.height !== before.height)
        look(it.frame === 0 ? room() : 0);
    });
    return () => {
      stop();
      cancelAnimationFrame(it.frame);
      it.frame = 0;
    };
  }, [store]);
  const shown = useMemo(() => without(nodes, late), [nodes, late]);
  return { shown, late };
}

const hidden = new WeakMap<FlowNode, FlowNode>();
function hiddenOf(node: FlowNode): FlowNode {
  const known = hidden.get(node) ?? { ...node, hidden: true };
  hidden.set(node, known);
  return known;
}
const without = (nodes: FlowNode[], late: ReadonlySet<string>): FlowNode[] =>
  late.size === 0 ? nodes : nodes.map((node) => (late.has(node.id) ? hiddenOf(node) : node));
