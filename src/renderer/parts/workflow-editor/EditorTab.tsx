import { redo, undo } from '@codemirror/commands';
import { EditorView } from '@codemirror/view';
import { Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Workflow } from '../../../contract/api.ts';
import type { Definition } from '../../../contract/definition.ts';
import { parseJson } from '../../../lib/json.ts';
import { t } from '../../../lib/language.ts';
import { ApiError } from '../../api/client.ts';
import { commitQuery, createCommit, workflowKeys } from '../../api/workflows.ts';
import { useRole } from '../../stores/role.ts';
import { CodeEditor } from '../../ui/CodeEditor.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { SkeletonBlock } from '../../ui/Skeletons.tsx';
import { StaleLine } from '../../ui/StaleLine.tsx';
import { sayDone, sayNote } from '../../ui/toasts.tsx';
import { useShortcut } from '../frame/shortcuts.ts';
import { whyNoSave } from '../workflow-publish/rules.ts';
import { type DraftNode, draftGraph } from '../workflow-text/draft-graph.ts';
import { formatDefinition } from '../workflow-text/format.ts';
import { nodeInsertion } from '../workflow-text/insert.ts';
import { readableDefinition } from '../workflow-text/order.ts';
import type { Mark } from '../workflow-text/marks.ts';
import { rangeOf } from '../workflow-text/place.ts';
import { starterText } from '../workflow-text/starter.ts';
import { DraftNotes } from './DraftNotes.tsx';
import { DraftPreview } from './DraftPreview.tsx';
import classes from './Editor.module.css';
import { FaultList } from './FaultList.tsx';
import { SaveDialog } from './SaveDialog.tsx';
import { type EditorSession, isDirty } from './session.ts';
import { StaleDialog } from './StaleDialog.tsx';
import { Toolbar } from './Toolbar.tsx';
import { useMarks } from './use-marks.ts';
import { useKnownNames } from './use-names.ts';
import { useSame } from './use-same.ts';

/** Milliseconds after a key press until the draft is written. */
const KEEP_AFTER = 300;

/** The definition as text: completed, checked and drawn as it is typed, saved as a version. */
export function EditorTab({ workflow, session }: { workflow: Workflow; session: EditorSession }): ReactNode {
  const { head } = workflow;
  const client = useQueryClient();
  const { role } = useRole();
  const state = useStore(session.store);
  const { begun, text, parent, draftFrom, kept } = state;
  const dirty = isDirty(state);
  const headQuery = useQuery({ ...commitQuery(workflow.id, head ?? ''), enabled: head !== null });
  const headText = useMemo(() => (head === null ? starterText(workflow.name) : headQuery.data ? readableDefinition(headQuery.data.definition) : null), [head, headQuery.data, workflow.name]);
  // Reading a long text takes longer than a key press may: what is drawn from it follows when there is time.
  const read = useDeferredValue(text);
  const checked = useMarks(workflow.id, read);
  const completions = useKnownNames();
  const view = useRef<EditorView | null>(null);
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
  // Most key presses change no node and no edge; the drawing then stays as it is.
  const graph = useSame(useMemo(() => draftGraph(checked.parsed.root), [checked.parsed]));
  const faultyNodes = useSame(useMemo(() => marks.flatMap((mark) => /^\/nodes\/(\d+)/.exec(mark.pointer)?.[1] ?? []).map(Number), [marks]));
  const faulty = useMemo(() => new Set(faultyNodes), [faultyNodes]);
  const diagnostics = useMemo(() => marks.map((mark) => ({ from: mark.from, to: mark.to, severity: mark.blocks === 'save' ? ('error' as const) : mark.blocks === 'publish' ? ('warning' as const) : ('info' as const), message: mark.message })), [marks]);
  const whyNotSave = whyNoSave(role) ?? (workflow.archivedAt === null ? null : t('An archived workflow takes no new versions.')) ?? (checked.savable ? null : t('This is no definition yet: mend what is marked in the text first.'));

  const askToSave = () => {
    if (whyNotSave !== null) sayNote(t('Not saved'), whyNotSave);
    else if (stale === null) setSaving(true);
  };
  useShortcut('mod+s', t('Save a version'), askToSave);

  const save = async (message: string, after: string | null) => {
    const sent = session.store.getState().text;
    try {
      const commit = await createCommit(workflow.id, { definition: parseJson(sent) as Definition, message, parent: after });
      client.setQueryData(workflowKeys.commit(workflow.id, commit.hash), commit);
      client.setQueryData<Workflow>(workflowKeys.one(workflow.id), (now) => (now ? { ...now, head: commit.hash } : now));
      session.saved(sent, commit.hash);
      setSaving(false);
      setStale(null);
      sayDone(t('Saved version {value}', { value: commit.hash.slice(0, 8) }), commit.valid ? t('It can be published.') : t('It has faults and cannot be published yet.'));
      void client.invalidateQueries({ queryKey: workflowKeys.all });
    } catch (error) {
      const newer = error instanceof ApiError && error.code === 'STALE_PARENT' ? error.problem['head'] : null;
      if (typeof newer !== 'string') throw error;
      setSaving(false);
      setStale({ head: newer, message });
      void client.invalidateQueries({ queryKey: workflowKeys.one(workflow.id) });
    }
  };

  const jump = useCallback((from: number, to: number) => {
    const editor = view.current;
    if (!editor) return;
    const end = editor.state.doc.length;
    editor.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, effects: EditorView.scrollIntoView(Math.min(from, end), { y: 'center' }) });
    editor.focus();
  }, []);
  const latest = useRef(checked);
  latest.current = checked;
  const openNode = useCallback(
    (node: DraftNode) => {
      const { from, to } = rangeOf(latest.current.parsed.root, `/nodes/${node.index}/id`);
      jump(from, to);
    },
    [jump],
  );
  const openMark = useCallback((mark: Mark) => jump(mark.from, mark.to), [jump]);
  const insert = (type: string) => {
    const editor = view.current;
    const put = editor && nodeInsertion(editor.state.doc.toString(), type);
    if (!editor || !put) return;
    editor.dispatch({ changes: { from: put.at, insert: put.text }, selection: { anchor: put.select.from, head: put.select.to }, scrollIntoView: true, userEvent: 'input' });
    // The menu gives the focus back to its button as it closes; the new id is what one wants to type over.
    setTimeout(() => editor.focus(), 50);
  };
  const format = () => {
    const editor = view.current;
    const next = formatDefinition(text);
    if (!editor || next === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: next }, userEvent: 'input' });
  };

  if (!begun) {
    if (headQuery.isError) return <ErrorState error={headQuery.error} what={t('The newest version could not be read')} onRetry={() => void headQuery.refetch()} />;
    return <SkeletonBlock height={480} />;
  }
  return (
    <div className={classes.tab} onKeyDown={(event) => {
      if (event.shiftKey && event.altKey && event.code === 'KeyF') {
        event.preventDefault();
        format();
      }
    }}>
      <Toolbar
        parent={parent}
        dirty={dirty}
        kept={kept}
        draftFrom={draftFrom}
        whyNotSave={whyNotSave}
        onInsert={insert}
        onFormat={format}
        onUndo={() => view.current && undo(view.current)}
        onRedo={() => view.current && redo(view.current)}
        onDiscard={session.discard}
        onSave={askToSave}
      />
      <div>
        {headQuery.isError && headQuery.data && <StaleLine error={headQuery.error} updatedAt={headQuery.dataUpdatedAt} onRetry={() => void headQuery.refetch()} />}
        <DraftNotes workflow={workflow} session={session} onCompare={(newer) => setStale({ head: newer, message: null })} />
      </div>
      <div className={classes.split}>
        <div className={classes.text}>
          <CodeEditor label={t('Definition of {id}', { id: workflow.id })} value={text} onChange={session.edit} language="json" fill diagnostics={diagnostics} completions={completions} onSave={askToSave} onCreate={(created) => (view.current = created)} />
          <Text size="xs" c="dimmed" pt={4}>
            {t('Ctrl+Space completes · Ctrl+S saves · Shift+Alt+F formats · Esc, then Tab leaves the text')}
          </Text>
        </div>
        <div className={classes.side}>
          <div className={classes.panel}>
            <DraftPreview graph={graph} faulty={faulty} onOpen={openNode} />
          </div>
          <FaultList checked={checked} onJump={openMark} />
        </div>
      </div>
      <SaveDialog opened={saving} onClose={() => setSaving(false)} faults={marks.filter((mark) => mark.blocks === 'publish').length} changed={dirty || parent === null} onSave={(message) => save(message, parent)} />
      {stale && (
        <StaleDialog
          workflowId={workflow.id}
          head={stale.head}
          text={text}
          saving={stale.message !== null}
          onClose={() => setStale(null)}
          onRebase={async (newer) => {
            if (stale.message !== null) await save(stale.message, stale.head);
            else session.rebase(newer, stale.head);
            setStale((now) => (now === stale ? null : now));
          }}
          onOpenHead={(newer) => {
            session.leaveFor(newer, stale.head);
            setStale(null);
            sayDone(t('The newer version is open'), t('Your text is kept here as a draft.'));
          }}
        />
      )}
    </div>
  );
}
