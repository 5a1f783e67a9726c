import { type KeyboardEvent, type MouseEvent, useState } from 'react';
import { targetOf } from '../event-target.ts';
import { t } from '../../../lib/language.ts';
import type { DataTableProps } from './types.ts';

const OWN_CONTROL = 'a, button, input, label, select, textarea, [role="button"]';

export interface RowsAt<T> {
  readonly total: number;
  at(index: number): T | undefined;
  /** Rows that may be searched for one that moved. */
  readonly first: number;
  readonly last: number;
  range(first: number, last: number): Promise<readonly T[] | null>;
}

/** Which row is active, and what keys and clicks do to rows. */
export function useRows<T>(
  props: Pick<DataTableProps<T>, 'rowId' | 'selection' | 'onOpen'>,
  rows: RowsAt<T>,
  scrollTo: (index: number) => void,
) {
  const { rowId, selection, onOpen } = props;
  const [place, setPlace] = useState<{ readonly index: number; readonly id: string | null } | null>(null);
  const [anchor, setAnchor] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const found = place === null ? -1 : placeOf(place, rows, rowId);

  function activate(index: number) {
    if (rows.total === 0) return;
    const next = Math.max(0, Math.min(rows.total - 1, index));
    const row = rows.at(next);
    setPlace({ index: next, id: row === undefined ? null : rowId(row) });
    scrollTo(next);
  }

  function select(index: number, range: boolean) {
    const row = rows.at(index);
    if (!selection || row === undefined) return;
    setPlace({ index, id: rowId(row) });
    if (range && anchor !== null) return void selectRange(Math.min(anchor, index), Math.max(anchor, index));
    const next = new Set(selection.selected);
    if (!next.delete(rowId(row))) next.add(rowId(row));
    setAnchor(index);
    selection.onChange(next);
    setSaid('');
  }

  async function selectRange(first: number, last: number): Promise<void> {
    if (!selection) return;
    const between = await rows.range(first, last);
    if (between === null)
      return setSaid(
        t('Too many rows to select individually. Narrow the list with filters, then select all matching rows.'),
      );
    const next = new Set([...selection.selected, ...between.map(rowId)]);
    selection.onChange(next);
    setSaid('');
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const table = event.currentTarget;
    const inControl = event.target !== table && targetOf(event).closest(OWN_CONTROL) !== null;
    if (stepInRow(event.key, table, targetOf(event))) return event.preventDefault();
    // Whoever came into a row by Tab goes on from there, and Enter then opens the row that is gone to.
    const own = rowIdAt(targetOf(event));
    const at = own === null ? found : placeOf({ index: found, id: own }, rows, rowId);
    const go = (index: number) => {
      activate(index);
      if (own !== null) table.focus({ preventScroll: true });
    };
    const steps: Record<string, () => void> = {
      j: () => go(at + 1),
      k: () => go(at < 0 ? 0 : at - 1),
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at < 0 ? 0 : at - 1),
      PageDown: () => go(at + 10),
      PageUp: () => go(at - 10),
      Home: () => go(0),
      End: () => go(rows.total - 1),
    };
    if (selection) {
      steps['x'] = () => select(at, false);
      steps['X'] = () => select(at, true);
      if (!inControl) steps[' '] = () => select(found, event.shiftKey);
    }
    if (onOpen && !inControl)
      steps['Enter'] = () => {
        const row = rows.at(found);
        if (row !== undefined) onOpen(row);
      };
    const step = steps[event.key];
    if (!step || (inControl && targetOf(event).matches('input:not([type="checkbox"]), select, textarea'))) return;
    event.preventDefault();
    step();
  }

  function onRowClick(event: MouseEvent<HTMLElement>, index: number) {
    if (targetOf(event).closest(OWN_CONTROL)) return;
    // Dragging over text to copy it opens nothing.
    if (window.getSelection()?.type === 'Range') return;
    const row = rows.at(index);
    if (row === undefined) return;
    setPlace({ index, id: rowId(row) });
    if (event.shiftKey && selection) select(index, true);
    else onOpen?.(row);
  }

  return { active: found, said, select, onKeyDown, onRowClick };
}

/** Where the active row stands now: rows may have moved since. */
function placeOf<T>(
  { index, id }: { readonly index: number; readonly id: string | null },
  rows: RowsAt<T>,
  rowId: (row: T) => string,
): number {
  if (index >= rows.total && id === null) return -1;
  const there = rows.at(index);
  if (id === null || (there !== undefined && rowId(there) === id)) return index;
  for (let i = rows.first; i < rows.last; i++) {
    const row = rows.at(i);
    if (row !== undefined && rowId(row) === id) return i;
  }
  // Out of what is here: it stands where it stood, unless another one stands there now.
  return there === undefined && index < rows.total ? index : -1;
}
const COPY = '[data-copy]';
const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled):not([tabindex="-1"])';

/** The row that an element stands in, by its id; null: it stands in none, as the table itself and its head do. */
const rowIdAt = (element: Element): string | null =>
  element.closest('[data-row-id]')?.getAttribute('data-row-id') ?? null;

/**
 * Right and left lead from a table into what can be pressed in its active row, through it, and back to the table: by Tab one would pass all
 * that stands in the rows above. False: there is nothing to go to that way.
 */
function stepInRow(key: string, grid: HTMLElement, from: HTMLElement): boolean {
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return false;
  const row = from === grid ? grid.querySelector('[data-active]') : from.closest('[data-row-id]');
  if (row === null || from.matches('input:not([type="checkbox"])')) return false;
  // What is done to the row comes before what is copied of it.
  const controls = [...row.querySelectorAll<HTMLElement>(CONTROLS)].sort(
    (a, b) => Number(a.matches(COPY)) - Number(b.matches(COPY)),
  );
  // The table itself is before the first.
  const next = controls.indexOf(from) + (key === 'ArrowRight' ? 1 : -1);
  const to = next === -1 && from !== grid ? grid : controls[next];
  to?.focus();
  return to !== undefined;
}
