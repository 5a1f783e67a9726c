/** What a graph view shows: scale and offset of the drawing in its window. Pure. */
export interface ViewBox {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}

export const MIN_SCALE = 0.02;
export const MAX_SCALE = 2;
const MARGIN = 16;

/** The whole drawing, in the middle, never larger than life. */
export function fit(drawing: Size, window: Size): ViewBox {
  const scale = clamp(
    Math.min(
      (window.width - 2 * MARGIN) / Math.max(1, drawing.width),
      (window.height - 2 * MARGIN) / Math.max(1, drawing.height),
      1,
    ),
  );
  return { scale, x: (window.width - drawing.width * scale) / 2, y: (window.height - drawing.height * scale) / 2 };
}

/** A drawing smaller than this tells nothing. */
const READABLE = 0.4;

/** The whole drawing where it can be read so small; else its beginning, around the node that it starts from. */
export function opening(drawing: Size, start: { x: number; y: number } & Size, window: Size): ViewBox {
  const whole = fit(drawing, window);
  if (whole.scale >= READABLE) return whole;
  const at = (from: number, length: number, all: number, room: number) => {
    if (all * READABLE <= room - 2 * MARGIN) return (room - all * READABLE) / 2;
    const middle = room / 2 - (from + length / 2) * READABLE;
    return Math.max(room - MARGIN - all * READABLE, Math.min(MARGIN, middle));
  };
  return {
    scale: READABLE,
    x: at(start.x, start.width, drawing.width, window.width),
    y: at(start.y, start.height, drawing.height, window.height),
  };
}

/** Zooms so that the point of the window at `x`, `y` stays where it is. */
export function zoom(box: ViewBox, factor: number, x: number, y: number): ViewBox {
  const scale = clamp(box.scale * factor);
  const ratio = scale / box.scale;
  return { scale, x: x - (x - box.x) * ratio, y: y - (y - box.y) * ratio };
}

/** Moves as little as it takes to bring a rectangle of the drawing into the window. */
export function reveal(box: ViewBox, rect: { x: number; y: number } & Size, window: Size): ViewBox {
  return {
    scale: box.scale,
    x: shift(box.x, rect.x * box.scale, rect.width * box.scale, window.width),
    y: shift(box.y, rect.y * box.scale, rect.height * box.scale, window.height),
  };
}

function shift(offset: number, at: number, length: number, window: number): number {
  if (offset + at < MARGIN) return MARGIN - at;
  if (offset + at + length > window - MARGIN) return window - MARGIN - length - at;
  return offset;
}

/** Pixels of the window by which the rectangle in sight moves on. */
const STEP = 256;

/** The rectangle of the drawing that can be seen, with a margin, in steps. */
export function isVisible(box: ViewBox, window: Size): { left: number; right: number; top: number; bottom: number } {
  const low = (offset: number) => (Math.floor(-offset / STEP) - 1) * STEP;
  const high = (offset: number, length: number) => (Math.ceil((length - offset) / STEP) + 1) * STEP;
  return {
    left: low(box.x) / box.scale,
    right: high(box.x, window.width) / box.scale,
    top: low(box.y) / box.scale,
    bottom: high(box.y, window.height) / box.scale,
  };
}

const clamp = (scale: number): number => Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));

/** The nearest rectangle in the direction of an arrow key, or null. */
export function neighbour<T extends { x: number; y: number } & Size>(from: T, all: Iterable<T>, key: string): T | null {
  const middle = (one: T) => ({ x: one.x + one.width / 2, y: one.y + one.height / 2 });
  const own = middle(from);
  let best: T | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const one of all) {
    if (one === from) continue;
    const dx = middle(one).x - own.x;
    const dy = middle(one).y - own.y;
    const [along, across] =
      key === 'ArrowRight'
        ? [dx, dy]
        : key === 'ArrowLeft'
          ? [-dx, dy]
          : key === 'ArrowDown'
            ? [dy, dx]
            : key === 'ArrowUp'
              ? [-dy, dx]
              : [-1, 0];
    if (along <= 1) continue;
    const cost = along + Math.abs(across) / 2;
    if (cost < least) {
      least = cost;
      best = one;
    }
  }
  return best;
}
