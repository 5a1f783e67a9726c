import { useStoreApi } from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import type { FlowNode, CanvasEdge } from './flow.ts';
import { crossesViewport } from './viewport.ts';

/** Edges that come into sight in one frame, where all of them are drawn one by one again. */
const EDGES_A_FRAME = 32;
const NONE: ReadonlySet<string> = new Set();

/**
 * The edges that are drawn one by one. From far away (`far`) these are the chosen ones, as all of them are drawn as one; when
 * that ends, those in sight come a few in each frame. `waits`: not all of them have come yet.
 */
export function useNearEdges(
  edges: CanvasEdge[],
  far: boolean,
): { readonly near: CanvasEdge[]; readonly waits: boolean } {
  const store = useStoreApi<FlowNode, CanvasEdge>();
  // Null: all of them.
  const [come, setCome] = useState<ReadonlySet<string> | null>(far ? NONE : null);
  const waits = far || come !== null;
  useEffect(() => {
    if (far) setCome(NONE);
  }, [far]);
  useEffect(() => {
    if (far || come === null) return undefined;
    const frame = requestAnimationFrame(() => {
      const state = store.getState();
      const next = edges.filter((edge) => !come.has(edge.id) && crossesViewport(edge, state)).slice(0, EDGES_A_FRAME);
      setCome(next.length === 0 ? null : new Set([...come, ...next.map(({ id }) => id)]));
    });
    return () => cancelAnimationFrame(frame);
  }, [far, come, edges, store]);
  const near = useMemo(
    () => (far || come !== null ? edges.filter(({ id, selected }) => selected || (!far && come?.has(id))) : edges),
    [edges, far, come],
  );
  return { near, waits };
}
