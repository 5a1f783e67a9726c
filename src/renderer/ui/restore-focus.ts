import { useEffect, useRef } from 'react';

/** Where the focus goes when `element` is gone: to what held it and can have the focus, the nearest first, and at last to the page. */
export function focusTargets(element: Element | null): readonly HTMLElement[] {
  const places: HTMLElement[] = [];
  for (let at = element; at !== null && at !== document.body; at = at.parentElement) {
    if (at instanceof HTMLElement && (at === element || at.hasAttribute('tabindex'))) places.push(at);
  }
  return places;
}

/** By then a dialog has given the focus back, if it can. */
const GIVEN_BACK_MS = 100;

/** Where the focus was last in the page, not in what lies over it. */
let inPage: readonly HTMLElement[] = [];
/** The same of each dialog. */
const inDialog = new WeakMap<Element, readonly HTMLElement[]>();

const isLost = (now: Element | null): boolean => now === null || now === document.body || !now.isConnected;

/**
 * Gives the focus back to what had it before a dialog opened, also where the dialog is taken away whole instead of being
 * closed; where that is gone, to what held it (its table, say), or to the page: nobody is left at the top of the window.
 * `open`: whether some dialog of the component shows; one may follow another.
 */
export function useRestoreFocus(open: boolean): void {
  const opener = useRef<readonly HTMLElement[] | null>(null);
  // While drawing, before the dialog takes the focus.
  if (open) opener.current ??= focusTargets(document.activeElement);
  useEffect(() => {
    if (!open) return undefined;
    return () => {
      const to = opener.current ?? [];
      opener.current = null;
      requestAnimationFrame(() => restoreFocus(to));
    };
  }, [open]);
}

/** Gives the focus to the first of the places that is left, else to where it was last in the uppermost dialog or the page; not where something else has it by now. */
export function restoreFocus(places: readonly HTMLElement[]): void {
  if (!isLost(document.activeElement)) return;
  const dialog = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].at(-1);
  const inUppermost = dialog === undefined ? [] : (inDialog.get(dialog) ?? []);
  const place = [...places, ...inUppermost, ...inPage].find((one) => one.isConnected) ?? document.querySelector('main');
  place?.focus({ preventScroll: true });
}

/**
 * What has the focus may be taken away: a button that undoes itself, a row that is deleted. Then the browser leaves nobody with the
 * focus, and says nothing of it. From now on what held it gets the focus. What lies over a page (dialogs, menus, messages) gives it back in its
 * own way; where that has come to nothing, since what opened it is gone as well, it goes to where it was last in the page.
 */
export function restoreFocusOnRemoval(): void {
  let places: readonly HTMLElement[] = [];
  const look = () => {
    if (!isLost(document.activeElement) || places[0] === undefined || places[0].isConnected) return;
    const gone = places;
    // Before what follows: what gets the focus by it may be taken away too, as a dialog is after its form.
    places = [];
    const left = gone.find((one) => one.isConnected);
    if (left !== undefined || gone === inPage) restoreFocus(gone);
    else setTimeout(() => restoreFocus(inPage), GIVEN_BACK_MS);
  };
  document.addEventListener('focusin', ({ target }) => {
    places = target instanceof Element ? focusTargets(target) : [];
    if (!(target instanceof Element)) return;
    const dialog = target.closest('[role="dialog"]');
    if (dialog !== null) inDialog.set(dialog, places);
    else if (target.closest('main') !== null) inPage = places;
  });
  // Where a browser tells that an element was taken away, it tells so while it is.
  document.addEventListener('focusout', ({ relatedTarget }) => relatedTarget === null && requestAnimationFrame(look));
  document.addEventListener('keydown', look, { capture: true });
}
