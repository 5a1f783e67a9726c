/** Another dialog lies over a panel. Escape reaches all that is open, and belongs to the uppermost alone. */
export const isCovered = (): boolean => document.querySelectorAll('[role="dialog"][aria-modal="true"]').length > 1;
