/** A binary heap in an array: its first item comes before all others. Puts the last item, which is new, where it belongs. */
export function siftUp<T extends object>(heap: T[], before: (a: T, b: T) => boolean): void {
  let at = heap.length - 1;
  const item = heap[at];
  if (item === undefined) return;
  for (; at > 0; at = (at - 1) >> 1) {
    const parent = heap[(at - 1) >> 1];
    if (parent === undefined || !before(item, parent)) break;
    heap[at] = parent;
  }
  heap[at] = item;
}

/** The same for the first item, which is new or has changed. */
export function siftDown<T extends object>(heap: T[], before: (a: T, b: T) => boolean): void {
  const item = heap[0];
  if (item === undefined) return;
  for (let at = 0; ;) {
    let first = item;
    let place = at;
    for (let child = 2 * at + 1; child <= 2 * at + 2; child++) {
      const other = heap[child];
      if (other === undefined || !before(other, first)) continue;
      first = other;
      place = child;
    }
    heap[at] = first;
    if (place === at) return;
    at = place;
  }
}
