import { useEffect, useRef } from 'react';

/**
 * Gives the focus back to what had it before a dialog opened, also where the dialog is taken away whole instead of being
 * closed: nobody is left at the top of the page. `open`: whether some dialog of the component shows; one may follow another.
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
      requestAnimationFrame(() => giveBack(to));
    };
  }, [open]);
}

function giveBack(to: Element | null): void {
  const now = document.activeElement;
  const lost = now === null || now === document.body || !now.isConnected;
  if (lost && to instanceof HTMLElement && to.isConnected) to.focus({ preventScroll: true });
}
