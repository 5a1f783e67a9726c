import { useEffect, useMemo, useRef, useState } from 'react';
import type { Definition } from '../../../contract/definition.ts';
import type { Point } from './definition/edits.ts';
import { freePosition, overlappingNodes, nodePositions } from './definition/positions.ts';
import type { PositionsAnswer, PositionsRequest } from './positions-worker.ts';

/** Nodes up to which a graph is laid out at once: under 10 ms. Larger ones are laid out in a thread. */
const AT_ONCE = 200;

/** Where every node is shown; null until a large graph was laid out the first time. While it is laid out anew, what is known stays, and what is new is beside it. */
export function usePositions({ nodes, edges }: Pick<Definition, 'nodes' | 'edges'>): ReadonlyMap<string, Point> | null {
  // The layout depends on ids, places and edges alone: not every letter typed in a form moves it.
  const shape = JSON.stringify({
    nodes: nodes.map(({ id, position }) => ({ id, ...(position ? { position } : {}) })),
    edges,
  });
  const heaped = useMemo(() => overlappingNodes(nodes), [shape]);
  const isLarge = nodes.length > AT_ONCE && (heaped.size > 0 || nodes.some((node) => !node.position));
  const now = useMemo(() => (isLarge ? null : nodePositions({ nodes, edges })), [shape, isLarge]);
  const [answer, setAnswer] = useState<PositionsAnswer | null>(null);
  const worker = useRef<Worker | null>(null);
  useEffect(() => () => worker.current?.terminate(), []);
  useEffect(() => {
    if (!isLarge) return;
    worker.current ??= new Worker(new URL('./positions-worker.ts', import.meta.url), { type: 'module' });
    worker.current.onmessage = ({ data }: MessageEvent<PositionsAnswer>) => setAnswer(data);
    worker.current.postMessage({ shape } satisfies PositionsRequest);
  }, [shape, isLarge]);
  return useMemo(() => {
    if (now) return now;
    if (answer === null || answer.shape === shape) return answer?.places ?? null;
    const places = new Map<string, Point>();
    for (const { id, position } of nodes)
      places.set(id, (heaped.has(id) ? undefined : position) ?? answer.places.get(id) ?? freePosition(places, null));
    return places;
  }, [now, answer, shape]);
}
