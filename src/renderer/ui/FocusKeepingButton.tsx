import { Tooltip } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type ComponentProps, type MouseEvent, type ReactNode, useReducer, useRef } from 'react';

/**
 * What every button of Mantine is made of (`theme.ts`). One that is disabled and has a `title` keeps its place in the tab order:
 * the title says why, and is seen and heard from the keyboard too. A browser takes the focus from a button that becomes disabled, and nobody gives it
 * back: whoever pressed Save would be at the top of the window while it is saved, and after. So a button that has the focus is
 * only called disabled, and does nothing, until the focus leaves it.
 */
export function FocusKeepingButton({
  ref,
  disabled = false,
  type = 'button',
  onClick,
  onBlur,
  title,
  ...rest
}: ComponentProps<'button'>): ReactNode {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  const own = useRef<HTMLButtonElement>(null);
  const merged = useMergedRef(own, ref);
  const why = disabled && title !== undefined && title !== '' ? title : null;
  const kept = disabled && (why !== null || (own.current !== null && own.current === document.activeElement));
  const button = (
    <button
      {...rest}
      {...(why === null ? { title } : { 'aria-description': why })}
      ref={merged}
      type={type}
      disabled={disabled && !kept}
      {...(kept ? { 'aria-disabled': true } : {})}
      // Nor does it send its form.
      onClick={kept ? (event: MouseEvent) => event.preventDefault() : onClick}
      onBlur={(event) => {
        onBlur?.(event);
        if (kept) drawAgain();
      }}
    />
  );
  if (why === null) return button;
  return (
    <Tooltip label={why} maw={300} events={{ hover: true, focus: true, touch: true }}>
      {button}
    </Tooltip>
  );
}
