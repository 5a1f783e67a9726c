import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import {
  evenEdges,
  alignAnchor,
  measuredEdges,
  type ScrollAnchor,
  anchorAtScroll,
  isAtBottom,
  ROW_HEIGHT,
  MAX_SCROLL_HEIGHT,
  scrollAtAnchor,
  trackHeight,
} from './scroll-anchor.ts';

/** Lines that are drawn above and below what is in sight: so many where their heights have to be seen to be known. */
const MORE = { even: 2, measured: 24 };
/** After the last turn of the wheel the thumb is put where it belongs. */
const IDLE_MS = 160;

export interface Scroller {
  /** Lines to draw: from this number to before that one. */
  readonly from: number;
  readonly to: number;
  /** Pixels of the scroll bar's track. */
  readonly track: number;
  /** True while the view sticks to the newest line. */
  readonly atEnd: boolean;
  onScroll(): void;
  onWheel(deltaY: number): void;
  moveBy(pixels: number): void;
  toEnd(): void;
  /** Brings a line into sight; `middle`: also where it already is. */
  reveal(number: number, middle?: boolean): void;
  /** Lines that fit into the view, about. */
  page(): number;
  /** Number of the line under a position of the window (pixels), clamped to what is drawn. */
  numberAt(clientY: number): number;
}

export interface ScrollerParts {
  /** Has the scroll bar. */
  readonly scrollRef: RefObject<HTMLDivElement | null>;
  /** What is in sight; what `innerRef` names moves in it. */
  readonly viewRef: RefObject<HTMLDivElement | null>;
  /** Holds one element for each line from `from` to `to`, in order. */
  readonly innerRef: RefObject<HTMLDivElement | null>;
  readonly first: number;
  readonly end: number;
  /** Sticks to the end until somebody scrolls up. */
  readonly startAtEnd: boolean;
  /** All lines are of one height: where they are is counted, not measured, and fewer are drawn. */
  readonly even: boolean;
}

interface ScrollState {
  place: ScrollAnchor;
  stuck: boolean;
  y: number;
  thumb: number;
  track: number;
  /** The track before it was last made longer or shorter. */
  trackBefore: number;
  height: number;
  scrolledAt: number;
  view: number;
  odd: boolean;
  timer?: ReturnType<typeof setTimeout>;
}

/**
 * Scrolling through any number of lines of any height. The place is a line and a distance in it, not a sum of heights, so
 * nothing jumps when lines wrap, unfold, or come in above; the scroll bar only stands for the share that lies above.
 */
export function useScroller({
  scrollRef,
  viewRef,
  innerRef,
  first,
  end,
  startAtEnd,
  even: evenAsked,
}: ScrollerParts): Scroller {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const now = useRef<ScrollState>({
    place: { number: first, offset: 0 },
    stuck: startAtEnd,
    y: 0,
    thumb: -1,
    track: 0,
    trackBefore: 0,
    height: ROW_HEIGHT,
    scrolledAt: 0,
    view: 0,
    odd: false,
  });
  const bounds = useRef({ first, end });
  bounds.current = { first, end };
  const it = now.current;
  if (it.place.number < first) it.place = { number: first, offset: 0 };
  if (it.place.number >= end) it.place = { number: Math.max(first, end - 1), offset: 0 };

  const even = evenAsked && !it.odd;
  if (even) {
    it.height = ROW_HEIGHT;
    if (!it.stuck) it.place = alignAnchor(it.place, bounds.current, it.view);
  }
  const fits = Math.ceil((it.view || 800) / ROW_HEIGHT) + 1;
  const more = even ? MORE.even : MORE.measured;
  const from = Math.max(
    first,
    it.stuck ? end - fits - more : it.place.number - more - (even ? 0 : Math.ceil(fits / 2)),
  );
  const to = Math.min(end, it.stuck ? end : it.place.number + fits + more);
  const drawn = useRef({ from, to, even });
  drawn.current = { from, to, even };
  const edges = () =>
    drawn.current.even
      ? evenEdges(drawn.current.to - drawn.current.from)
      : // It is drawn while it is measured.
        measuredEdges(innerRef.current as HTMLElement);
  const track = trackHeight(end - first, it.height, it.view);
  const grown = track !== it.track;
  if (grown) it.trackBefore = it.track;
  it.track = track;

  const setThumb = useCallback((element: HTMLElement) => {
    const size = it.track;
    const wanted = it.stuck ? size - it.view : scrollAtAnchor(it.place, bounds.current, it.height, it.view, size);
    if (Math.abs(element.scrollTop - wanted) >= 1) element.scrollTop = wanted;
    it.thumb = element.scrollTop;
  }, []);

  /** Moves what is drawn to the place; asks for another drawing where too little is drawn. */
  const align = useCallback(() => {
    const element = scrollRef.current;
    const box = innerRef.current;
    if (!element || !box) return;
    const { from: low, to: high, even: counted } = drawn.current;
    // Asking for a height makes the browser lay out what was just drawn: only where it is not known.
    if (!counted || it.view === 0) it.view = viewRef.current?.clientHeight ?? element.clientHeight;
    const { count, total, top, at } = edges();
    if (count > 0) it.height = Math.max(ROW_HEIGHT, total / count);
    const index = it.place.number - low;
    let y = it.stuck || index < 0 || index >= count ? total - it.view : top(index) + it.place.offset;
    if (high === bounds.current.end) y = Math.min(y, total - it.view);
    if (low === bounds.current.first || y > 0) y = Math.max(0, y);
    else {
      it.place = { number: low, offset: y };
      redraw();
    }
    if (count > 0) it.place = { number: low + at(y), offset: y - top(at(y)) };
    it.y = y;
    box.style.transform = `translateY(${-y}px)`;
  }, []);

  useLayoutEffect(() => {
    align();
    const element = scrollRef.current;
    if (!element) return;
    if (it.stuck || performance.now() - it.scrolledAt >= IDLE_MS) setThumb(element);
    // The browser moved the thumb, as its track is another one now; nobody scrolled.
    else if (grown) it.thumb = element.scrollTop;
  });
  useEffect(() => {
    const element = scrollRef.current;
    if (!element) return undefined;
    const resized = new ResizeObserver(() => {
      it.view = viewRef.current?.clientHeight ?? element.clientHeight;
      redraw();
    });
    // Somebody's own styles may make lines taller than they were made: then they are measured.
    const grew = new ResizeObserver(([inner]) => {
      const { from: low, to: high, even: counted } = drawn.current;
      if (!inner || !counted || Math.abs(inner.contentRect.height - (high - low) * ROW_HEIGHT) <= 1) return;
      it.odd = true;
      redraw();
    });
    resized.observe(element);
    if (viewRef.current) resized.observe(viewRef.current);
    if (innerRef.current) grew.observe(innerRef.current);
    return () => {
      resized.disconnect();
      grew.disconnect();
      clearTimeout(it.timer);
    };
  }, []);

  const moveBy = (pixels: number) => {
    const box = innerRef.current;
    const element = scrollRef.current;
    if (!box || !element) return;
    if (drawn.current.even) {
      it.place = alignAnchor({ number: it.place.number, offset: it.place.offset + pixels }, bounds.current, it.view);
      it.stuck = (bounds.current.end - it.place.number) * ROW_HEIGHT - it.place.offset <= it.view + 1;
      return redraw();
    }
    const { from: low, to: high } = drawn.current;
    const { count, total, top, at } = edges();
    let target = it.y + pixels;
    if (high === bounds.current.end) target = Math.min(target, total - it.view);
    if (low === bounds.current.first) target = Math.max(0, target);
    if (target < 0)
      it.place = { number: Math.max(bounds.current.first, low - Math.ceil(-target / it.height)), offset: 0 };
    else if (target > total)
      it.place = {
        number: Math.min(bounds.current.end - 1, high + Math.floor((target - total) / it.height)),
        offset: 0,
      };
    else if (count > 0) {
      it.place = { number: low + at(target), offset: target - top(at(target)) };
      it.y = target;
      box.style.transform = `translateY(${-target}px)`;
    }
    it.stuck = high === bounds.current.end && target >= total - it.view - 1;
    redraw();
  };
  const settle = () => {
    it.scrolledAt = performance.now();
    clearTimeout(it.timer);
    it.timer = setTimeout(() => scrollRef.current && setThumb(scrollRef.current), IDLE_MS);
  };

  return {
    from,
    to,
    track,
    atEnd: it.stuck,
    onScroll() {
      const element = scrollRef.current;
      if (!element) return;
      const delta = element.scrollTop - it.thumb;
      if (it.thumb < 0 || Math.abs(delta) < 0.5) return;
      it.thumb = element.scrollTop;
      settle();
      const size = it.track;
      const exact = track < MAX_SCROLL_HEIGHT && it.height === ROW_HEIGHT;
      if (!exact && Math.abs(delta) <= it.view * 1.5) return moveBy(delta);
      const atBottom = isAtBottom(element.scrollTop, it.view, size, it.trackBefore);
      it.stuck = atBottom;
      if (!atBottom) it.place = anchorAtScroll(element.scrollTop, bounds.current, it.height, it.view, size);
      redraw();
    },
    onWheel(deltaY) {
      // At an end of the bar nothing scrolls by itself, though there may be lines beyond.
      const element = scrollRef.current;
      if (!element) return;
      const stopped = deltaY < 0 ? element.scrollTop <= 0 : element.scrollTop >= it.track - it.view - 1;
      if (!stopped) return;
      settle();
      moveBy(deltaY);
    },
    moveBy,
    toEnd() {
      it.stuck = true;
      redraw();
    },
    reveal(number, middle = false) {
      const box = innerRef.current;
      // The lines of the list are elements of HTML.
      const line = box?.children[number - drawn.current.from] as HTMLElement | undefined;
      if (line && !middle) {
        if (line.offsetTop < it.y) it.place = { number, offset: 0 };
        else if (line.offsetTop + Math.min(line.offsetHeight, it.view) > it.y + it.view)
          it.place = { number, offset: Math.min(line.offsetHeight, it.view) - it.view };
        else {
          it.stuck = it.stuck && line.offsetHeight <= ROW_HEIGHT;
          return;
        }
      } else if (line && line.offsetTop >= it.y && line.offsetTop + ROW_HEIGHT <= it.y + it.view - ROW_HEIGHT) return;
      else
        it.place = {
          number,
          offset: middle || line ? -it.view / 2 : number < it.place.number ? 0 : ROW_HEIGHT - it.view,
        };
      it.stuck = false;
      redraw();
    },
    page: () => Math.max(1, Math.floor(it.view / it.height) - 1),
    numberAt(clientY) {
      const box = innerRef.current;
      if (!box || box.children.length === 0) return drawn.current.from;
      const y = clientY - box.getBoundingClientRect().top;
      return drawn.current.from + Math.max(0, edges().at(y));
    },
  };
}
