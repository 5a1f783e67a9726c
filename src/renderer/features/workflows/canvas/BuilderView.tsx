import { ReactFlowProvider, useReactFlow, useStoreApi } from '@xyflow/react';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type Ref } from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import { t } from '../../../../lib/language.ts';
import { SkeletonBlock } from '../../../ui/Skeletons.tsx';
import type { DefinitionMark } from '../definition/marks.ts';
import { AddDialog, ConnectDialog } from './AddDialog.tsx';
import { BuilderContext } from './builder-context.ts';
import { oneNode, selectedNodes } from './selection.ts';
import { BuilderSidebar } from './BuilderSidebar.tsx';
import classes from './BuilderView.module.css';
import { Canvas } from './Canvas.tsx';
import { CanvasTools } from './CanvasTools.tsx';
import { Details } from './Details.tsx';
import type { After, Point } from '../definition/edits.ts';
import { EmptyGraph } from './EmptyGraph.tsx';
import { faultsBySubject } from './faults.ts';
import type { EdgeRun, NodeRun } from './flow.ts';
import type { PaletteTab } from './Palette.tsx';
import { NODE_HEIGHT } from '../definition/positions.ts';
import { measureNotesAlone } from './measure-notes.ts';
import { useCanvasDialog } from './use-canvas-dialog.ts';
import { canvasKeys } from './canvas-keys.ts';
import type { OpenDraft } from './use-draft.ts';
import { useFlow } from './use-flow.ts';
import { useNamedNode } from './use-named-node.ts';
import { useNodeForm } from './use-node-form.ts';
import { usePanes } from './use-panes.ts';
import { type BuilderHandle, useShowMark } from './use-show-mark.ts';
import { usePositions } from '../use-positions.ts';
import { useView } from './use-view.ts';

export interface BuilderViewProps {
  readonly draft: OpenDraft & { readonly definition: Definition };
  readonly marks: readonly DefinitionMark[];
  /** How the nodes fared in a run of this draft. */
  readonly runs: ReadonlyMap<string, NodeRun> | null;
  /** How its edges fared in it. */
  readonly edgeRuns: ReadonlyMap<string, EdgeRun> | null;
  /** Which edges test cases take; null: that is not shown. */
  readonly testedEdges: ReadonlyMap<string, boolean> | null;
  /** Only the canvas, beside the text: without palette, outline and form. */
  readonly isNarrow: boolean;
  /** Where the form is not shown, the text of a node that is selected is. `isEntered`: it was opened, by a double click or Enter, to be changed there. */
  readonly onOpenText: (nodeId: string, isEntered: boolean) => void;
  /** What stands below the form: the list of faults. */
  readonly below?: ReactNode;
  /** What the test cases came to, and how the last run of the draft went: they lie over the canvas, which stays where it is. */
  readonly outcome?: ReactNode;
  /** The node that is to be selected and in sight; undefined: none is asked for. */
  readonly node: string | undefined;
  /** Told when another node is selected alone, or none is. */
  readonly onNode: (node: string | undefined) => void;
  readonly ref?: Ref<BuilderHandle>;
}

/** A draft to be built: palette and outline, canvas, and the form of what is selected. */
export function BuilderView(props: BuilderViewProps): ReactNode {
  const places = usePositions(props.draft.definition);
  if (places === null) return <SkeletonBlock height={420} />;
  return (
    <ReactFlowProvider>
      <BuilderContext value={props.draft.builder}>
        <Parts {...props} places={places} />
      </BuilderContext>
    </ReactFlowProvider>
  );
}

function Parts({
  draft,
  marks,
  runs,
  edgeRuns,
  testedEdges,
  isNarrow,
  onOpenText,
  below,
  outcome,
  node,
  onNode,
  ref,
  places,
}: BuilderViewProps & { places: ReadonlyMap<string, Point> }): ReactNode {
  const { builder, definition, fault, onSelect } = draft;
  const flow = useReactFlow();
  const store = useStoreApi();
  useState(() => measureNotesAlone(store));
  const pointer = useRef<Point | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const { asking, ask, answer } = useCanvasDialog(root);
  const faults = useMemo(() => faultsBySubject(definition, marks), [definition, marks]);
  const shown = useMemo(
    () => ({ definition, places, nodeFaults: faults.nodes, edgeFaults: faults.edges, runs, edgeRuns, testedEdges }),
    [definition, places, faults, runs, edgeRuns, testedEdges],
  );
  const {
    nodes,
    edges,
    onNodesChange,
    onEdgesChange,
    onDragStart,
    onDragOver,
    select,
    chosen: selection,
  } = useFlow(shown, builder);
  useEffect(() => {
    onSelect(select);
    return () => onSelect(null);
  }, [onSelect, select]);
  const chosenNodes = useMemo(() => selectedNodes(selection), [selection]);
  const { panes, set: setPanes, makeRoom, bringBack } = usePanes(window.localStorage);
  const hasChosen = selection.flowIds.length + selection.edges.length > 0;
  const isInUse = useRef(hasChosen);
  isInUse.current = hasChosen;
  // The form of what is chosen stays.
  const giveRoom = useCallback(() => !isInUse.current && makeRoom(), [makeRoom]);
  const view = useView(chosenNodes, giveRoom);
  const [isFitted, setFitted] = useState(false);
  const onFitted = useCallback(() => setFitted(true), []);
  useLayoutEffect(() => {
    if (hasChosen) bringBack();
  }, [selection, hasChosen, bringBack]);
  const [tab, setTab] = useState<PaletteTab>('add');
  const find = useCallback(() => {
    setPanes({ palette: true });
    setTab('outline');
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('[data-filter]')?.focus());
  }, [setPanes, setTab]);

  const selectAndShow = useCallback(
    (ids: readonly string[]) => {
      select(ids);
      const last = ids.at(-1);
      if (last !== undefined) view.show(last);
    },
    [select, view],
  );
  useNamedNode({ definition, node, onNode, selection, selectAndShow });
  // Nodes without places of their own were laid out anew: what was whole in sight stays so.
  const laid = useRef(places);
  useEffect(() => {
    const before = laid.current;
    laid.current = places;
    const moved = definition.nodes.some(
      ({ id, position }) =>
        !position &&
        before.get(id) !== undefined &&
        (before.get(id)?.x !== places.get(id)?.x || before.get(id)?.y !== places.get(id)?.y),
    );
    if (moved) view.laid();
  }, [places]);
  const showForm = useCallback(() => setPanes({ form: true }), [setPanes]);
  const form = useNodeForm({
    selection,
    select,
    onOpenText: isNarrow ? onOpenText : null,
    isShown: panes.form,
    show: showForm,
  });
  const { open } = form;
  useShowMark(ref, { definition, isNarrow, select, selectAndShow, view, showForm });
  useEffect(() => {
    if (isNarrow && chosenNodes.size === 1) onOpenText([...chosenNodes][0] ?? '', false);
  }, [isNarrow, chosenNodes]);

  const add = useCallback(
    (type: string, after: After | null, at: Point | null) => {
      const made = builder.add(type, { after: after ?? undefined, at: at ?? undefined });
      if (made !== null) requestAnimationFrame(() => view.made(made));
      return made ?? undefined;
    },
    [builder, view],
  );
  const onDangle = useCallback(
    (after: { from: string; port?: string }, at: Point) =>
      ask({ what: 'add', after, at: { x: at.x, y: at.y - NODE_HEIGHT / 2 } }),
    [ask],
  );

  // Kept while only places on the canvas change: a frame of a drag draws the canvas and nothing beside it.
  const isEmpty = definition.nodes.length === 0 && fault === null;
  const begin = useCallback(() => {
    const input = add('input', null, null);
    if (input === undefined) return;
    add('output', { from: input }, null);
    select([input]);
    // The button is gone: who works by keys goes on from the input, once it is drawn.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        root.current
          ?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(input)}"]`)
          ?.focus({ preventScroll: true }),
      ),
    );
  }, [add, select]);
  const tools = useMemo(() => {
    const middle = () => flow.screenToFlowPosition({ x: window.innerWidth / 2, y: window.innerHeight / 2 });
    const one = oneNode(selection);
    const formToggle = isNarrow
      ? null
      : { isOpen: panes.form, faults: marks.length, onToggle: () => setPanes({ form: !panes.form }) };
    const own = (
      <CanvasTools
        chosen={selection}
        fault={fault}
        form={formToggle}
        onAdd={() => ask({ what: 'add', after: one === null ? null : { from: one }, at: null })}
        onNote={() => builder.addNote(middle())}
      />
    );
    return (
      <>
        {own}
        {isEmpty && <EmptyGraph onBegin={begin} />}
      </>
    );
  }, [builder, selection, fault, flow, ask, isNarrow, panes.form, marks.length, setPanes, isEmpty, begin]);
  const right = useMemo(
    () => <Details definition={definition} chosen={form.shown} faults={marks} onSelect={select} />,
    [definition, form.shown, marks, select],
  );
  const keys = canvasKeys({
    builder,
    definition,
    selection,
    nodeIds: () => nodes.map((node) => node.id),
    select,
    ask,
    open,
    pointer: () => pointer.current && flow.screenToFlowPosition(pointer.current),
    root,
  });

  return (
    // The keys belong to the builder as a whole; what can be focused in it says what it is.
    <div
      ref={root}
      className={classes['builder']}
      data-narrow={isNarrow || undefined}
      data-unfitted={!isFitted || undefined}
      data-palette={panes.palette ? undefined : 'folded'}
      data-form={panes.form ? undefined : 'closed'}
      tabIndex={-1}
      {...keys}
      onPointerMove={(event) =>
        (pointer.current =
          event.target instanceof Element && event.target.closest('.react-flow__pane, .react-flow__node')
            ? { x: event.clientX, y: event.clientY }
            : null)
      }
    >
      {!isNarrow && (
        <BuilderSidebar
          definition={definition}
          places={places}
          selection={selection}
          chosenNodes={chosenNodes}
          selectAndShow={selectAndShow}
          open={open}
          add={add}
          ask={ask}
          find={find}
          tab={tab}
          setTab={setTab}
          setPanes={setPanes}
          nodeFaults={faults.nodes}
          isOpen={panes.palette}
        />
      )}
      <Canvas
        definition={definition}
        nodes={nodes}
        edges={edges}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        onDragStart={onDragStart}
        onDragOver={onDragOver}
        isStale={fault !== null}
        onDangle={onDangle}
        onOpen={open}
        view={view}
        onFitted={onFitted}
      >
        {tools}
      </Canvas>
      <div className={classes['outcome']} data-own-keys>
        {outcome}
      </div>
      {!isNarrow && panes.form && (
        <aside className={classes['side']} aria-label={t('Settings')}>
          <div className={classes['form']} ref={form.ref} tabIndex={-1}>
            {right}
          </div>
          {below}
        </aside>
      )}
      {asking?.what === 'add' && (
        <AddDialog
          definition={definition}
          after={asking.after}
          isDropped={asking.at !== null}
          onClose={() => answer()}
          onAdd={(type, after) => answer(add(type, after, asking.at))}
        />
      )}
      {asking?.what === 'connect' && (
        <ConnectDialog
          definition={definition}
          from={{ from: asking.from }}
          onClose={() => answer()}
          onConnect={(edge) => (builder.connect(edge), answer())}
        />
      )}
    </div>
  );
}
