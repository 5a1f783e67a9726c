/** A row of the list and the element that shows it: one of a few, which are used again for others as these come into sight. */
export interface RowSlot {
  readonly slot: number;
  readonly index: number;
  /** Of its row; undefined while it is not read yet. */
  readonly id: string | undefined;
}

/**
 * Which element shows which of the rows from `first` to before `last`, in the order of the document. A row that was shown `before`
 * keeps its element, also where others came in above it; those that come into sight take the elements of those that went out: writing
 * another row into an element costs a third of making one. Moving an element costs as much as making one: so while the list moves each
 * stays where it was in the document, and at rest (`still`) they stand as the rows do, for those who go through them by the Tab
 * key or listen to them. `before`: what this gave the last time.
 */
export function assignRowSlots(
  first: number,
  last: number,
  idAt: (index: number) => string | undefined,
  before: readonly RowSlot[],
  still: boolean,
): readonly RowSlot[] {
  const ofId = new Map<string, number>();
  const ofIndex = new Map<number, number>();
  for (const { slot, index, id } of before) {
    if (id === undefined) ofIndex.set(index, slot);
    else ofId.set(id, slot);
  }
  const taken = new Set<number>();
  const take = (slot: number | undefined): number | undefined => {
    if (slot === undefined || taken.has(slot)) return undefined;
    taken.add(slot);
    return slot;
  };
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, i) => {
    const index = first + i;
    const id = idAt(index);
    // One that was waited for is shown where its line stood.
    return { index, id, slot: take(id === undefined ? undefined : ofId.get(id)) ?? take(ofIndex.get(index)) };
  });
  const free = before.map(({ slot }) => slot).filter((slot) => !taken.has(slot));
  const known = new Set(before.map(({ slot }) => slot));
  let next = 0;
  function unknown(): number {
    while (known.has(next)) next++;
    return next++;
  }
  const shown = rows.map(({ slot, ...row }): RowSlot => ({ ...row, slot: slot ?? free.shift() ?? unknown() }));
  if (still) return shown;
  const places = new Map(before.map(({ slot }, place) => [slot, place]));
  const placeOf = ({ slot, index }: RowSlot) => places.get(slot) ?? before.length + index;
  return shown.sort((a, b) => placeOf(a) - placeOf(b));
}
