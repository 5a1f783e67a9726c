import { type Edge, type Node, type NodeHandle, Position } from '@xyflow/react';
import { parseStored } from '../../../../lib/json.ts';
import type { Definition, WorkflowNode } from '../../../../contract/definition.ts';
import { t } from '../../../../lib/language.ts';
import { canvasGroups, canvasNotes } from './canvas-edits.ts';
import { portsForType, takesInput } from './connect-rules.ts';
import { edgeKey, type Point } from '../definition/edits.ts';
import { edgeEnds, portHeight, routesAround } from '../definition-layout.ts';
import { nodeSummary } from '../node-styles.ts';
import { boundingBox, NODE_HEIGHT, NODE_WIDTH } from '../definition/positions.ts';

/** A definition as the nodes and edges that the canvas library draws. What did not change stays the same object, so that it is not drawn again. */
export interface StepData extends Record<string, unknown> {
  readonly type: string;
  readonly name: string;
  readonly gist: string;
  /** The worst of its faults: keeps the draft from being saved, from being published, or is advice. */
  readonly fault: FaultLevel | null;
  /** What became of it in a run that is shown on the canvas. */
  readonly run: NodeRun | null;
}
export type FaultLevel = 'save' | 'publish' | 'advice';
/** Whether a run took an edge, goes on beyond it now, or passed it by. */
export type EdgeRun = 'taken' | 'active' | 'missed';
/** How a node fared in a run of the draft. */
export interface NodeRun {
  readonly state: 'done' | 'failed' | 'skipped' | 'running' | 'missed';
  /** A line of its output or of its error. */
  readonly text: string;
}
export type StepNode = Node<StepData, 'step'>;
export type NoteNode = Node<{ text: string } & Record<string, unknown>, 'note'>;
export type FrameNode = Node<{ name: string; members: readonly string[] } & Record<string, unknown>, 'frame'>;
export type FlowNode = StepNode | NoteNode | FrameNode;
export type CanvasEdge = Edge<
  {
    fault: FaultLevel | null;
    port: string | null;
    /** Whether test cases take it; null: that is not shown, or not known. */
    tested: boolean | null;
    /** What became of it in a run that is shown on the canvas. */
    run: EdgeRun | null;
    /** Its ends, and the points between them by which it passes other nodes; null: it leads straight on. */
    route: readonly Point[] | null;
  },
  'wire'
>;

/** Ids of notes and frames on the canvas; no id of a node holds a slash. */
export const noteFlowId = (id: string): string => `note/${id}`;
export const frameFlowId = (id: string): string => `frame/${id}`;
export const afterSlash = (flowId: string): string => flowId.slice(flowId.indexOf('/') + 1);

const HANDLE = 12;
const FRAME = { side: 24, top: 44, bottom: 24 };
const NOTE_WIDTH = 220;
/** A frame takes the pointer at its head alone: within it the canvas is moved and boxes are drawn as elsewhere. */
const HEAD_ALONE = { pointerEvents: 'none' } as const;

function handlesForType(type: string): NodeHandle[] {
  const ports = portsForType(type);
  const handle = (x: number, y: number) => ({ x: x - HANDLE / 2, y: y - HANDLE / 2, width: HANDLE, height: HANDLE });
  return [
    ...(takesInput(type)
      ? [{ id: 'in', type: 'target' as const, position: Position.Left, ...handle(0, NODE_HEIGHT / 2) }]
      : []),
    ...ports.map((port, i) => ({
      id: port ?? 'out',
      type: 'source' as const,
      position: Position.Right,
      ...handle(NODE_WIDTH, portHeight(i, ports.length)),
    })),
  ];
}

export interface FlowNodeOptions {
  readonly definition: Definition;
  readonly places: ReadonlyMap<string, Point>;
  readonly nodeFaults: ReadonlyMap<string, FaultLevel>;
  readonly edgeFaults: ReadonlyMap<string, FaultLevel>;
  readonly runs: ReadonlyMap<string, NodeRun> | null;
  /** By the key of an edge, whether test cases take it; null: that is not shown. */
  readonly testedEdges: ReadonlyMap<string, boolean> | null;
  /** By the key of an edge, what became of it in the run that is shown; null: none is. */
  readonly edgeRuns: ReadonlyMap<string, EdgeRun> | null;
}

const same = (a: Record<string, unknown>, b: Record<string, unknown>): boolean => {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) =>
      Array.isArray(a[key]) ? JSON.stringify(a[key]) === JSON.stringify(b[key]) : Object.is(a[key], b[key]),
    )
  );
};

/** `before`: what is on the canvas now. Selection stays; what is being dragged stays where the hand has it. */
export function flowNodes(
  before: readonly FlowNode[],
  { definition, places, nodeFaults, runs }: FlowNodeOptions,
): FlowNode[] {
  const old = new Map(before.map((node) => [node.id, node]));
  const put = <N extends FlowNode>(fresh: N): N => {
    // Ids of flow begin with the kind; the next line looks at it again.
    const known = old.get(fresh.id) as N | undefined;
    if (!known || known.type !== fresh.type) return fresh;
    const position = known.dragging ? known.position : fresh.position;
    const data = same(fresh.data, known.data) ? known.data : fresh.data;
    if (
      data === known.data &&
      position.x === known.position.x &&
      position.y === known.position.y &&
      fresh.width === known.width &&
      fresh.height === known.height &&
      sameHandles(known, fresh)
    )
      return known;
    return { ...known, ...fresh, position, data, selected: known.selected ?? false };
  };
  const steps = definition.nodes.map((node) =>
    put(
      stepNode(
        node,
        places.get(node.id) ?? { x: 0, y: 0 },
        nodeFaults.get(node.id) ?? null,
        runs?.get(node.id) ?? null,
      ),
    ),
  );
  const notes = canvasNotes(definition).map((note): NoteNode =>
    put({
      id: noteFlowId(note.id),
      type: 'note',
      ariaLabel: t('Note: {text}', { text: note.text.slice(0, 80) }),
      position: note.position,
      data: { text: note.text },
      width: NOTE_WIDTH,
      zIndex: 1,
    }),
  );
  return unchanged(before, [...frameNodes(definition, steps).map(put), ...steps, ...notes]);
}

/** The list of before where nothing in it changed: then nothing at all is drawn again. */
const unchanged = <T>(before: readonly T[], now: T[]): T[] =>
  before.length === now.length && now.every((one, i) => one === before[i]) ? (before as T[]) : now;

/** What a fault keeps a draft from, in a word or two. */
export const FAULT_WORDS = {
  save: () => t('blocks saving'),
  publish: () => t('has errors'),
  advice: () => t('has warnings'),
} as const;

const sameHandles = (a: FlowNode, b: FlowNode): boolean => a.type !== 'step' || a.data['type'] === b.data['type'];

function stepNode(node: WorkflowNode, position: Point, fault: FaultLevel | null, run: NodeRun | null): StepNode {
  const size = { width: NODE_WIDTH, height: NODE_HEIGHT };
  const ariaLabel = [
    node.name || node.id,
    node.type,
    fault && FAULT_WORDS[fault](),
    run?.state === 'missed' && run.text,
  ]
    .filter(Boolean)
    .join(', ');
  return {
    id: node.id,
    type: 'step',
    ariaLabel,
    position,
    ...size,
    measured: size,
    handles: handlesForType(node.type),
    data: { type: node.type, name: node.name || node.id, gist: nodeSummary(node), fault, run },
    zIndex: 2,
  };
}

/** The frame of each group, around where its nodes are shown now. */
export function frameNodes(definition: Definition, steps: readonly FlowNode[]): FrameNode[] {
  const at = new Map(steps.map((node) => [node.id, node.position]));
  return canvasGroups(definition).flatMap(({ id, name, nodes }): FrameNode[] => {
    const spots = nodes.flatMap((node) => at.get(node) ?? []);
    if (spots.length === 0) return [];
    const [left, top, right, bottom] = boundingBox(spots);
    const size = { width: right - left + 2 * FRAME.side, height: bottom - top + FRAME.top + FRAME.bottom };
    return [
      {
        id: frameFlowId(id),
        type: 'frame',
        ariaLabel: t('Group {name}', { name }),
        position: { x: left - FRAME.side, y: top - FRAME.top },
        ...size,
        measured: size,
        data: { name, members: nodes },
        zIndex: -1,
        dragHandle: '[data-frame-head]',
        style: HEAD_ALONE,
      },
    ];
  });
}

/** Edges between nodes that are there; one that leads nowhere is told in the list of faults. */
export function flowEdges(
  before: readonly CanvasEdge[],
  { definition, places, edgeFaults, testedEdges, edgeRuns }: FlowNodeOptions,
): CanvasEdge[] {
  const types = new Map(definition.nodes.map((node) => [node.id, node.type]));
  const old = new Map(before.map((edge) => [edge.id, edge]));
  const drawn = new Set<string>();
  const routeOf = routesAround([...places.values()]);
  const edges = definition.edges.flatMap((edge): CanvasEdge[] => {
    const id = edgeKey(edge);
    const type = types.get(edge.from);
    if (type === undefined || !types.has(edge.to) || drawn.has(id)) return [];
    drawn.add(id);
    const ports = portsForType(type);
    const port = ports.includes(edge.port) ? edge.port : ports[0];
    const tested = testedEdges?.get(id) ?? null;
    const [source, target] = [places.get(edge.from), places.get(edge.to)];
    const data = {
      fault: edgeFaults.get(id) ?? null,
      port: edge.port ?? null,
      tested,
      run: edgeRuns?.get(id) ?? null,
      route: source && target ? routeOf(...edgeEnds(source, target, type, port)) : null,
    };
    const known = old.get(id);
    const sourceHandle = port ?? 'out';
    if (known && same(known.data ?? {}, data) && known.sourceHandle === sourceHandle) return [known];
    const ariaLabel =
      t('Edge from {from} to {to}', { from: edge.from, to: edge.to }) +
      (edge.port === undefined ? '' : `, ${edge.port}`) +
      (tested === null ? '' : `, ${tested ? t('tested') : t('not tested')}`);
    return [
      {
        id,
        type: 'wire',
        ariaLabel,
        source: edge.from,
        target: edge.to,
        sourceHandle,
        targetHandle: 'in',
        data,
        selected: known?.selected ?? false,
      },
    ];
  });
  return unchanged(before, edges);
}

/** The edge of the definition that a drawn one stands for. */
export function edgeFromFlowId(id: string): { from: string; to: string; port?: string } {
  const [from, to, port] = parseStored<[string, string, string | null]>(id);
  return { from, to, ...(port === null ? {} : { port }) };
}
