import { useMergedRef } from '@mantine/hooks';
import { type ComponentProps, type MouseEvent, type ReactNode, useReducer, useRef } from 'react';

/**
 * What every button of Mantine is made of (`theme.ts`). A browser takes the focus from a button that becomes disabled, and nobody gives it
 * back: whoever pressed Save would be at the top of the window while it is saved, and after. So a button that has the focus is
 * only called disabled, and does nothing, until the focus leaves it.
 */
export function FocusKeepingButton({
  ref,
  disabled = false,
  type = 'button',
  onClick,
  onBlur,
  ...rest
}: ComponentProps<'button'>): ReactNode {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  const own = useRef<HTMLButtonElement>(null);
  const merged = useMergedRef(own, ref);
  const kept = disabled && own.current !== null && own.current === document.activeElement;
  return (
    <button
      {...rest}
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
}
