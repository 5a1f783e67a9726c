import { EditorView } from '@codemirror/view';
import { useCallback, useRef } from 'react';
import { arrayItems, memberValue, rangeAtPointer, stringValue } from '../../../ui/json-text/locate.ts';
import type { JsonNode } from '../../../ui/json-text/scan.ts';

/** Leads to places of the text, also before its editor is drawn. `root`: the text as it was read last. */
export function useTextJump(root: JsonNode | null) {
  const editor = useRef<EditorView | null>(null);
  /** Where the text is to be shown once it is there. */
  const due = useRef<{ from: number; to: number } | null>(null);
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
  const latest = useRef(root);
  latest.current = root;
  const openNode = useCallback(
    (id: string, isEntered: boolean) => {
      const root = latest.current;
      const index = arrayItems(memberValue(root, 'nodes')).findIndex(
        (node) => stringValue(memberValue(node, 'id')) === id,
      );
      const { from, to } = rangeAtPointer(root, `/nodes/${index}/id`);
      if (index >= 0) jump(from, to, isEntered);
    },
    [jump],
  );
  return { editor, jump, attach, openNode };
}

function showIn(editor: EditorView, from: number, to: number, isEntered: boolean): void {
  const end = editor.state.doc.length;
  editor.dispatch({
    selection: { anchor: Math.min(from, end), head: Math.min(to, end) },
    effects: EditorView.scrollIntoView(Math.min(from, end), { y: 'center' }),
  });
  if (isEntered) editor.focus();
}
