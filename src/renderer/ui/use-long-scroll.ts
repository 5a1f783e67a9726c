import {
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from 'react';

/** Browsers draw nothing beyond some height (Firefox 17 million pixels, Chromium 33): a longer list scrolls on a track of this. */
export const MAX_TRACK_HEIGHT = 12_000_000;
/** After the last turn of the wheel the thumb is put where it belongs. */
const IDLE_MS = 160;
/** So long after it the list is at rest. */
const REST_MS = 400;
/** Rows have their places in steps of so many: within one, scrolling moves the layer that holds them, and no row. */
const STEP = 256;
/** Pixels of a view of which nothing is known yet: rather some rows too many than too few. */
const USUAL_HEIGHT = 900;
/** Of each list that was shown, by its name. */
const heights = new Map<string, number>();

/** Where a list of rows of one height stands. All in pixels. */
export interface ScrollPosition {
  /** How far down the whole list the upper edge of the view is. */
  readonly at: number;
  /** The same on the track of the scroll bar. */
  readonly thumb: number;
}
export interface ScrollSize {
  readonly full: number;
  readonly track: number;
  readonly view: number;
}

const clamp = (value: number, most: number): number => Math.max(0, Math.min(value, most));

/** The thumb for a place: the same share of the track as of the list. */
export function thumbPosition(at: number, { full, track, view }: ScrollSize): number {
  if (track >= full) return at;
  return (at / Math.max(1, full - view)) * Math.max(0, track - view);
}

/** The place after the bar went to `thumb`: a short way goes pixel by pixel, a long one (a drag of the thumb) by its share. */
export function positionAfter(before: ScrollPosition, thumb: number, size: ScrollSize): ScrollPosition {
  const { full, track, view } = size;
  if (track >= full) return { at: thumb, thumb };
  const way = thumb - before.thumb;
  const at = Math.abs(way) <= view ? before.at + way : (thumb / Math.max(1, track - view)) * (full - view);
  return { at: clamp(at, full - view), thumb };
}

export interface LongScroll {
  /** Pixels of the element that holds the rows. */
  readonly track: number;
  /** Rows that fit into the view. */
  readonly fits: number;
  /** Rows to draw: from `first` to before `last`. */
  readonly first: number;
  readonly last: number;
  /** It is not being scrolled. */
  readonly still: boolean;
  /** The row at the upper edge. */
  readonly seen: number;
  /** Belongs on the one element in it that holds the rows; it is put where they are in sight. */
  readonly layerRef: RefObject<HTMLDivElement | null>;
  /** Pixels from the top of the layer at which a row stands. */
  topOf(index: number): number;
  /** Brings a row into sight, with as little movement as it takes; `start`: at the upper edge. */
  reveal(index: number, start?: boolean): void;
}

interface ScrollState {
  place: ScrollPosition;
  view: number;
  drawn: string;
  step: number;
  layer: number;
  moving: boolean;
  timer?: ReturnType<typeof setTimeout>;
  rest?: ReturnType<typeof setTimeout>;
}

/**
 * Any number of rows of one height in a scrolled element, of which those in sight are drawn. `above`: pixels of a head that
 * stays on top in it.
 */
export function useLongScroll({
  scrollRef,
  count,
  rowHeight,
  above = 0,
  around: most = 8,
  name,
}: {
  scrollRef: RefObject<HTMLElement | null>;
  count: number;
  rowHeight: number;
  above?: number;
  around?: number;
  /** Of the list: it begins as high as it was the last time. */
  name?: string;
}): LongScroll {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const layerRef = useRef<HTMLDivElement>(null);
  const it = useRef<ScrollState>({
    place: { at: 0, thumb: 0 },
    view: 0,
    drawn: '',
    step: 0,
    layer: Number.NaN,
    moving: false,
  }).current;
  const [guess] = useState(() => (name !== undefined && heights.get(name)) || USUAL_HEIGHT);
  // At first those in sight, and the others once these are seen.
  const around = useDeferredValue(most, 0);
  const full = count * rowHeight;
  const size: ScrollSize = { full, track: Math.min(full, MAX_TRACK_HEIGHT), view: it.view };
  const now = useRef({ size, rowHeight, around });

  const view = it.view || guess;
  const top = Math.floor(it.place.at / rowHeight);
  const first = Math.max(0, Math.min(top, count - 1) - around);
  const last = Math.min(count, top + Math.ceil(view / rowHeight) + 1 + around);
  const step = Math.floor(first / STEP) * STEP;

  /** The layer where its rows belong: on a track that is shorter than the list the two move apart. */
  const lay = useCallback(() => {
    const { size: sizes, rowHeight: height } = now.current;
    const shift = sizes.track < sizes.full ? Math.round(it.place.at - it.place.thumb) : 0;
    const y = it.step * height - shift;
    if (y === it.layer || layerRef.current === null) return;
    it.layer = y;
    layerRef.current.style.transform = `translateY(${y}px)`;
  }, []);
  // After each drawing: the layer may be a new one. One that is given up for a newer leaves nothing behind.
  useLayoutEffect(() => {
    now.current = { size, rowHeight, around };
    it.drawn = `${first} ${last}`;
    it.step = step;
    it.layer = Number.NaN;
    lay();
  });

  /** Draws again only where other rows came into sight. */
  const draw = useCallback((always = false) => {
    const {
      size: { full: all },
      rowHeight: height,
      around: more,
    } = now.current;
    const rows = Math.ceil(all / height);
    const from = Math.floor(it.place.at / height);
    const key = `${Math.max(0, Math.min(from, rows - 1) - more)} ${Math.min(rows, from + Math.ceil((it.view || guess) / height) + 1 + more)}`;
    if (always || key !== it.drawn) redraw();
    else lay();
  }, []);
  const put = useCallback((at: number) => {
    const element = scrollRef.current;
    const { size: sizes } = now.current;
    if (!element) return;
    const kept = clamp(at, Math.max(0, sizes.full - it.view));
    element.scrollTop = thumbPosition(kept, { ...sizes, view: it.view });
    it.place = { at: sizes.track >= sizes.full ? element.scrollTop : kept, thumb: element.scrollTop };
  }, []);

  useEffect(() => {
    const element = scrollRef.current;
    if (!element) return undefined;
    const look = () => {
      const height = Math.max(0, element.clientHeight - above);
      if (height === it.view) return;
      const same = it.view === 0 && height === guess;
      it.view = height;
      if (name !== undefined) heights.set(name, height);
      if (!same) draw(true);
    };
    const onScroll = () => {
      const { size: sizes } = now.current;
      if (Math.abs(element.scrollTop - it.place.thumb) < 0.5) return;
      it.place = positionAfter(it.place, element.scrollTop, { ...sizes, view: it.view });
      const long = sizes.track < sizes.full;
      it.moving = true;
      clearTimeout(it.rest);
      it.rest = setTimeout(() => {
        it.moving = false;
        redraw();
      }, REST_MS);
      draw();
      if (!long) return;
      clearTimeout(it.timer);
      it.timer = setTimeout(() => {
        put(it.place.at);
        lay();
      }, IDLE_MS);
    };
    // It is called at once too, when the browser has laid out the page: to ask for the height here would have it do so twice.
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', onScroll);
      clearTimeout(it.timer);
      clearTimeout(it.rest);
    };
  }, [above]);

  // Rows that come or go leave the place as it is; the height of the track changes under it.
  useLayoutEffect(() => {
    const element = scrollRef.current;
    if (!element || it.view === 0) return;
    if (it.place.at > Math.max(0, full - it.view) || size.track < size.full) {
      put(it.place.at);
      redraw();
    }
  }, [full]);

  return {
    track: size.track,
    fits: Math.max(1, Math.floor(view / rowHeight)),
    first,
    last: Math.max(first, last),
    still: !it.moving,
    seen: top,
    layerRef,
    topOf: (index) => (index - step) * rowHeight,
    reveal(index, start = false) {
      const y = index * rowHeight;
      // Asked for before the browser has told it.
      it.view ||= Math.max(0, (scrollRef.current?.clientHeight ?? 0) - above);
      if (start || y < it.place.at) put(y);
      else if (y + rowHeight > it.place.at + it.view) put(y + rowHeight - it.view);
      else return;
      redraw();
    },
  };
}
