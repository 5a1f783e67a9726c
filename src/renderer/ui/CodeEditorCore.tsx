import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';
import type { CodeEditorProps } from './CodeEditor.tsx';
import { codeTheme } from './code-theme.ts';
import { tabHint } from './code-tab-hint.ts';
import { cspNonce } from './csp-nonce.ts';
import { createTypedEchoes } from './typed-echoes.ts';

/** The editor itself; a chunk of its own, loaded by `CodeEditor`. */
export function CodeEditorCore(props: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const parts = useRef({ readOnly: new Compartment(), extra: new Compartment(), completion: new Compartment() });
  const [echoes] = useState(createTypedEchoes);
  /** The text that is written in is one that the page handed down. */
  const isGiven = useRef(false);
  // Handlers of the newest drawing; the view is made once.
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    const first = latest.current;
    const { readOnly, extra, completion } = parts.current;
    const made = new EditorView({
      parent,
      state: EditorState.create({
        doc: first.value,
        extensions: [
          setup(
            first.language ?? 'json',
            first.bare === true,
            (text) => {
              if (!isGiven.current) {
                echoes.typed(text);
                // For a dialog, which asks before such a text is lost.
                parent.dataset['edited'] = '';
              }
              latest.current.onChange?.(text);
            },
            () => latest.current.onSave,
          ),
          EditorView.contentAttributes.of({ 'aria-label': first.label, tabindex: '0' }),
          readOnly.of(lock(first.readOnly)),
          completion.of(completions(first)),
          extra.of(first.extensions ?? []),
        ],
      }),
    });
    view.current = made;
    first.onCreate?.(made);
    return () => {
      made.destroy();
      view.current = null;
    };
  }, []);

  useEffect(() => {
    const made = view.current;
    // Only a value that did not come from typing here replaces the text; the cursor would jump otherwise.
    const now = made?.state.doc.toString();
    if (!made || now === undefined) return;
    if (echoes.isLate(props.value, now) || now === props.value) return;
    isGiven.current = true;
    made.dispatch({ changes: changeBetween(now, props.value) });
    isGiven.current = false;
  }, [props.value, echoes]);
  useEffect(
    () => view.current?.dispatch({ effects: parts.current.readOnly.reconfigure(lock(props.readOnly)) }),
    [props.readOnly],
  );
  useEffect(
    () => view.current?.dispatch({ effects: parts.current.extra.reconfigure(props.extensions ?? []) }),
    [props.extensions],
  );
  useEffect(
    () => view.current?.dispatch({ effects: parts.current.completion.reconfigure(completions(props)) }),
    [props.completions],
  );
  useEffect(() => {
    const made = view.current;
    if (!made || props.diagnostics === undefined) return;
    const end = made.state.doc.length;
    made.dispatch(
      setDiagnostics(
        made.state,
        props.diagnostics.map((d) => ({
          ...d,
          from: Math.min(d.from, end),
          to: Math.min(Math.max(d.to, d.from), end),
        })),
      ),
    );
  }, [props.diagnostics]);

  return <div ref={host} className={props.className} />;
}

/** The one stretch in which two texts differ: what stands around it, and the cursor in it, stay where they are. */
function changeBetween(old: string, next: string): { from: number; to: number; insert: string } {
  const most = Math.min(old.length, next.length);
  let from = 0;
  while (from < most && old[from] === next[from]) from++;
  let end = 0;
  while (end < most - from && old[old.length - 1 - end] === next[next.length - 1 - end]) end++;
  return { from, to: old.length - end, insert: next.slice(from, next.length - end) };
}

function setup(
  language: 'json' | 'text',
  bare: boolean,
  onText: (text: string) => void,
  save: () => (() => void) | undefined,
): Extension {
  return [
    EditorView.cspNonce.of(cspNonce()),
    Prec.high(keymap.of([{ key: 'Mod-s', preventDefault: true, run: () => (save()?.(), true) }])),
    bare ? [] : [lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), foldGutter(), lintGutter()],
    highlightSpecialChars(),
    history(),
    drawSelection(),
    EditorState.allowMultipleSelections.of(true),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightSelectionMatches(),
    // Escape, then Tab leaves the editor: CodeMirror's own way out for keyboards.
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    language === 'json' ? json() : [],
    codeTheme(),
    typedOverSelection(),
    tabHint(),
    EditorView.lineWrapping,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onText(update.state.doc.toString());
    }),
  ];
}

const lock = (readOnly: boolean | undefined): Extension => [
  EditorState.readOnly.of(readOnly === true),
  EditorView.editable.of(true),
];
const completions = ({ completions: source }: CodeEditorProps): Extension =>
  autocompletion(source ? { override: [source] } : {});

/**
 * Text that is typed over a selection, put in by the editor. Left to itself Chromium would keep the colours of what goes by
 * style attributes around what comes, which the page's policy refuses, and CodeMirror would take them out again.
 */
const typedOverSelection = (): Extension =>
  EditorView.domEventHandlers({
    beforeinput({ inputType, data, isComposing }, view) {
      const { from, to, empty } = view.state.selection.main;
      if (inputType !== 'insertText' || !data || isComposing || empty || view.state.readOnly) return false;
      const insert = () =>
        view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
      // Brackets that close themselves and the like come first, as in CodeMirror's own way.
      if (!view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert)))
        view.dispatch(insert());
      return true;
    },
  });
