/** A run of records, by the number where it was begun and the one where it ends now, both in it. */
export interface Selection {
  readonly anchor: number;
  readonly head: number;
}

export const selectionRange = ({ anchor, head }: Selection): readonly [from: number, to: number] => [
  Math.min(anchor, head),
  Math.max(anchor, head),
];
export const isSelected = (selection: Selection | null, number: number): boolean =>
  selection !== null &&
  number >= Math.min(selection.anchor, selection.head) &&
  number <= Math.max(selection.anchor, selection.head);
export const selectionSize = (selection: Selection | null): number =>
  selection === null ? 0 : Math.abs(selection.head - selection.anchor) + 1;

/** To another head; begun at `from` where nothing was selected. */
export const extendSelection = (selection: Selection | null, from: number, head: number): Selection => ({
  anchor: selection?.anchor ?? from,
  head,
});

/** What is left of it where only records `first` to before `end` are held; null: nothing. */
export function clampSelection(selection: Selection | null, first: number, end: number): Selection | null {
  if (selection === null) return null;
  const [from, to] = selectionRange(selection);
  if (to < first || from >= end) return null;
  const clamp = (number: number) => Math.max(first, Math.min(end - 1, number));
  const next = { anchor: clamp(selection.anchor), head: clamp(selection.head) };
  return next.anchor === selection.anchor && next.head === selection.head ? selection : next;
}
