import { EditorView } from '@codemirror/view';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Definition } from '../../../../contract/definition.ts';
import type { Workflow } from '../../../../contract/workflows.ts';
import { parseJson } from '../../../../lib/json.ts';
import { t } from '../../../../lib/language.ts';
import { ApiError } from '../../../../lib/api-error.ts';
import { commitQuery, createCommit, workflowKeys } from '../../../api/workflows.ts';
import { useRole } from '../../../stores/role.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SkeletonBlock } from '../../../ui/Skeletons.tsx';
import { StaleLine } from '../../../ui/StaleLine.tsx';
import { toastSuccess, toastInfo } from '../../../ui/toasts.tsx';
import { useShortcut } from '../../../keyboard/use-shortcut.ts';
import { type NameOf, nodeNames } from '../node-names.ts';
import { type BuilderHandle, BuilderView } from '../canvas/BuilderView.tsx';
import { faultSubject } from '../canvas/faults.ts';
import { edgeFromFlowId } from '../canvas/flow.ts';
import { useDraft } from '../canvas/use-draft.ts';
import { DraftRunProvider, useDraftRuns } from '../draft-run/context.tsx';
import { DraftRunOutcome, DraftRunTools } from '../draft-run/DraftRunBar.tsx';
import { nodeRuns } from '../draft-run/node-runs.ts';
import { MergeDialog } from '../merge/MergeDialog.tsx';
import { savedMessage } from '../publish/rules.ts';
import { whyNoSave } from '../../../stores/permissions.ts';
import { formatDefinition } from '../../../ui/json-text/format.ts';
import { nodeInsertion } from '../definition/insert.ts';
import { readableDefinition } from '../readable-definition.ts';
import type { DefinitionMark } from '../definition/marks.ts';
import { arrayItems, rangeAtPointer, stringValue, memberValue } from '../../../ui/json-text/locate.ts';
import { starterText } from '../definition/starter.ts';
import { DraftNotes } from './DraftNotes.tsx';
import classes from './Editor.module.css';
import { FaultList } from './FaultList.tsx';
import { SaveDialog } from './SaveDialog.tsx';
import { type EditorSession, isDirty } from '../draft/session.ts';
import { TextPane } from './TextPane.tsx';
import { type EditView, Toolbar } from './Toolbar.tsx';
import { useDefinitionMarks } from '../definition/use-marks.ts';

/** Milliseconds after a key press until the draft is written. */
const KEEP_AFTER = 300;

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
}

function Editor({ workflow, session, view, onView, node, onNode }: EditorTabProps): ReactNode {
  const { head } = workflow;
  const client = useQueryClient();
  const navigate = useNavigate();
  const { role } = useRole();
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
  const editor = useRef<EditorView | null>(null);
  const builder = useRef<BuilderHandle>(null);
  /** Where the text is to be shown once it is there. */
  const due = useRef<{ from: number; to: number } | null>(null);
  const [saving, setSaving] = useState(false);
  /** The newer head that stands in the way; with the message of the version that was to be saved. */
  const [stale, setStale] = useState<{ head: string; message: string | null } | null>(null);

  useEffect(() => {
    if (headText !== null) session.begin(headText, head);
  }, [session, headText, head]);
  useEffect(() => {
    const timer = setTimeout(session.keep, KEEP_AFTER);
    return () => clearTimeout(timer);
  }, [session, text]);
  useEffect(() => {
    window.addEventListener('pagehide', session.keep);
    return () => {
      window.removeEventListener('pagehide', session.keep);
      session.keep();
    };
  }, [session]);

  const marks = checked.marks;
  const drafts = useDraftRuns();
  const { run, upTo } = useStore(drafts.store);
  const runs = useMemo(
    () => (draft.definition ? nodeRuns(draft.definition, run, upTo) : null),
    [draft.definition, run, upTo],
  );
  const whyNotSave =
    whyNoSave(role) ??
    (workflow.archivedAt === null ? null : t("Archived workflows can't have new versions.")) ??
    (begun ? null : t('The draft is loading.')) ??
    (checked.savable ? null : t('Fix the errors marked in the text first.'));

  const askToSave = () => {
    if (whyNotSave !== null) toastInfo(t('Unsaved'), whyNotSave);
    else if (stale === null) setSaving(true);
  };
  useShortcut('mod+s', t('Save version'), askToSave);

  const save = async (message: string, after: string | null) => {
    const sent = session.store.getState().text;
    try {
      const commit = await createCommit(workflow.id, {
        definition: parseJson(sent) as Definition,
        message,
        parent: after,
      });
      client.setQueryData(workflowKeys.commit(workflow.id, commit.hash), commit);
      client.setQueryData<Workflow>(workflowKeys.one(workflow.id), (now) =>
        now ? { ...now, head: commit.hash } : now,
      );
      session.saved(sent, commit.hash);
      setSaving(false);
      setStale(null);
      const name = t('Saved version {value}', { value: commit.hash.slice(0, 8) });
      if (commit.valid)
        toastSuccess(name, t('Ready to publish.'), {
          label: t('Publish…'),
          about: savedMessage(workflow.id),
          run: () =>
            void navigate({
              to: '/workflows/$workflowId',
              params: { workflowId: workflow.id },
              search: { tab: 'publish', environment: 'dev', version: commit.hash },
            }),
        });
      else toastSuccess(name, t("It has validation errors and can't be published yet."));
      void client.invalidateQueries({ queryKey: workflowKeys.all });
    } catch (error) {
      const newer = error instanceof ApiError && error.code === 'STALE_PARENT' ? error.problem['head'] : null;
      if (typeof newer !== 'string') throw error;
      setSaving(false);
      setStale({ head: newer, message });
      void client.invalidateQueries({ queryKey: workflowKeys.one(workflow.id) });
    }
  };

  const jump = useCallback((from: number, to: number, isEntered = true) => {
    if (!editor.current) due.current = { from, to };
    else showIn(editor.current, from, to, isEntered);
  }, []);
  const attach = useCallback((created: EditorView | null) => {
    editor.current = created;
    const place = due.current;
    due.current = null;
    if (created && place) showIn(created, place.from, place.to, true);
  }, []);
  const latest = useRef(checked);
  latest.current = checked;
  const openNode = useCallback(
    (id: string, isEntered: boolean) => {
      const { root } = latest.current.parsed;
      const index = arrayItems(memberValue(root, 'nodes')).findIndex(
        (node) => stringValue(memberValue(node, 'id')) === id,
      );
      const { from, to } = rangeAtPointer(root, `/nodes/${index}/id`);
      if (index >= 0) jump(from, to, isEntered);
    },
    [jump],
  );
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
  const format = () => session.edit(formatDefinition(text), t('Format'));

  if (!begun) {
    if (headQuery.isError)
      return (
        <ErrorState
          error={headQuery.error}
          what={t('Could not load the latest version')}
          onRetry={() => void headQuery.refetch()}
        />
      );
    return <SkeletonBlock height={480} />;
  }
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
        <DraftRunOutcome nameOf={nameOf} />
        {headQuery.isError && headQuery.data && (
          <StaleLine
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
            runs={runs}
            isNarrow={view === 'split'}
            onOpenText={openNode}
            node={node}
            onNode={onNode}
            below={<FaultList checked={checked} onJump={openMark} placeOf={placeOf} />}
          />
        )}
        {/* Just opened, the text is there before it has been read: that is no fault of it. */}
        {view !== 'json' && !draft.definition && (read !== '' || text === '') && (
          <EmptyState title={t('Could not render this definition')}>{draft.fault}</EmptyState>
        )}
        {view !== 'canvas' && (
          <div className={classes.texts}>
            <TextPane
              workflowId={workflow.id}
              session={session}
              text={text}
              marks={marks}
              onSave={askToSave}
              onCreate={attach}
            />
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
      )}
    </div>
  );
}

function showIn(editor: EditorView, from: number, to: number, isEntered: boolean): void {
  const end = editor.state.doc.length;
  editor.dispatch({
    selection: { anchor: Math.min(from, end), head: Math.min(to, end) },
    effects: EditorView.scrollIntoView(Math.min(from, end), { y: 'center' }),
  });
  if (isEntered) editor.focus();
}

/** The node or the edge that a fault is in, for people. */
function whereIs(definition: Definition, nameOf: NameOf, mark: DefinitionMark): string | null {
  const subject = faultSubject(definition, mark);
  if (subject === null) return mark.pointer === '/output' ? t('Workflow') : null;
  if ('node' in subject)
    return [nameOf(subject.node), /^\/nodes\/\d+\/(?:config\/)?(.+)/.exec(mark.pointer)?.[1]]
      .filter((part) => part !== undefined)
      .join(' · ');
  const { from, to } = edgeFromFlowId(subject.edge);
  return `${nameOf(from)} → ${nameOf(to)}`;
}
