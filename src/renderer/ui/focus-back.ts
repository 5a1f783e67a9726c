import { useEffect, useRef } from 'react';

/**
 * Gives the focus back to what had it before a dialog opened, also where the dialog is taken away whole instead of being
 * closed, and to the page where that is gone: nobody is left at the top of the window. `open`: whether some dialog of the component shows; one may follow another.
 */
export function useFocusBack(open: boolean): void {
  const opener = useRef<Element | null>(null);
  // While drawing, before the dialog takes the focus.
  if (open) opener.current ??= document.activeElement;
  useEffect(() => {
    if (!open) return undefined;
    return () => {
      const to = opener.current;
      opener.current = null;
      requestAnimationFrame(() => giveFocusBack(to));
    };
  }, [open]);
}

/** Gives the focus to what had it before, or to the page where that is gone; not where something else has it by now. */
export function giveFocusBack(to: Element | null): void {
  const now = document.activeElement;
  const lost = now === null || now === document.body || !now.isConnected;
  if (!lost) return;
  const place = to instanceof HTMLElement && to !== document.body && to.isConnected ? to : document.querySelector('main');
  place?.focus({ preventScroll: true });
}
