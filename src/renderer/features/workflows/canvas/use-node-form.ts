import { useCallback, useDeferredValue, useEffect, useRef } from 'react';
import type { CanvasSelection } from './builder.ts';
import { oneNode } from './selection.ts';

interface NodeFormParts {
  readonly selection: CanvasSelection;
  readonly select: (ids: readonly string[]) => void;
  /** The node's text is opened in place of a form: there is none beside the text. */
  readonly onOpenText: ((nodeId: string, isEntered: boolean) => void) | null;
  readonly isShown: boolean;
  readonly show: () => void;
}

/** The form of what is selected: `shown` is what it is drawn for, `open` leads the focus into it. */
export function useNodeForm({ selection, select, onOpenText, isShown, show }: NodeFormParts) {
  const form = useRef<HTMLDivElement>(null);
  // A form has editors in it: it is drawn when there is time, so that walking from node to node waits for none.
  const drawn = useDeferredValue(selection);
  const shownForm = useRef(drawn);
  shownForm.current = drawn;
  const entering = useRef<string | null>(null);
  const enter = useCallback(() => {
    if (entering.current === null || form.current === null || oneNode(shownForm.current) !== entering.current) return;
    entering.current = null;
    (
      form.current.querySelector<HTMLElement>('input, textarea, [contenteditable="true"], select') ?? form.current
    ).focus();
  }, []);
  useEffect(enter, [drawn, isShown, enter]);
  const open = useCallback(
    (id: string) => {
      select([id]);
      if (onOpenText !== null) return onOpenText(id, true);
      show();
      entering.current = id;
      requestAnimationFrame(enter);
    },
    [select, onOpenText, show, enter],
  );
  return { ref: form, shown: drawn, open };
}
