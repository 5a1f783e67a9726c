import { type RefObject, useLayoutEffect, useRef } from 'react';

const MOTION: KeyframeAnimationOptions = { duration: 160, easing: 'cubic-bezier(0.2, 0, 0, 1)' };
/** Pixels: what comes from farther away is not followed by an eye. */
const FARTHEST = 1500;

/** How far a row is from where it was drawn before; null: it is another row, has not moved, or from too far away to be followed. */
export function rowShift(
  before: { readonly id: string | undefined; readonly top: number },
  now: { readonly id: string | undefined; readonly top: number },
): number | null {
  const shift = before.top - now.top;
  return now.id === undefined || before.id !== now.id || shift === 0 || Math.abs(shift) > FARTHEST ? null : shift;
}

/** A row that stands elsewhere than before (others came in above it, or the order changed) glides there, except for those who want no motion. */
export function useRowMotion(
  ref: RefObject<HTMLElement | null>,
  id: string | undefined,
  top: number,
  moves: boolean,
): void {
  const last = useRef({ id, top });
  useLayoutEffect(() => {
    const shift = rowShift(last.current, { id, top });
    last.current = { id, top };
    if (!moves || shift === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    ref.current?.animate([{ transform: `translateY(${shift}px)` }, { transform: 'none' }], MOTION);
  }, [id, top, moves]);
}
