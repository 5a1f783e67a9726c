import { type PointerEvent as ReactPointerEvent, useEffect, useRef, useState } from 'react';
import { extendSelection, type Selection, clampSelection } from './selection.ts';
import type { Scroller } from './use-scroller.ts';

/** Pixels a frame that the list moves on while somebody drags beyond its edge, for each pixel beyond. */
const PULL = 0.4;

/** Lines chosen by dragging over them, also beyond what is drawn, and by Shift. Within one line text is chosen as usual. */
export function useSelection(
  scroller: Scroller,
  viewRef: { readonly current: HTMLElement | null },
  first: number,
  end: number,
) {
  const [selection, setSelection] = useState<Selection | null>(null);
  const live = clampSelection(selection, first, end);
  const drag = useRef<{ start: number; y: number; moved: boolean; frame: number } | null>(null);
  const latest = useRef(scroller);
  latest.current = scroller;
  useEffect(() => () => cancelAnimationFrame(drag.current?.frame ?? 0), []);

  function reach(at: { start: number; y: number; moved: boolean }) {
    const number = latest.current.numberAt(at.y);
    if (!at.moved && number === at.start) return;
    at.moved = true;
    // What the browser chose itself would be copied instead.
    window.getSelection()?.removeAllRanges();
    setSelection((old) => (old?.anchor === at.start && old.head === number ? old : { anchor: at.start, head: number }));
  }
  function pull() {
    const at = drag.current;
    const box = viewRef.current?.getBoundingClientRect();
    if (!at || !box) return;
    const beyond = at.y < box.top ? at.y - box.top : at.y > box.bottom ? at.y - box.bottom : 0;
    if (beyond !== 0 && at.moved) {
      latest.current.moveBy(beyond * PULL);
      reach({ ...at, y: Math.max(box.top + 1, Math.min(box.bottom - 1, at.y)) });
    }
    at.frame = requestAnimationFrame(pull);
  }

  return {
    selection: live,
    select: setSelection,
    /** True where the pointer went over several lines: the click that follows is none. */
    dragged: () => drag.current?.moved === true,
    onPointerDown(event: ReactPointerEvent<HTMLElement>) {
      if (event.button !== 0 || event.pointerType === 'touch') return;
      if (event.target instanceof Element && event.target.closest('button, a, input, [data-log-detail]')) return;
      const number = scroller.numberAt(event.clientY);
      if (event.shiftKey) {
        event.preventDefault();
        setSelection((old) => extendSelection(old, number, number));
        return;
      }
      drag.current = { start: number, y: event.clientY, moved: false, frame: requestAnimationFrame(pull) };
      setSelection(null);
      const move = (moved: PointerEvent) => {
        if (!drag.current) return;
        drag.current.y = moved.clientY;
        const box = viewRef.current?.getBoundingClientRect();
        if (box && moved.clientY >= box.top && moved.clientY <= box.bottom) reach(drag.current);
        else if (
          drag.current.start !==
          latest.current.numberAt(Math.max((box?.top ?? 0) + 1, Math.min((box?.bottom ?? 0) - 1, moved.clientY)))
        )
          drag.current.moved = true;
      };
      const up = () => {
        window.removeEventListener('pointermove', move);
        window.removeEventListener('pointerup', up);
        window.removeEventListener('pointercancel', up);
        cancelAnimationFrame(drag.current?.frame ?? 0);
        // The click comes after this.
        setTimeout(() => (drag.current = null));
      };
      window.addEventListener('pointermove', move);
      window.addEventListener('pointerup', up);
      window.addEventListener('pointercancel', up);
    },
  };
}
