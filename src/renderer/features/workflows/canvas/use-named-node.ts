import { useEffect, useRef } from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import { t } from '../../../../lib/language.ts';
import { toastInfo } from '../../../ui/toasts.tsx';
import type { CanvasSelection } from './builder.ts';
import { oneNode } from './selection.ts';

/** Milliseconds that a node is selected before the address says so: walking from node to node writes it once. */
const SETTLED_MS = 300;

interface NamedParts {
  readonly definition: Definition;
  /** That the address names. */
  readonly node: string | undefined;
  readonly onNode: (node: string | undefined) => void;
  readonly selection: CanvasSelection;
  readonly selectAndShow: (ids: readonly string[]) => void;
}

/** The address names the node that is selected alone: one that it names is selected and shown, and one that is selected is named. */
export function useNamedNode({ definition, node, onNode, selection, selectAndShow }: NamedParts): void {
  /** What the address said last, of what was made true here. */
  const said = useRef<string | undefined>(undefined);
  /** Asked for, and not selected yet. */
  const pending = useRef<string | undefined>(undefined);
  const one = oneNode(selection) ?? undefined;
  const tell = useRef(onNode);
  tell.current = onNode;

  useEffect(() => {
    if (node === said.current) return;
    said.current = node;
    if (node === undefined) return;
    if (definition.nodes.some(({ id }) => id === node)) {
      pending.current = node;
      return selectAndShow([node]);
    }
    toastInfo(
      t('Node “{node}” not found', { node }),
      t('The version open in the builder has no node with this ID. It may have been renamed or deleted.'),
    );
    tell.current(undefined);
  }, [node, definition, selectAndShow]);
  useEffect(() => {
    if (one === undefined && pending.current !== undefined) return undefined;
    if (one !== undefined && one === pending.current) goOnFrom(one);
    pending.current = undefined;
    if (one === said.current) return undefined;
    const timer = setTimeout(() => {
      said.current = one;
      tell.current(one);
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [one]);
}

/** Who comes by an address goes on from the node that it names, unless something of the page has the focus by now. */
function goOnFrom(id: string): void {
  const { activeElement } = document;
  if (activeElement !== document.body && activeElement?.id !== 'main') return;
  document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
}
