import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useState } from 'react';

/** Pixels of a folded line. */
export const ROW = 23;
const OVERSCAN = 12;

export interface WindowItem {
  /** Of the element on the page. */
  readonly key: number | string;
  readonly index: number;
  readonly start: number;
}

export interface Windowed {
  readonly items: readonly WindowItem[];
  readonly height: number;
  readonly lastIndex: number;
  /** Lines are of one height: nothing is measured, and elements are filled again instead of made anew. */
  readonly even: boolean;
  /** To measure an element whose height is its own. */
  readonly measure: Virtualizer<HTMLDivElement, Element>['measureElement'];
  toIndex(index: number): void;
  onScroll(element: HTMLElement): void;
}

/**
 * Which lines of a long list are drawn. While all have one height (none unfolded, none wrapped) that is sums alone: a flood
 * of lines at the top costs what is in sight, not what there is. Else each is measured.
 */
export function useWindowed(scroll: RefObject<HTMLDivElement | null>, count: number, even: boolean, keyAt: (index: number) => number): Windowed {
  const [sight, setSight] = useState({ first: 0, rows: 40 });
  const virtualizer = useVirtualizer({ count: even ? 0 : count, getScrollElement: () => scroll.current, estimateSize: () => ROW, overscan: 20, getItemKey: keyAt, useFlushSync: false });

  const look = (element: HTMLElement) => {
    const first = Math.max(0, Math.floor(element.scrollTop / ROW) - OVERSCAN);
    const rows = Math.ceil(element.clientHeight / ROW) + 2 * OVERSCAN;
    setSight((old) => (old.first === first && old.rows === rows ? old : { first, rows }));
  };
  useEffect(() => {
    const element = scroll.current;
    if (element === null) return undefined;
    const resized = new ResizeObserver(() => look(element));
    resized.observe(element);
    return () => resized.disconnect();
  }, [scroll]);

  if (!even) {
    const items = virtualizer.getVirtualItems().map(({ key, index, start }) => ({ key: key as number, index, start }));
    return { items, height: virtualizer.getTotalSize(), lastIndex: items.at(-1)?.index ?? -1, even, measure: virtualizer.measureElement, toIndex: (index) => virtualizer.scrollToIndex(index), onScroll: look };
  }
  const first = Math.min(sight.first, Math.max(0, count - 1));
  const shown = Math.max(0, Math.min(sight.rows, count - first));
  return {
    items: Array.from({ length: shown }, (_, i) => ({ key: `slot ${(first + i) % sight.rows}`, index: first + i, start: (first + i) * ROW })),
    height: count * ROW,
    lastIndex: first + shown - 1,
    even,
    measure: virtualizer.measureElement,
    toIndex(index) {
      const element = scroll.current;
      if (element === null) return;
      const top = index * ROW;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top + ROW > element.scrollTop + element.clientHeight) element.scrollTop = top + ROW - element.clientHeight;
    },
    onScroll: look,
  };
}
