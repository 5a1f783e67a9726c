import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * A button that says why it cannot be pressed. It stays in the tab order while it is off, so that the reason is heard
 * and seen from the keyboard too. `reason` null: it works.
 */
export function ReasonButton({ reason, onClick, children, hint, ...rest }: ButtonProps & { reason: string | null; onClick: () => void; children: ReactNode; hint?: string; 'aria-label'?: string }): ReactNode {
  const button = (
    <Button {...rest} {...(reason === null ? {} : { 'data-disabled': true, 'aria-disabled': true })} onClick={() => reason === null && onClick()}>
      {children}
    </Button>
  );
  const label = reason ?? hint;
  if (label === undefined) return button;
  return (
    <Tooltip label={label} multiline maw={300} events={{ hover: true, focus: true, touch: true }}>
      {button}
    </Tooltip>
  );
}
