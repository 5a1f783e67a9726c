import type { EditorView } from '@codemirror/view';
import { useCallback, useRef } from 'react';
import { arrayItems, memberValue, rangeAtPointer, stringValue } from '../../../ui/json-text/locate.ts';
import type { JsonNode } from '../../../ui/json-text/scan.ts';

/** Offsets into the text. */
export interface TextPlace {
  readonly from: number;
  readonly to: number;
  /** The editor takes the focus. */
  readonly isEntered: boolean;
}
export interface TextEditor {
  readonly view: EditorView;
  show(place: TextPlace): void;
}

/** Leads to places of the text, also before its editor is drawn. `root`: the text as it was read last. */
export function useTextJump(root: JsonNode | null) {
  const editor = useRef<EditorView | null>(null);
  const shown = useRef<TextEditor | null>(null);
  /** Where the text is to be shown once it is there. */
  const due = useRef<{ from: number; to: number } | null>(null);
  const jump = useCallback((from: number, to: number, isEntered = true) => {
    if (!shown.current) due.current = { from, to };
    else shown.current.show({ from, to, isEntered });
  }, []);
  const attach = useCallback((created: TextEditor | null) => {
    shown.current = created;
    editor.current = created?.view ?? null;
    const place = due.current;
    due.current = null;
    if (created && place) created.show({ ...place, isEntered: true });
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
