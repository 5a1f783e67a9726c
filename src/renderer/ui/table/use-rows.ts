import { type KeyboardEvent, type MouseEvent, useState } from 'react';
import type { DataTableProps } from './types.ts';

const OWN_CONTROL = 'a, button, input, label, select, textarea, [role="button"]';

/** Which row is active, and what keys and clicks do to rows. */
export function useRows<T>(props: Pick<DataTableProps<T>, 'rowId' | 'selection' | 'onOpen'>, rows: readonly T[], scrollTo: (index: number) => void) {
  const { rowId, selection, onOpen } = props;
  const [activeId, setActiveId] = useState<string | null>(null);
  const [anchor, setAnchor] = useState<number | null>(null);
  const found = activeId === null ? -1 : rows.findIndex((row) => rowId(row) === activeId);

  function activate(index: number) {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row === undefined) return;
    setActiveId(rowId(row));
    scrollTo(rows.indexOf(row));
  }

  function select(index: number, range: boolean) {
    const row = rows[index];
    if (!selection || row === undefined) return;
    const next = new Set(selection.selected);
    if (range && anchor !== null) {
      for (const each of rows.slice(Math.min(anchor, index), Math.max(anchor, index) + 1)) next.add(rowId(each));
    } else if (!next.delete(rowId(row))) next.add(rowId(row));
    setAnchor(index);
    selection.onChange(next);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inControl = event.target !== event.currentTarget && (event.target as Element).closest(OWN_CONTROL) !== null;
    const steps: Record<string, () => void> = {
      j: () => activate(found + 1),
      k: () => activate(found < 0 ? 0 : found - 1),
      ArrowDown: () => activate(found + 1),
      ArrowUp: () => activate(found < 0 ? 0 : found - 1),
      PageDown: () => activate(found + 10),
      PageUp: () => activate(found - 10),
      Home: () => activate(0),
      End: () => activate(rows.length - 1),
    };
    if (selection) {
      steps['x'] = () => select(found, false);
      if (!inControl) steps[' '] = () => select(found, event.shiftKey);
    }
    if (onOpen && !inControl) steps['Enter'] = () => found >= 0 && onOpen(rows[found] as T);
    const step = steps[event.key];
    if (!step || (inControl && (event.target as Element).matches('input:not([type="checkbox"]), select, textarea'))) return;
    event.preventDefault();
    step();
  }

  function onRowClick(event: MouseEvent<HTMLElement>, index: number) {
    if ((event.target as Element).closest(OWN_CONTROL)) return;
    // Dragging over text to copy it opens nothing.
    if (window.getSelection()?.type === 'Range') return;
    const row = rows[index];
    if (row === undefined) return;
    setActiveId(rowId(row));
    if (event.shiftKey && selection) select(index, true);
    else onOpen?.(row);
  }

  return { active: found, select, onKeyDown, onRowClick };
}
