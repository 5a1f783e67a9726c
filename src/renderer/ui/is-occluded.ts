/**
 * Another dialog lies over a panel. Escape reaches all that is open, and belongs to the uppermost alone: the one that has
 * the focus, else the last. `own`: something within the panel; without it the panel is thought to be the lowest.
 */
export function isOccluded(own: Element | null = null): boolean {
  const open = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')];
  const dialog = own?.closest('[role="dialog"]');
  if (!dialog) return open.length > 1;
  return (open.find((one) => one.contains(document.activeElement)) ?? open.at(-1)) !== dialog;
}
