import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { DataColumn } from './types.ts';

/** What stays in sight while a table that is wider than its box is scrolled to the side. */
export type PinnedColumns = 'none' | 'end' | 'both';

/** Pixels of a table's columns. */
export interface PinWidths {
  /** All of them together, each as narrow as it may be. */
  readonly all: number;
  /** Those that name a row: what is ticked and the first column. */
  readonly start: number;
  /** Those with what can be done to a row. */
  readonly end: number;
}

/** So much of the box may be held by columns that stay, the rest is for those that are scrolled; and so much where the first one moves too. */
const MAX_HELD = 0.66;
const MAX_HELD_AT_END = 0.42;

/** What stays in a box of so many pixels: nothing where all of it fits; what can be done rather than the name where both take too much. */
export function pinnedColumns(box: number, { all, start, end }: PinWidths): PinnedColumns {
  if (box <= 0 || all <= box) return 'none';
  if (start + end <= box * MAX_HELD) return 'both';
  return end > 0 && end <= box * MAX_HELD_AT_END ? 'end' : 'none';
}

/** Where a column stands among those that stay: `0` and `1` at the start, `end`, or undefined for one that is scrolled. */
export const columnPin = <T>(columns: readonly Pick<DataColumn<T>, 'pin'>[], index: number): string | undefined =>
  columns[index]?.pin === 'end'
    ? 'end'
    : index === 0 || (index === 1 && columns[1]?.pin === 'start')
      ? String(index)
      : undefined;

/** Pixels of the columns by what stays of them. */
export function pinWidths<T>(
  columns: readonly DataColumn<T>[],
  widthOf: (column: DataColumn<T>) => number,
  check: number,
): PinWidths & { readonly first: number } {
  const sum = (...pins: (string | undefined)[]) =>
    columns.reduce(
      (all, column, index) =>
        pins.length === 0 || pins.includes(columnPin(columns, index)) ? all + widthOf(column) : all,
      0,
    );
  return { all: check + sum(), first: check + sum('0'), start: check + sum('0', '1'), end: sum('end') };
}

/** What stays now, and the pixels that the style sheet needs for it. Follows the width of the box. */
export function usePinned<T>(
  scrollRef: RefObject<HTMLElement | null>,
  columns: readonly DataColumn<T>[],
  widthOf: (column: DataColumn<T>) => number,
  check: number,
): { pinned: PinnedColumns; style: Record<`--${string}`, string> } {
  const [pinned, setPinned] = useState<PinnedColumns>('none');
  const widths = pinWidths(columns, widthOf, check);
  const { all, first, start, end } = widths;
  const box = useRef(0);
  const look = useRef((): void => undefined);
  look.current = () => setPinned(pinnedColumns(box.current, widths));
  useLayoutEffect(() => look.current(), [all, start, end]);
  useEffect(() => {
    const element = scrollRef.current;
    if (!element) return undefined;
    const resized = new ResizeObserver(() => {
      box.current = element.clientWidth;
      look.current();
    });
    resized.observe(element);
    return () => resized.disconnect();
  }, []);
  const held =
    pinned === 'none'
      ? {}
      : {
          '--check-held': `${check}px`,
          '--first-held': `${first}px`,
          '--start-held': pinned === 'both' ? `${start}px` : '0px',
          '--end-held': `${end}px`,
        };
  return { pinned, style: { '--least': `${all}px`, ...held } };
}
