import type { ReactNode } from 'react';
import css from './RowButton.module.css';

/**
 * A button with words in each row of a long table: one plain element, for scrolling makes it anew with each row that comes into
 * sight. `reason`: why it cannot be pressed; it stays in the tab order with it. `busy`: what it began goes on; it keeps the focus.
 */
export function RowButton({
  icon,
  hint,
  reason,
  busy = false,
  onClick,
  children,
}: {
  icon: ReactNode;
  /** What it does, where it can be pressed. */
  hint: string;
  reason: string | null;
  busy?: boolean;
  onClick(): void;
  children: ReactNode;
}): ReactNode {
  return (
    <button
      type="button"
      className={css['button']}
      data-hint={reason ?? hint}
      aria-busy={busy || undefined}
      {...(reason === null ? {} : { 'data-disabled': true, 'aria-disabled': true })}
      onClick={(event) => {
        // The row opens something else.
        event.stopPropagation();
        if (reason === null && !busy) onClick();
      }}
    >
      {icon}
      {children}
    </button>
  );
}
