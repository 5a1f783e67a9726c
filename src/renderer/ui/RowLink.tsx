import { useRouter } from '@tanstack/react-router';
import type { FocusEvent, MouseEvent, PointerEvent, ReactNode } from 'react';

/**
 * A link in a row of a long list. It leads where the router's own `Link` does, and fetches the page when somebody points at
 * it; but it reckons nothing and listens to nothing before that, where thirty new rows a frame come into sight.
 */
export function RowLink({
  href,
  className = '',
  label,
  hint,
  children,
}: {
  href: string;
  className?: string;
  label?: string;
  hint?: string;
  children: ReactNode;
}) {
  const router = useRouter();
  /** The whole address, with what every page keeps of this one: for a new tab, and to copy. */
  const ready = ({ currentTarget }: PointerEvent<HTMLAnchorElement> | FocusEvent<HTMLAnchorElement>) => {
    // A whole address, which the types of the router do not take.
    const { publicHref } = router.buildLocation({ href } as never);
    currentTarget.setAttribute('href', router.history.createHref(publicHref));
    void router.preloadRoute({ href } as never).catch(() => undefined);
  };
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ href });
  };
  return (
    <a
      href={href}
      className={className}
      aria-label={label}
      data-hint={hint}
      onPointerEnter={ready}
      onFocus={ready}
      onClick={follow}
    >
      {children}
    </a>
  );
}
