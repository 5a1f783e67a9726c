import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import css from './HintLayer.module.css';
import { useUiSettings } from './settings.tsx';
import { formatAgo, formatInstant } from './time-text.ts';

/**
 * One tooltip for the whole window. An element asks for it with `data-hint="text"` (or an ISO time, as `data-age` or `data-instant`, which is written as such when it is shown), which
 * costs a table of a thousand cells nothing, where a tooltip component in each cell is most of its drawing time. What is cut
 * (`clip`, `data-clip`) shows all of its words.
 */
export function HintLayer({ now }: { now: () => number }) {
  const [host, setHost] = useState<HTMLElement | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const { zone } = useUiSettings();

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wanted: HTMLElement | null = null;
    const want = (next: HTMLElement | null, delay: number) => {
      if (next === wanted) return;
      wanted = next;
      clearTimeout(timer);
      if (next === null) setHost(null);
      else timer = setTimeout(() => setHost(mayHint(next) ? next : null), delay);
    };
    const hostOf = (event: Event) =>
      event.target instanceof Element
        ? (event.target.closest<HTMLElement>('[data-hint], [data-age], [data-instant]') ?? cutAt(event.target))
        : null;
    const onOver = (event: Event) => want(hostOf(event), 300);
    const onFocus = (event: Event) =>
      want(event.target instanceof Element && event.target.matches(':focus-visible') ? hostOf(event) : null, 0);
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && want(null, 0);
    const onGone = () => want(null, 0);
    document.addEventListener('pointerover', onOver);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', onGone);
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onGone);
    document.addEventListener('input', onGone);
    // From here on the pointer is silent until what is dragged is let go.
    document.addEventListener('dragstart', onGone);
    document.addEventListener('scroll', onGone, true);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerover', onOver);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('focusout', onGone);
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onGone);
      document.removeEventListener('input', onGone);
      document.removeEventListener('dragstart', onGone);
      document.removeEventListener('scroll', onGone, true);
    };
  }, []);

  // Its own words go with its element: a row that is drawn anew takes the hint along.
  useEffect(() => {
    if (!host) return;
    const watch = setInterval(() => !mayHint(host) && setHost(null), 500);
    // What described it before still does, and what comes to meanwhile.
    const others = () =>
      (host.getAttribute('aria-describedby') ?? '').split(/\s+/).filter((one) => !['', id].includes(one));
    host.setAttribute('aria-describedby', [...others(), id].join(' '));
    return () => {
      clearInterval(watch);
      const left = others();
      if (left.length > 0) host.setAttribute('aria-describedby', left.join(' '));
      else host.removeAttribute('aria-describedby');
    };
  }, [host, id]);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !host) return;
    const at = host.getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    const above = at.top - height - 6;
    const below = at.bottom + 6;
    // Above a field is its label.
    const isBelow = above <= 4 || (host.matches('input, textarea') && below + height <= window.innerHeight);
    element.style.top = `${isBelow ? below : above}px`;
    element.style.left = `${Math.max(6, Math.min(window.innerWidth - width - 6, at.left + at.width / 2 - width / 2))}px`;
  }, [host]);

  if (!host) return null;
  const { age, instant, hint } = host.dataset;
  return (
    <div ref={box} id={id} role="tooltip" className={css['hint']}>
      {age !== undefined
        ? formatAgo(age, now())
        : instant !== undefined
          ? formatInstant(instant, zone)
          : (hint ?? <bdi>{host.textContent}</bdi>)}
    </div>
  );
}

/** Below a field that is wrong stands why. */
const mayHint = (host: HTMLElement): boolean => host.isConnected && !host.matches('[aria-invalid="true"]');

/** Words that end in an ellipsis for want of room, and have no title of their own. */
function cutAt(target: Element): HTMLElement | null {
  const host = target.closest<HTMLElement>('.clip, [data-clip]');
  return host === null || host.closest('[title]') !== null || host.scrollWidth <= host.clientWidth ? null : host;
}
