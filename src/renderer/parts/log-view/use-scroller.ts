import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { lineAt, type Place, placeOf, ROW, TALLEST, thumbOf, trackOf } from './place.ts';

/** Lines that are drawn above and below what is in sight. */
const MORE = 24;
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
}

/**
 * Scrolling through any number of lines of any height. The place is a line and a distance in it, not a sum of heights, so
 * nothing jumps when lines wrap, unfold, or come in above; the scroll bar only stands for the share that lies above.
 */
export function useScroller({ scrollRef, viewRef, innerRef, first, end, startAtEnd }: ScrollerParts): Scroller {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const now = useRef({ place: { number: first, offset: 0 } as Place, stuck: startAtEnd, y: 0, thumb: -1, track: 0, height: ROW, scrolledAt: 0, view: 0, timer: 0 as unknown as ReturnType<typeof setTimeout> });
  const bounds = useRef({ first, end });
  bounds.current = { first, end };
  const it = now.current;
  if (it.place.number < first) it.place = { number: first, offset: 0 };
  if (it.place.number >= end) it.place = { number: Math.max(first, end - 1), offset: 0 };

  const fits = Math.ceil((it.view || 800) / ROW);
  const from = Math.max(first, it.stuck ? end - fits - MORE : it.place.number - MORE - Math.ceil(fits / 2));
  const to = Math.min(end, it.stuck ? end : it.place.number + fits + MORE);
  const drawn = useRef({ from, to });
  drawn.current = { from, to };
  const track = trackOf(end - first, it.height, it.view);
  const grown = track !== it.track;
  it.track = track;

  const setThumb = useCallback((element: HTMLElement) => {
    const size = it.track;
    const wanted = it.stuck ? size - it.view : thumbOf(it.place, bounds.current, it.height, it.view, size);
    if (Math.abs(element.scrollTop - wanted) >= 1) element.scrollTop = wanted;
    it.thumb = element.scrollTop;
  }, []);

  /** Moves what is drawn to the place; asks for another drawing where too little is drawn. */
  const align = useCallback(() => {
    const element = scrollRef.current;
    const box = innerRef.current;
    if (!element || !box) return;
    it.view = viewRef.current?.clientHeight ?? element.clientHeight;
    const { from: low, to: high } = drawn.current;
    const lines = box.children;
    const total = box.offsetHeight;
    if (lines.length > 0) it.height = Math.max(ROW, total / lines.length);
    const top = (lines[it.place.number - low] as HTMLElement | undefined)?.offsetTop;
    let y = it.stuck || top === undefined ? total - it.view : top + it.place.offset;
    if (high === bounds.current.end) y = Math.min(y, total - it.view);
    if (low === bounds.current.first || y > 0) y = Math.max(0, y);
    else {
      it.place = { number: low, offset: y };
      redraw();
    }
    const at = lineAt(Array.from(lines, (line) => (line as HTMLElement).offsetTop), y);
    if (lines.length > 0) it.place = { number: low + at, offset: y - (lines[at] as HTMLElement).offsetTop };
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
    const resized = new ResizeObserver(() => redraw());
    resized.observe(element);
    return () => {
      resized.disconnect();
      clearTimeout(it.timer);
    };
  }, []);

  const moveTo = (y: number) => {
    const box = innerRef.current;
    const element = scrollRef.current;
    if (!box || !element) return;
    const { from: low, to: high } = drawn.current;
    const total = box.offsetHeight;
    const lines = box.children;
    let target = y;
    if (high === bounds.current.end) target = Math.min(target, total - it.view);
    if (low === bounds.current.first) target = Math.max(0, target);
    if (target < 0) it.place = { number: Math.max(bounds.current.first, low - Math.ceil(-target / it.height)), offset: 0 };
    else if (target > total) it.place = { number: Math.min(bounds.current.end - 1, high + Math.floor((target - total) / it.height)), offset: 0 };
    else if (lines.length > 0) {
      const at = lineAt(Array.from(lines, (line) => (line as HTMLElement).offsetTop), target);
      it.place = { number: low + at, offset: target - (lines[at] as HTMLElement).offsetTop };
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
      const even = track < TALLEST && it.height === ROW;
      if (!even && Math.abs(delta) <= it.view * 1.5) return moveTo(it.y + delta);
      const atBottom = element.scrollTop >= size - it.view - 1;
      it.stuck = atBottom;
      if (!atBottom) it.place = placeOf(element.scrollTop, bounds.current, it.height, it.view, size);
      redraw();
    },
    onWheel(deltaY) {
      // At an end of the bar nothing scrolls by itself, though there may be lines beyond.
      const element = scrollRef.current;
      if (!element) return;
      const stopped = deltaY < 0 ? element.scrollTop <= 0 : element.scrollTop >= it.track - it.view - 1;
      if (!stopped) return;
      settle();
      moveTo(it.y + deltaY);
    },
    moveBy: (pixels) => moveTo(it.y + pixels),
    toEnd() {
      it.stuck = true;
      redraw();
    },
    reveal(number, middle = false) {
      const box = innerRef.current;
      const line = box?.children[number - drawn.current.from] as HTMLElement | undefined;
      if (line && !middle) {
        if (line.offsetTop < it.y) it.place = { number, offset: 0 };
        else if (line.offsetTop + Math.min(line.offsetHeight, it.view) > it.y + it.view) it.place = { number, offset: Math.min(line.offsetHeight, it.view) - it.view };
        else {
          it.stuck = it.stuck && line.offsetHeight <= ROW;
          return;
        }
      } else if (line && line.offsetTop >= it.y && line.offsetTop + ROW <= it.y + it.view - ROW) return;
      else it.place = { number, offset: middle || line ? -it.view / 2 : number < it.place.number ? 0 : ROW - it.view };
      it.stuck = false;
      redraw();
    },
    page: () => Math.max(1, Math.floor(it.view / it.height) - 1),
    numberAt(clientY) {
      const box = innerRef.current;
      if (!box || box.children.length === 0) return drawn.current.from;
      const y = clientY - box.getBoundingClientRect().top;
      const at = lineAt(Array.from(box.children, (line) => (line as HTMLElement).offsetTop), y);
      return drawn.current.from + Math.max(0, at);
    },
  };
}
