import { type PointerEvent, useState } from 'react';

/** Fewer pixels are a click. */
const MIN_PIXELS = 5;

/** Dragging over an element chooses a stretch of it, as shares from 0 to 1. */
export function useBrush(onChoose: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<{ readonly start: number; readonly end: number } | null>(null);
  const shareOf = (event: PointerEvent<HTMLElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width));
  };
  return {
    drag: drag && { from: Math.min(drag.start, drag.end), to: Math.max(drag.start, drag.end) },
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const start = shareOf(event);
        setDrag({ start, end: start });
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (drag) setDrag({ start: drag.start, end: shareOf(event) });
      },
      onPointerUp(event: PointerEvent<HTMLElement>) {
        if (!drag) return;
        setDrag(null);
        const end = shareOf(event);
        if (Math.abs(end - drag.start) * event.currentTarget.clientWidth >= MIN_PIXELS)
          onChoose(Math.min(drag.start, end), Math.max(drag.start, end));
      },
    },
  };
}
