/** Pixels of a line that is neither wrapped nor unfolded. */
export const ROW_HEIGHT = 22;
/** Pixels that the scroll bar stands for at most: browsers draw nothing taller than some tens of millions. */
export const MAX_SCROLL_HEIGHT = 8_000_000;

/** Where the top edge of the view is: this far (pixels) below the upper edge of a record. */
export interface ScrollAnchor {
  readonly number: number;
  readonly offset: number;
}

/** Pixels of the scroll bar's track for so many lines of about this height. Exact while lines are even and few. */
export const trackHeight = (lines: number, height: number, view: number): number =>
  Math.max(view, Math.min(MAX_SCROLL_HEIGHT, Math.ceil(lines * height)));

/**
 * Whether a scroll position is the end of the track. The browser may have stopped it at the end of the track (pixels) as it was `before`
 * lines were drawn that are of another height.
 */
export const isAtBottom = (scrollTop: number, view: number, track: number, before: number): boolean =>
  scrollTop >= track - view - 1 || Math.abs(scrollTop - (before - view)) <= 1;

/** Scroll position (pixels) that stands for a place. */
export function scrollAtAnchor(
  place: ScrollAnchor,
  bounds: { first: number; end: number },
  height: number,
  view: number,
  track: number,
): number {
  const all = (bounds.end - bounds.first) * height;
  const above = (place.number - bounds.first) * height + place.offset;
  if (all <= view) return 0;
  return Math.max(0, Math.min(1, above / (all - view))) * (track - view);
}

/** The place that a scroll position stands for. */
export function anchorAtScroll(
  thumb: number,
  bounds: { first: number; end: number },
  height: number,
  view: number,
  track: number,
): ScrollAnchor {
  const all = (bounds.end - bounds.first) * height;
  const above = track <= view ? 0 : (thumb / (track - view)) * Math.max(0, all - view);
  const number = Math.max(bounds.first, Math.min(bounds.end - 1, bounds.first + Math.floor(above / height)));
  return { number, offset: Math.max(0, above - (number - bounds.first) * height) };
}

/** Index of the drawn line that a position (pixels below the first one's upper edge) falls on, by the upper edges of all. */
export function lineAt(tops: readonly number[], y: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The same place, with its distance less than a line and the view (pixels) filled, where all lines are `ROW` high. */
export function alignAnchor(place: ScrollAnchor, bounds: { first: number; end: number }, view: number): ScrollAnchor {
  const all = (bounds.end - bounds.first) * ROW_HEIGHT;
  const above = Math.max(0, Math.min(all - view, (place.number - bounds.first) * ROW_HEIGHT + place.offset));
  const lines = Math.floor(above / ROW_HEIGHT);
  return { number: bounds.first + lines, offset: above - lines * ROW_HEIGHT };
}

/** Where the lines are that are drawn: pixels below the upper edge of the first one. */
export interface Edges {
  readonly count: number;
  readonly total: number;
  top(index: number): number;
  /** Index of the line that a height falls on. */
  at(y: number): number;
}

/** Of lines that are all `ROW` high. */
export const evenEdges = (count: number): Edges => ({
  count,
  total: count * ROW_HEIGHT,
  top: (index) => index * ROW_HEIGHT,
  at: (y) => Math.max(0, Math.min(count - 1, Math.floor(y / ROW_HEIGHT))),
});

/** Of the children of a box as they are; makes the browser lay them out. */
export function measuredEdges(box: HTMLElement): Edges {
  const tops = Array.from(box.children, (line) => (line as HTMLElement).offsetTop);
  return {
    count: tops.length,
    total: box.offsetHeight,
    top: (index) => tops[index] ?? 0,
    at: (y) => lineAt(tops, y),
  };
}
