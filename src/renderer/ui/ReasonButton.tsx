import { Button, type ButtonProps, Loader, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * A button that says why it cannot be pressed. It stays in the tab order while it is off, so that the reason is heard
 * and seen from the keyboard too. `reason` null: it works. While it is `loading` it is not disabled either, or the focus
 * would be lost.
 */
export function ReasonButton({
  reason,
  onClick,
  children,
  hint,
  loading = false,
  leftSection,
  ...rest
}: ButtonProps & {
  reason: string | null;
  onClick: () => void;
  children: ReactNode;
  hint?: string;
  'aria-label'?: string;
}): ReactNode {
  const button = (
    <Button
      {...rest}
      leftSection={loading ? <Loader size={14} color="currentColor" /> : leftSection}
      {...(reason === null ? {} : { 'data-disabled': true })}
      aria-disabled={reason !== null || loading}
      aria-busy={loading}
      onClick={() => reason === null && !loading && onClick()}
    >
      {children}
    </Button>
  );
  const label = reason ?? hint;
  if (label === undefined) return button;
  return (
    <Tooltip label={label} maw={300} events={{ hover: true, focus: true, touch: true }}>
      {button}
    </Tooltip>
  );
}
