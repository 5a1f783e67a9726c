/** A row of the list and the element that shows it: one of a few, which are used again for others as these come into sight. */
export interface RowSlot {
  readonly slot: number;
  readonly index: number;
}

/**
 * Which element shows which of the rows from `first` to before `last`, in the order of the document. Writing another row into
 * an element costs a third of making one, and moving an element as much as making one: so while the list moves each element
 * stays where it was in the document (`before`: its slots then), and at rest (`still`) they stand as the rows do, for those
 * who go through them by the Tab key or listen to them. `most`: rows that are drawn at once, at most.
 */
export function assignRowSlots(
  first: number,
  last: number,
  most: number,
  before: readonly number[],
  still: boolean,
): readonly RowSlot[] {
  const count = Math.max(1, most, last - first);
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, i): RowSlot => ({
    slot: (first + i) % count,
    index: first + i,
  }));
  if (still) return rows;
  const places = new Map(before.map((slot, place) => [slot, place]));
  return rows.sort((a, b) => (places.get(a.slot) ?? count + a.index) - (places.get(b.slot) ?? count + b.index));
}
