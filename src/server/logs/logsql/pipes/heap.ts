import { siftDown, siftUp } from '../heap.ts';

/** Keeps the least `n` of all that are offered. */
export interface SmallestN<T> {
  /** What would have to go for another; undefined while there is room. */
  worst(): T | undefined;
  /** Takes it in; what went out for it comes back. */
  put(item: T): T | undefined;
  /** In order. */
  sorted(): T[];
}

export function createSmallestN<T extends object>(n: number, compare: (a: T, b: T) => number): SmallestN<T> {
  // A heap with the greatest at the top.
  const heap: T[] = [];

  const after = (a: T, b: T): boolean => compare(a, b) > 0;
  return {
    worst: () => (heap.length < n ? undefined : heap[0]),
    put(item) {
      if (heap.length < n) {
        heap.push(item);
        siftUp(heap, after);
        return undefined;
      }
      const top = heap[0];
      if (top === undefined || compare(item, top) >= 0) return item;
      heap[0] = item;
      siftDown(heap, after);
      return top;
    },
    sorted: () => heap.toSorted(compare),
  };
}
