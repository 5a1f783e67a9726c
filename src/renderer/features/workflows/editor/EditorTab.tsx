import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import type { Definition } from '../../../../contract/definition.ts';
import type { Environment } from '../../../../contract/vocabulary.ts';
import type { Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { recordedRunQuery } from '../../../api/recorded-run.ts';
import { commitQuery } from '../../../api/workflows.ts';
import { useRights } from '../../../stores/role.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { StaleBanner } from '../../../ui/StaleBanner.tsx';
import { toastSuccess, toastInfo } from '../../../ui/toasts.tsx';
import { useShortcut } from '../../../keyboard/use-shortcut.ts';
import { type NodeNameLookup, nodeNames } from '../node-names.ts';
import { BuilderView } from '../canvas/BuilderView.tsx';
import type { BuilderHandle } from '../canvas/use-show-mark.ts';
import { faultSubject } from '../canvas/faults.ts';
import { edgeFromFlowId } from '../canvas/flow.ts';
import { useDraft } from '../canvas/use-draft.ts';
import { DraftRunProvider, useDraftRuns } from '../draft-run/context.tsx';
import { DraftRunOutcome, DraftRunTools } from '../draft-run/DraftRunBar.tsx';
import { edgeRuns, nodeRuns } from '../draft-run/node-runs.ts';
import { placeOf as workflowPlace, whyNoSave } from '../../../stores/permissions.ts';
import { formatDefinition } from '../../../ui/json-text/format.ts';
import { nodeInsertion } from '../definition/insert.ts';
import { readableDefinition } from '../readable-definition.ts';
import type { DefinitionMark } from '../definition/marks.ts';
import { starterText } from '../definition/starter.ts';
import { useDebugging } from '../debug/use-debugging.ts';
import { DraftNotes } from './DraftNotes.tsx';
import classes from './Editor.module.css';
import { FaultList } from './FaultList.tsx';
import { SaveDialog } from './SaveDialog.tsx';
import { type EditorSession, isDirty } from '../draft/session.ts';
import { type EditView, Toolbar } from './Toolbar.tsx';
import { useDraftStorage } from './use-draft-storage.ts';
import { useSaveVersion } from './use-save-version.ts';
import { TestOutcome } from '../tests/TestOutcome.tsx';
import { useSavedTests } from '../tests/use-saved-tests.ts';
import { useTextJump } from './use-text-jump.ts';
import { useDefinitionMarks } from '../definition/use-marks.ts';
import { Loading } from '../../../ui/Loading.tsx';
import { fetchWhenIdle } from '../../../ui/fetch-when-idle.ts';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';

const loadTextPane = () => import('./TextPane.tsx').then((file) => ({ default: file.TextPane }));
/** With an editor, which the canvas does not need. */
const TextPane = lazy(loadTextPane);
const loadDebugBar = () => import('../debug/DebugBar.tsx').then((file) => ({ default: file.DebugBar }));
/** Only for a task that failed. */
const DebugBar = lazy(loadDebugBar);
const loadMergeDialog = () => import('../merge/MergeDialog.tsx').then((file) => ({ default: file.MergeDialog }));
/** Only where somebody else saved meanwhile. */
const MergeDialog = lazy(loadMergeDialog);

/** A draft on the canvas, as text, or both: checked while it is changed, saved as a version. The text is what holds; the canvas reads and rewrites it. */
export function EditorTab(props: EditorTabProps): ReactNode {
  return (
    <DraftRunProvider workflowId={props.workflow.id}>
      <Editor {...props} />
    </DraftRunProvider>
  );
}

interface EditorTabProps {
  readonly workflow: Workflow;
  readonly session: EditorSession;
  readonly view: EditView;
  readonly onView: (view: EditView) => void;
  /** The node that the address names: it is selected and brought into sight. */
  readonly node: string | undefined;
  /** Another one is selected, or (undefined) none alone. */
  readonly onNode: (node: string | undefined) => void;
  /** The failed task that is debugged; undefined: none. */
  readonly debug: string | undefined;
  readonly onPublish: (environment: Environment, version: string) => void;
  readonly onDebugged: () => void;
  /** What the test cases reach is drawn on the canvas. */
  readonly showsCoverage: boolean;
  readonly onCoverage: (on: boolean) => void;
}

function Editor({
  workflow,
  session,
  view,
  onView,
  node,
  onNode,
  debug,
  onPublish,
  onDebugged,
  showsCoverage,
  onCoverage,
}: EditorTabProps): ReactNode {
  const { head } = workflow;
  const rights = useRights();
  const state = useStore(session.store);
  const { begun, text, parent, draftFrom, kept, history } = state;
  const dirty = isDirty(state);
  const headQuery = useQuery({ ...commitQuery(workflow.id, head ?? ''), enabled: head !== null });
  const headText = useMemo(
    () =>
      head === null
        ? starterText(workflow.name)
        : headQuery.data
          ? readableDefinition(headQuery.data.definition)
          : null,
    [head, headQuery.data, workflow.name],
  );
  // Reading a long text takes longer than a key press may: what is drawn from it follows when there is time.
  const late = useDeferredValue(text);
  // But the first text at once: there is nothing before it that could stand so long.
  const read = late === '' ? text : late;
  const checked = useDefinitionMarks(workflow.id, read);
  const draft = useDraft(session, text, read, checked.parsed);
  const { editor, jump, attach, openNode } = useTextJump(checked.parsed.root);
  useEffect(() => {
    fetchWhenIdle(loadTextPane);
    fetchWhenIdle(loadDebugBar);
    fetchWhenIdle(loadMergeDialog);
  }, []);
  const builder = useRef<BuilderHandle>(null);
  const { data: recorded } = useQuery({ ...recordedRunQuery(debug ?? ''), enabled: debug !== undefined });
  const debugged = debug === undefined ? null : { taskId: debug, environment: recorded?.job.environment ?? null };
  const { saving, setSaving, stale, setStale, save, saved } = useSaveVersion(workflow, session, debugged);
  const drafts = useDraftRuns();
  const isDebugReady = useDebugging(debug, session, drafts);
  useDraftStorage(session, text, isDebugReady ? headText : null, head);

  const marks = checked.marks;
  const { run, upTo, busy, isRecorded } = useStore(drafts.store);
  const runs = useMemo(
    () => (draft.definition ? nodeRuns(draft.definition, run, upTo) : null),
    [draft.definition, run, upTo],
  );
  const takenEdges = useMemo(
    () => (draft.definition ? edgeRuns(draft.definition, run, upTo) : null),
    [draft.definition, run, upTo],
  );
  const tests = useSavedTests(workflow, parent, { saved, showsCoverage, definition: draft.definition });
  const whyNotSave =
    whyNoSave(rights, workflowPlace(workflow)) ??
    (workflow.archivedAt === null ? null : t("Archived workflows can't have new versions.")) ??
    (begun ? null : t('The draft is loading.')) ??
    (checked.savable ? null : t('Fix the errors marked in the text first.'));

  const askToSave = () => {
    if (whyNotSave !== null) toastInfo(t('Unsaved'), whyNotSave);
    else if (stale === null) setSaving(true);
  };
  const runFromFailed = () => {
    if (recorded && checked.savable && draft.definition)
      void drafts.start(draft.definition, { from: recorded.task.node });
    else if (!checked.savable) toastInfo(t('Not run'), t('Fix the errors in the text first.'));
  };
  useShortcut('mod+s', t('Save version'), askToSave);

  const drawn = draft.definition !== null;
  useEffect(() => {
    if (view === 'json' && drawn && node !== undefined) openNode(node, false);
  }, [view, drawn, node, openNode]);
  const openMark = useCallback(
    (mark: DefinitionMark) => {
      const isShown = view !== 'json' && builder.current?.show(mark);
      if (view === 'canvas' && isShown) return;
      if (view === 'canvas') onView('split');
      jump(mark.from, mark.to);
    },
    [jump, view, onView],
  );
  const nameOf = useMemo(() => nodeNames(draft.definition?.nodes ?? []), [draft.definition]);
  const placeOf = useCallback(
    (mark: DefinitionMark) =>
      (draft.definition && whereIs(draft.definition, nameOf, mark)) ??
      t('line {line} of the text', { line: mark.line }),
    [draft.definition, nameOf],
  );
  const insert = (type: string) => {
    const put = editor.current && nodeInsertion(text, type);
    if (!put) return;
    session.edit(text.slice(0, put.at) + put.text + text.slice(put.at), t('Add {type}', { type }));
    // The menu gives the focus back to its button as it closes; the new id is what one wants to type over.
    setTimeout(() => jump(put.select.from, put.select.to), 50);
  };
  // What is recorded is told above.
  const outcome = (
    <>
      {tests.commit !== null && (
        <TestOutcome
          workflowId={workflow.id}
          commit={tests.commit}
          query={tests.query}
          showsCoverage={showsCoverage}
          onCoverage={onCoverage}
        />
      )}
      {!isRecorded && <DraftRunOutcome nameOf={nameOf} />}
    </>
  );
  const format = () => session.edit(formatDefinition(text), t('Format'));

  if (!begun) return <Loading query={headQuery} what={t('Could not load the latest version')} height={480} />;
  return (
    <div
      className={classes.tab}
      onKeyDown={(event) => {
        if (event.shiftKey && event.altKey && event.code === 'KeyF') {
          event.preventDefault();
          format();
        }
      }}
    >
      <Toolbar
        view={view}
        onView={onView}
        undoes={history.past.at(-1)?.label ?? null}
        redoes={history.future.at(-1)?.label ?? null}
        parent={parent}
        parentNumber={parent === head ? headQuery.data?.number : undefined}
        dirty={dirty}
        kept={kept}
        draftFrom={draftFrom}
        whyNotSave={whyNotSave}
        onInsert={insert}
        onFormat={format}
        onUndo={session.undo}
        onRedo={session.redo}
        onDiscard={session.discard}
        onSave={askToSave}
      >
        <DraftRunTools definition={checked.savable ? draft.definition : null} />
      </Toolbar>
      <div className={classes.notes}>
        {debug !== undefined && (
          <Suspense>
            <DebugBar
              workflow={workflow}
              session={session}
              taskId={debug}
              run={{
                succeeded: !isRecorded && run?.status === 'COMPLETED',
                reason: whyNoSave(rights, workflowPlace(workflow)) ?? (busy ? t('A run is in progress.') : null),
                start: runFromFailed,
              }}
              onSave={askToSave}
              onEdit={() => {}}
              onPublish={onPublish}
              onClose={() => {
                session.endDebugging();
                if (headText !== null) session.begin(headText, head);
                drafts.clear();
                drafts.giveBack();
                onDebugged();
              }}
            />
          </Suspense>
        )}
        {headQuery.isError && headQuery.data && (
          <StaleBanner
            error={headQuery.error}
            updatedAt={headQuery.dataUpdatedAt}
            onRetry={() => void headQuery.refetch()}
          />
        )}
        <DraftNotes
          workflow={workflow}
          session={session}
          onCompare={(newer) => setStale({ head: newer, message: null })}
        />
      </div>
      <div className={classes.body} data-view={view}>
        {view !== 'json' && draft.definition && (
          <BuilderView
            ref={builder}
            draft={{ ...draft, definition: draft.definition }}
            marks={marks}
            runs={tests.coverage?.nodes ?? runs}
            edgeRuns={tests.coverage === null || tests.coverage === undefined ? takenEdges : null}
            testedEdges={tests.coverage?.edges ?? null}
            isNarrow={view === 'split'}
            onOpenText={openNode}
            node={node}
            onNode={onNode}
            outcome={outcome}
            below={<FaultList checked={checked} onJump={openMark} placeOf={placeOf} />}
          />
        )}
        {/* Just opened, the text is there before it has been read: that is no fault of it. */}
        {view !== 'json' && !draft.definition && (read !== '' || text === '') && (
          <EmptyState title={t('Could not render this definition')}>{draft.fault}</EmptyState>
        )}
        {view === 'canvas' && !draft.definition && outcome}
        {view !== 'canvas' && (
          <div className={classes.texts}>
            <Suspense fallback={<SkeletonLines lines={12} />}>
              <TextPane
                workflowId={workflow.id}
                session={session}
                text={text}
                marks={marks}
                onSave={askToSave}
                onCreate={attach}
              />
            </Suspense>
            {(view === 'json' || !draft.definition) && outcome}
            <FaultList checked={checked} onJump={openMark} />
          </div>
        )}
      </div>
      <SaveDialog
        opened={saving}
        onClose={() => setSaving(false)}
        faults={marks.filter((mark) => mark.blocks === 'publish').length}
        changed={dirty || parent === null}
        onSave={(message) => save(message, parent)}
      />
      {stale && (
        <Suspense>
          <MergeDialog
            workflowId={workflow.id}
            parent={parent}
            head={stale.head}
            text={text}
            saving={stale.message !== null}
            onClose={() => setStale(null)}
            onMerged={async (merged, headText) => {
              session.edit(merged, t('Merge with {version}', { version: stale.head.slice(0, 8) }));
              session.rebase(headText, stale.head);
              if (stale.message !== null) await save(stale.message, stale.head);
              setStale((now) => (now === stale ? null : now));
            }}
            onOpenHead={(newer) => {
              session.leaveFor(newer, stale.head);
              setStale(null);
              toastSuccess(t('Newer version opened'), t('Your changes are kept as a draft.'));
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The node or the edge that a fault is in, for people. */
function whereIs(definition: Definition, nameOf: NodeNameLookup, mark: DefinitionMark): string | null {
  const subject = faultSubject(definition, mark);
  if (subject === null) return mark.pointer === '/output' ? t('Workflow') : null;
  if ('node' in subject)
    return [nameOf(subject.node), /^\/nodes\/\d+\/(?:config\/)?(.+)/.exec(mark.pointer)?.[1]]
      .filter((part) => part !== undefined)
      .join(' · ');
  const { from, to } = edgeFromFlowId(subject.edge);
  return `${nameOf(from)} → ${nameOf(to)}`;
}
