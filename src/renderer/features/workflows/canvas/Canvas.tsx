import '@xyflow/react/dist/base.css';
import {
  Background,
  BackgroundVariant,
  type Connection,
  ConnectionLineType,
  ControlButton,
  Controls,
  type EdgeChange,
  type FinalConnectionState,
  MiniMap,
  type NodeChange,
  Panel,
  ReactFlow,
  type ReactFlowState,
  useReactFlow,
  useStore,
  useStoreApi,
} from '@xyflow/react';
import { useComputedColorScheme } from '@mantine/core';
import { IconMaximize } from '@tabler/icons-react';
import {
  type DragEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Definition, WorkflowEdge } from '../../../../contract/definition.ts';
import { t } from '../../../../lib/language.ts';
import { BuilderContext } from './builder-context.ts';
import classes from './Canvas.module.css';
import { canInsertIntoEdge, hasInputAndOutput, whyNotConnect } from './connect-rules.ts';
import { ConnectHint } from './ConnectHint.tsx';
import { drawnEdge, edgeUnder, highlightEdge } from './edge-under.ts';
import type { Point } from '../definition/edits.ts';
import { SimplifiedEdges } from './SimplifiedEdges.tsx';
import { edgeFromFlowId, type FlowNode, type CanvasEdge } from './flow.ts';
import { createDetailLevels } from './detail-levels.ts';
import { DetailLevelsContext } from './detail-levels-context.ts';
import { FrameBox, NoteBox } from './FrameBox.tsx';
import { NODE_HEIGHT, NODE_WIDTH } from '../definition/positions.ts';
import { PlaceholderNodes } from './PlaceholderNodes.tsx';
import { StepBox } from './StepBox.tsx';
import { useNearEdges } from './use-near-edges.ts';
import { useProgressiveNodes } from './use-progressive-nodes.ts';
import { MIN_ZOOM, type View } from './use-view.ts';
import { EdgeLine } from './EdgeLine.tsx';

/** The kind of data that a node from the palette is dragged as. */
export const DRAGGED_TYPE = 'application/x-yardmaster-node';
/** Beside it where the node can stand between two: what is dragged cannot be read before it is let go. */
export const DRAGGED_BETWEEN = 'application/x-yardmaster-between';

const NODE_TYPES = { step: StepBox, note: NoteBox, frame: FrameBox };
const EDGE_TYPES = { wire: EdgeLine };
const GRID: [number, number] = [8, 8];
const MANY: string[] = ['Shift', 'Control', 'Meta'];
/** The library's notice is in the list of licences, with those of all others. */
const NO_NOTICE = { hideAttribution: true };

export interface CanvasProps {
  readonly definition: Definition;
  readonly nodes: FlowNode[];
  readonly edges: CanvasEdge[];
  readonly onNodesChange: (changes: NodeChange<FlowNode>[]) => void;
  readonly onEdgesChange: (changes: EdgeChange<CanvasEdge>[]) => void;
  readonly onDragStart: () => void;
  /** Over which edge a node is dragged, that it can be put into. */
  readonly onDragOver: (edge: WorkflowEdge | null) => void;
  /** The text is no definition now: what is shown is of before, and cannot be changed. */
  readonly isStale: boolean;
  /** An edge was let go over nothing. */
  readonly onDangle: (from: { from: string; port?: string }, at: Point) => void;
  readonly onOpen: (id: string) => void;
  readonly view: View;
  /** The graph stands where it is shown first. */
  readonly onFitted: () => void;
  readonly children?: ReactNode;
}

const MAP = { width: 152, height: 96 };
/** From so far away only shapes and names are drawn of a large graph: the rest is noise, and hundreds of nodes are in sight. */
const FAR = 0.4;
const MANY_NODES = 60;
const MANY_EDGES = 100;

const portOf = (handle: string | null | undefined): { port?: string } =>
  handle && handle !== 'out' ? { port: handle } : {};

/** The graph of a draft, to be drawn on. */
export function Canvas({
  definition,
  nodes,
  edges,
  onNodesChange,
  onEdgesChange,
  onDragStart,
  onDragOver,
  isStale,
  onDangle,
  onOpen,
  view,
  onFitted,
  children,
}: CanvasProps): ReactNode {
  const builder = useContext(BuilderContext);
  const { screenToFlowPosition } = useReactFlow();
  const colours = useComputedColorScheme('light');
  const isFar = useStore(({ transform }) => transform[2] < FAR);
  const isCoarse = isFar && nodes.length > MANY_NODES;
  const isBeyond = useStore(reachesBeyond);
  // From far away no edge can be told from another: hundreds are drawn as one.
  const drawsFar = isFar && edges.length > MANY_EDGES;
  const store = useStoreApi<FlowNode, CanvasEdge>();
  useEffect(
    () =>
      store.subscribe(({ transform, edges: shown, setEdges }, before) => {
        // The library hears of it at once: told by its property alone, it would draw all of them once more.
        if (transform[2] < FAR && before.transform[2] >= FAR && shown.length > MANY_EDGES)
          setEdges(shown.filter((edge) => edge.selected));
      }),
    [store],
  );
  const { shown, late } = useProgressiveNodes(nodes);
  const { near, waits } = useNearEdges(edges, drawsFar);
  const [forms] = useState(() => createDetailLevels(requestAnimationFrame));
  useLayoutEffect(() => forms.turn(isCoarse), [forms, isCoarse]);
  const newest = useRef(definition);
  newest.current = definition;

  const isValid = useCallback(
    ({ source, target, sourceHandle }: Connection | CanvasEdge) =>
      whyNotConnect(newest.current, { from: source, to: target, ...portOf(sourceHandle) }) === null,
    [],
  );
  const onConnect = useCallback(
    ({ source, target, sourceHandle }: Connection) =>
      void builder?.connect({ from: source, to: target, ...portOf(sourceHandle) }),
    [builder],
  );
  const onReconnect = useCallback(
    (old: CanvasEdge, { source, target, sourceHandle }: Connection) =>
      builder?.reconnect(edgeFromFlowId(old.id), { from: source, to: target, ...portOf(sourceHandle) }),
    [builder],
  );
  const onConnectEnd = useCallback(
    (
      event: MouseEvent | TouchEvent,
      { fromNode, fromHandle, toNode, toHandle, isValid: isGood }: FinalConnectionState,
    ) => {
      if (isGood || !fromNode || fromHandle?.type !== 'source') return;
      const from = { from: fromNode.id, ...portOf(fromHandle.id) };
      // Let go over the box of a node instead of its way in: that is what was meant.
      const over = toNode ?? nodeUnder(event);
      if (over && over.id !== fromNode.id && (toHandle === null || toHandle.type === 'target'))
        builder?.connect({ ...from, to: over.id });
      else if (!over) onDangle(from, screenToFlowPosition(pointOf(event)));
    },
    [builder, onDangle, screenToFlowPosition],
  );
  const { host } = view;
  const onDrop = (event: DragEvent) => {
    const type = event.dataTransfer.getData(DRAGGED_TYPE);
    if (type === '') return;
    event.preventDefault();
    const at = screenToFlowPosition({ x: event.clientX, y: event.clientY });
    const edge = hasInputAndOutput(type)
      ? drawnEdge(edgeUnder([{ x: event.clientX, y: event.clientY }], host.current))
      : null;
    highlightEdge(host.current, null);
    builder?.add(type, {
      at: { x: snap(at.x - NODE_WIDTH / 2), y: snap(at.y - NODE_HEIGHT / 2) },
      after: edge ? { ...edge, between: true } : undefined,
    });
  };
  const onPaletteOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(DRAGGED_TYPE)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    if (event.dataTransfer.types.includes(DRAGGED_BETWEEN))
      highlightEdge(host.current, edgeUnder([{ x: event.clientX, y: event.clientY }], host.current));
  };
  const onNodeDrag = useCallback(
    (event: MouseEvent | TouchEvent, node: FlowNode, dragged: readonly FlowNode[]) => {
      const box = (
        event.target instanceof Element ? event.target.closest('.react-flow__node') : null
      )?.getBoundingClientRect();
      const edge =
        dragged.length === 1 && node.type === 'step'
          ? edgeUnder(
              [pointOf(event), ...(box ? [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }] : [])],
              host.current,
            )
          : null;
      const into = drawnEdge(edge);
      const may = into !== null && canInsertIntoEdge(newest.current, node.id, into);
      highlightEdge(host.current, may ? edge : null);
      onDragOver(may ? into : null);
    },
    [host, onDragOver],
  );
  const onNodeDragStop = useCallback(() => highlightEdge(host.current, null), [host]);
  const words = useMemo(
    () => ({
      'node.a11yDescription.default': t(
        'Arrow keys move the selected nodes, Enter opens the settings, Delete removes them.',
      ),
      'node.a11yDescription.keyboardDisabled': t('The outline lists all nodes.'),
      'node.a11yDescription.ariaLiveMessage': ({ x, y }: { x: number; y: number }) =>
        t('Moved to {x}, {y}', { x: Math.round(x), y: Math.round(y) }),
      'edge.a11yDescription.default': t('Enter selects the edge, Delete removes it.'),
      'controls.ariaLabel': t('Zoom'),
      'controls.zoomIn.ariaLabel': t('Zoom in'),
      'controls.zoomOut.ariaLabel': t('Zoom out'),
      'minimap.ariaLabel': t('Minimap'),
      'handle.ariaLabel': t('Port'),
    }),
    [],
  );

  return (
    <div
      ref={host}
      className={classes['canvas']}
      data-canvas
      data-stale={isStale || undefined}
      onDrop={onDrop}
      onDragOver={onPaletteOver}
      onDragLeave={() => highlightEdge(host.current, null)}
    >
      <div ref={view.free} className={classes['free']} />
      <DetailLevelsContext value={forms}>
        <ReactFlow<FlowNode, CanvasEdge>
          nodes={shown}
          edges={near}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          onNodesChange={onNodesChange}
          onEdgesChange={onEdgesChange}
          onNodeDragStart={onDragStart}
          onNodeDrag={onNodeDrag}
          onNodeDragStop={onNodeDragStop}
          onSelectionDragStart={onDragStart}
          onNodeDoubleClick={(_, node) => node.type === 'step' && onOpen(node.id)}
          onConnect={onConnect}
          onConnectEnd={onConnectEnd}
          onReconnect={onReconnect}
          isValidConnection={isValid}
          connectionLineType={ConnectionLineType.Bezier}
          connectionRadius={28}
          nodesDraggable={!isStale}
          nodesConnectable={!isStale}
          edgesReconnectable={!isStale}
          snapToGrid
          snapGrid={GRID}
          minZoom={MIN_ZOOM}
          maxZoom={2}
          onInit={() => (view.open(), onFitted())}
          onMoveStart={(event) => event && view.moved()}
          panOnScroll
          deleteKeyCode={null}
          selectionKeyCode="Shift"
          multiSelectionKeyCode={MANY}
          zoomOnDoubleClick={false}
          onlyRenderVisibleElements
          elevateNodesOnSelect={false}
          colorMode={colours}
          proOptions={NO_NOTICE}
          ariaLabelConfig={words}
          aria-label={t('Canvas')}
        >
          <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} />
          {waits && <SimplifiedEdges nodes={nodes} edges={edges} />}
          {late.size > 0 && <PlaceholderNodes nodes={nodes} late={late} />}
          {isBeyond && (
            <MiniMap
              pannable
              zoomable
              style={MAP}
              className={classes['map'] ?? ''}
              nodeBorderRadius={6}
              nodeClassName={mapClass}
            />
          )}
          <Controls
            showInteractive={false}
            position="bottom-left"
            showFitView={false}
            onZoomIn={view.moved}
            onZoomOut={view.moved}
          >
            <ControlButton onClick={view.fit} title={t('Fit to view')} aria-label={t('Fit to view')}>
              <IconMaximize className={classes['fit']} aria-hidden="true" />
            </ControlButton>
          </Controls>
          <Panel position="bottom-center">
            <ConnectHint definition={definition} />
          </Panel>
          {children}
        </ReactFlow>
      </DetailLevelsContext>
    </div>
  );
}

const mapClass = (node: FlowNode): string =>
  node.type === 'frame'
    ? (classes['mapFrame'] ?? '')
    : node.type === 'step' && node.data['fault']
      ? (classes[node.data['fault'] === 'advice' ? 'mapWarning' : 'mapFault'] ?? '')
      : '';

/** Whether anything is out of sight: else a map tells nothing. */
function reachesBeyond({ transform: [x, y, zoom], width, height, nodeLookup }: ReactFlowState): boolean {
  for (const { internals, measured } of nodeLookup.values()) {
    const left = internals.positionAbsolute.x * zoom + x;
    const top = internals.positionAbsolute.y * zoom + y;
    if (
      left < 0 ||
      top < 0 ||
      left + (measured.width ?? 0) * zoom > width ||
      top + (measured.height ?? 0) * zoom > height
    )
      return true;
  }
  return false;
}

const snap = (value: number): number => Math.round(value / GRID[0]) * GRID[0];

function pointOf(event: MouseEvent | TouchEvent): Point {
  const at = 'changedTouches' in event ? event.changedTouches[0] : event;
  return { x: at?.clientX ?? 0, y: at?.clientY ?? 0 };
}

function nodeUnder(event: MouseEvent | TouchEvent): { id: string } | null {
  const { x, y } = pointOf(event);
  const element = document.elementFromPoint(x, y)?.closest('.react-flow__node-step');
  const id = element?.getAttribute('data-id');
  return id ? { id } : null;
}
