import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import type { Point } from '../definition/edits.ts';
import type { Builder, CanvasSelection } from './builder.ts';
import { isHandledByFocus, keyTarget, oneEdge, oneNode } from './selection.ts';
import type { CanvasQuestion } from './use-canvas-dialog.ts';

interface CanvasKeysParts {
  readonly builder: Builder;
  readonly definition: Definition;
  readonly selection: CanvasSelection;
  readonly nodeIds: () => string[];
  readonly select: (ids: readonly string[]) => void;
  readonly ask: (question: CanvasQuestion) => void;
  readonly open: (id: string) => void;
  /** Where the pointer is on the canvas; null: it is elsewhere. */
  readonly pointer: () => Point | null;
  readonly root: RefObject<HTMLElement | null>;
}

/** What the keys and the clipboard do in the builder; `keyboard/element-keys.ts` lists them for people. */
export function canvasKeys({
  builder,
  definition,
  selection,
  nodeIds,
  select,
  ask,
  open,
  pointer,
  root,
}: CanvasKeysParts) {
  /** The focus goes with what was deleted: to the node before it, or it would be nowhere. */
  const remove = (chosen: CanvasSelection, one: string | null) => {
    const before = definition.edges.find((edge) => edge.to === one)?.from;
    if (!builder.remove(chosen)) return;
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      const node =
        before === undefined
          ? null
          : root.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(before)}"]`);
      (node ?? root.current)?.focus({ preventScroll: true });
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || (event.target instanceof Element && event.target.closest(TYPING))) return;
    const mod = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    const chosen = keyTarget(event.target, selection);
    const one = oneNode(chosen);
    if (mod && key === 'z') event.shiftKey ? builder.redo() : builder.undo();
    else if (mod && key === 'y') builder.redo();
    else if (event.target instanceof Element && isHandledByFocus(event.target, key)) return;
    else if (mod && key === 'd') builder.duplicate(chosen);
    else if (mod && key === 'g') builder.group(chosen);
    else if (mod && key === 'a') select(nodeIds());
    else if (mod || event.altKey) return;
    else if (key === 'delete' || key === 'backspace') remove(chosen, one);
    else if (key === 'escape') select([]);
    else if (key === 'a') ask({ what: 'add', after: one === null ? oneEdge(chosen) : { from: one }, at: null });
    else if (key === 'c' && one !== null) ask({ what: 'connect', from: one });
    else if (key === 'enter' && one !== null) open(one);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // React Flow takes Enter with Ctrl held for a click that ends the choice of the node, and takes the focus away.
  const onKeyDownCapture = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    if (!(event.target instanceof Element && event.target.matches('.react-flow__node, .react-flow__edge'))) return;
    event.preventDefault();
    event.stopPropagation();
    const { key, ctrlKey, metaKey } = event;
    window.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, metaKey }));
  };
  const isTyping = (event: ClipboardEvent) => event.target instanceof Element && event.target.closest(TYPING) !== null;
  const copy = (event: ClipboardEvent, isCut: boolean) => {
    const text = isTyping(event) || window.getSelection()?.type === 'Range' ? null : builder.copy(selection);
    if (text === null) return;
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
    if (isCut) builder.remove(selection);
  };
  const onPaste = (event: ClipboardEvent) => {
    if (isTyping(event)) return;
    if (builder.paste(event.clipboardData.getData('text/plain'), pointer() ?? undefined)) event.preventDefault();
  };
  return {
    onKeyDown,
    onKeyDownCapture,
    onCopy: (event: ClipboardEvent) => copy(event, false),
    onCut: (event: ClipboardEvent) => copy(event, true),
    onPaste,
  };
}

const TYPING = 'input, textarea, select, [contenteditable="true"], .cm-editor, [role="dialog"]';
