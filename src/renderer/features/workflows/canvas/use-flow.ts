import { applyEdgeChanges, applyNodeChanges, type EdgeChange, type NodeChange } from '@xyflow/react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { WorkflowEdge } from '../../../../contract/definition.ts';
import type { Builder, CanvasSelection } from './builder.ts';
import type { Point } from '../definition/edits.ts';
import { type FlowNode, flowEdges, flowNodes, frameNodes, type FlowNodeOptions, type CanvasEdge } from './flow.ts';

/** What the canvas shows, and what is selected on it. A gesture lives here while it lasts, and becomes one edit of the draft at its end. */
export function useFlow(shown: FlowNodeOptions, builder: Builder) {
  const [nodes, setNodes] = useState<FlowNode[]>(() => flowNodes([], shown));
  const [edges, setEdges] = useState<CanvasEdge[]>(() => flowEdges([], shown));
  const wish = useRef<ReadonlySet<string> | null>(null);
  const dragging = useRef(false);
  /** The edge that what is dragged is held over. */
  const into = useRef<WorkflowEdge | null>(null);
  const latest = useRef(shown);
  latest.current = shown;
  const latestNodes = useRef(nodes);
  latestNodes.current = nodes;

  useEffect(() => {
    const wanted = wish.current;
    wish.current = null;
    setNodes((before) => selected(flowNodes(before, shown), wanted));
    setEdges((before) => selected(flowEdges(before, shown), wanted && new Set()));
  }, [shown]);

  /** Selects these alone; those that are not there yet, once they are. */
  const select = useCallback((flowIds: readonly string[], edgeKeys: readonly string[] = []) => {
    wish.current = new Set(flowIds);
    setNodes((before) => selected(before, new Set(flowIds)));
    setEdges((before) => selected(before, new Set(edgeKeys)));
  }, []);

  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      // What a person selects counts from then on, and not what was wished for before.
      if (changes.some(({ type }) => type === 'select')) wish.current = null;
      const all = withMembers(changes, latestNodes.current);
      const ended = all.flatMap((change) =>
        change.type === 'position' && change.position && change.dragging === false
          ? [[change.id, change.position] as const]
          : [],
      );
      setNodes((before) => reframed(applyNodeChanges(all, before), all, latest.current));
      if (ended.length > 0) {
        const [[id, place] = ['', { x: 0, y: 0 }], ...more] = ended;
        if (dragging.current && into.current !== null && more.length === 0) builder.putInto(id, place, into.current);
        else builder.move(new Map<string, Point>(ended), !dragging.current);
        dragging.current = false;
        into.current = null;
      }
    },
    [builder],
  );
  const onEdgesChange = useCallback(
    (changes: EdgeChange<CanvasEdge>[]) => setEdges((before) => applyEdgeChanges(changes, before)),
    [],
  );
  const onDragStart = useCallback(() => void (dragging.current = true), []);

  const onDragOver = useCallback((edge: WorkflowEdge | null) => void (into.current = edge), []);

  const chosen = useMemo(
    (): CanvasSelection => ({
      flowIds: nodes.flatMap((node) => (node.selected ? [node.id] : [])),
      edges: edges.flatMap((edge) => (edge.selected ? [edge.id] : [])),
    }),
    [nodes, edges],
  );
  return { nodes, edges, onNodesChange, onEdgesChange, onDragStart, onDragOver, select, chosen: useSteady(chosen) };
}

const selected = <T extends { id: string; selected?: boolean }>(all: T[], wanted: ReadonlySet<string> | null): T[] =>
  wanted === null
    ? all
    : all.map((one) =>
        (one.selected ?? false) === wanted.has(one.id) ? one : { ...one, selected: wanted.has(one.id) },
      );

/** A frame takes its nodes along. Nodes that are dragged themselves, selected with it, are not moved twice. */
function withMembers(changes: NodeChange<FlowNode>[], nodes: readonly FlowNode[]): NodeChange<FlowNode>[] {
  const own = new Set(changes.flatMap((change) => (change.type === 'position' ? [change.id] : [])));
  const byId = new Map<string, FlowNode>();
  const more = changes.flatMap((change): NodeChange<FlowNode>[] => {
    if (change.type !== 'position' || !change.position || !change.id.startsWith('frame/')) return [];
    if (byId.size === 0) for (const node of nodes) byId.set(node.id, node);
    const frame = byId.get(change.id);
    if (frame?.type !== 'frame') return [];
    const [dx, dy] = [change.position.x - frame.position.x, change.position.y - frame.position.y];
    return frame.data.members.flatMap((id): NodeChange<FlowNode>[] => {
      const node = byId.get(id);
      if (!node || own.has(id)) return [];
      own.add(id);
      return [
        {
          id,
          type: 'position',
          position: { x: node.position.x + dx, y: node.position.y + dy },
          ...(change.dragging === undefined ? {} : { dragging: change.dragging }),
        },
      ];
    });
  });
  return more.length === 0 ? changes : [...changes, ...more];
}

/** Draws the frames around where their nodes have come to. */
function reframed(
  nodes: FlowNode[],
  changes: readonly NodeChange<FlowNode>[],
  { definition }: FlowNodeOptions,
): FlowNode[] {
  if (!definition.canvas?.groups || !changes.some((change) => change.type === 'position')) return nodes;
  const frames = new Map(frameNodes(definition, nodes).map((frame) => [frame.id, frame]));
  return nodes.map((node) => {
    const frame = frames.get(node.id);
    if (
      !frame ||
      (frame.position.x === node.position.x &&
        frame.position.y === node.position.y &&
        frame.width === node.width &&
        frame.height === node.height)
    )
      return node;
    const { position, width, height, measured } = frame;
    // The spread of a union is of none of its members.
    return { ...node, position, width, height, measured } as FlowNode;
  });
}

/** The value of before while the same things are chosen. */
function useSteady(chosen: CanvasSelection): CanvasSelection {
  const kept = useRef(chosen);
  const same = (a: readonly string[], b: readonly string[]) =>
    a.length === b.length && a.every((one, i) => one === b[i]);
  if (!same(kept.current.flowIds, chosen.flowIds) || !same(kept.current.edges, chosen.edges)) kept.current = chosen;
  return kept.current;
}
