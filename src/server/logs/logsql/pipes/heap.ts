/** Keeps the least `n` of all that are offered. */
export interface Least<T> {
  /** What would have to go for another; undefined while there is room. */
  worst(): T | undefined;
  /** Takes it in; what went out for it comes back. */
  put(item: T): T | undefined;
  /** In order. */
  sorted(): T[];
}

export function createLeast<T>(n: number, compare: (a: T, b: T) => number): Least<T> {
  // A heap with the greatest at the top.
  const heap: T[] = [];

  function up(at: number): void {
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (compare(heap[parent] as T, heap[at] as T) >= 0) return;
      [heap[parent], heap[at]] = [heap[at] as T, heap[parent] as T];
      at = parent;
    }
  }
  function down(): void {
    let at = 0;
    for (;;) {
      let most = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && compare(heap[child] as T, heap[most] as T) > 0) most = child;
      if (most === at) return;
      [heap[most], heap[at]] = [heap[at] as T, heap[most] as T];
      at = most;
    }
  }

  return {
    worst: () => (heap.length < n ? undefined : heap[0]),
    put(item) {
      if (heap.length < n) {
        heap.push(item);
        up(heap.length - 1);
        return undefined;
      }
      const top = heap[0] as T;
      if (n === 0 || compare(item, top) >= 0) return item;
      heap[0] = item;
      down();
      return top;
    },
    sorted: () => heap.toSorted(compare),
  };
}
