import { createStore, type StoreApi } from 'zustand/vanilla';
import { t } from '../../../../lib/language.ts';
import { emptyHistory, type History, recordStep, redoStep, undoStep } from './history.ts';
import type { Drafts } from './drafts.ts';

/** One workflow in the editor: the text, and the version that it began from. */
export interface EditorState {
  /** False until the version that it begins from was read. */
  readonly begun: boolean;
  readonly text: string;
  /** Text of the version that it began from. */
  readonly base: string;
  /** Hash of that version; null: before the first one. */
  readonly parent: string | null;
  /** The text came from a draft of an earlier visit, kept then (milliseconds). Null: it did not, or was edited since. */
  readonly draftFrom: number | null;
  /** The browser's storage took the draft; false: it would be lost with the page. */
  readonly kept: boolean;
  /** The task whose version is open to be debugged: the newest version is not followed. Null: none. */
  readonly debugging: string | null;
  /** What can be undone and done again since it was opened, whichever view made the change. */
  readonly history: History;
}

export interface EditorSession {
  readonly store: StoreApi<EditorState>;
  /** The head as the master has it. Begins with it (or with its draft), follows it while nothing was changed. */
  begin(base: string, parent: string | null): void;
  /** Typing, unless `label` names a gesture; each gesture is a step of its own. `kind`: gestures of one kind that follow each other are one step. */
  edit(text: string, label?: string, kind?: string): void;
  /** The name of the step that was taken back, or null where there was none. */
  undo(): string | null;
  redo(): string | null;
  /** Writes the draft, or drops it where nothing differs. */
  keep(): void;
  /** A version was saved from this very text; what was typed since stays. */
  saved(text: string, hash: string): void;
  /** Keeps the text and lets it follow on another version. */
  rebase(base: string, parent: string): void;
  /** Shows another version; the text so far stays as a draft of the version that it began from. */
  leaveFor(base: string, parent: string): void;
  /** Opens the version that a task failed on, once; the text so far stays as a draft. */
  debug(taskId: string, base: string, parent: string): void;
  /** The newest version is followed again, where nothing was changed. */
  endDebugging(): void;
  /** Back to the version that it began from. */
  discard(): void;
  /** Takes up a draft of another version. Saving it will meet the newer head. */
  take(text: string, base: string, parent: string | null): void;
}

export const isDirty = (state: EditorState): boolean => state.begun && state.text !== state.base;

/** `now`: milliseconds since the epoch. */
export function createEditorSession(workflowId: string, drafts: Drafts, now: () => number): EditorSession {
  const store = createStore<EditorState>(() => ({
    begun: false,
    text: '',
    base: '',
    parent: null,
    draftFrom: null,
    kept: true,
    debugging: null,
    history: emptyHistory,
  }));
  const { getState: state, setState: set } = store;
  const show = (base: string, parent: string | null) => {
    const draft = drafts.load(workflowId, parent);
    const differs = draft !== null && draft.text !== base;
    set({
      begun: true,
      base,
      parent,
      text: differs ? draft.text : base,
      draftFrom: differs ? draft.at : null,
      kept: true,
      history: emptyHistory,
    });
  };

  const step = (move: typeof undoStep): string | null => {
    const moved = move(state().history, state().text);
    if (!moved) return null;
    set({ text: moved.text, history: moved.history, draftFrom: null });
    return moved.label;
  };

  const session: EditorSession = {
    store,
    begin(base, parent) {
      if (state().debugging !== null) return;
      if (!state().begun) show(base, parent);
      else if (!isDirty(state()) && state().parent !== parent) show(base, parent);
    },
    edit(text, label, kind) {
      const before = state();
      if (text === before.text) return;
      set({
        text,
        draftFrom: null,
        history: recordStep(before.history, before.text, {
          label: label ?? t('Edit text'),
          kind: label === undefined ? 'typing' : kind,
          at: now(),
        }),
      });
    },
    undo: () => step(undoStep),
    redo: () => step(redoStep),
    keep() {
      const now_ = state();
      if (!now_.begun || now_.draftFrom !== null) return;
      if (isDirty(now_)) set({ kept: drafts.save(workflowId, { text: now_.text, parent: now_.parent, at: now() }) });
      else drafts.drop(workflowId, now_.parent);
    },
    saved(text, hash) {
      drafts.drop(workflowId, state().parent);
      set({ base: text, parent: hash, draftFrom: null });
      session.keep();
    },
    rebase(base, parent) {
      drafts.drop(workflowId, state().parent);
      set({ base, parent, draftFrom: null });
      session.keep();
    },
    leaveFor(base, parent) {
      session.keep();
      set({ base, parent, text: base, draftFrom: null, history: emptyHistory });
    },
    debug(taskId, base, parent) {
      if (state().debugging === taskId) return;
      if (!state().begun) show(base, parent);
      else if (state().parent !== parent) {
        session.keep();
        show(base, parent);
      }
      set({ debugging: taskId });
    },
    endDebugging: () => set({ debugging: null }),
    discard() {
      drafts.drop(workflowId, state().parent);
      session.edit(state().base, t('Discard changes'));
      set({ draftFrom: null, kept: true });
    },
    take(text, base, parent) {
      session.keep();
      set({ begun: true, text, base, parent, draftFrom: null, history: emptyHistory });
    },
  };
  return session;
}
