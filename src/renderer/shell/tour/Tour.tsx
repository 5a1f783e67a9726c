import { Button, FocusTrap, Group, Portal } from '@mantine/core';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { restoreFocus, focusTargets } from '../../ui/restore-focus.ts';
import { tourStops } from './tour-stops.ts';
import css from './Tour.module.css';

interface Box {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

const CARD = { width: 340, height: 210 } as const;

/** A few cards, each beside what it tells of. Arrows and Enter lead through, Escape ends it; the focus goes back to where it was, or to the page. */
export function Tour({ onEnd }: { onEnd(): void }) {
  const all = tourStops();
  const [at, setAt] = useState(0);
  const stop = all[at];
  const box = useBox(stop?.target ?? '');
  useEffect(() => {
    const before = focusTargets(document.activeElement);
    return () => restoreFocus(before);
  }, []);
  if (!stop) return null;
  const last = at === all.length - 1;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onEnd();
    else if (event.key === 'ArrowRight' && !last) setAt(at + 1);
    else if (event.key === 'ArrowLeft' && at > 0) setAt(at - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Portal>
      <div className={css['shade']} />
      {box && (
        <div
          className={css['ring']}
          style={{ top: box.top - 4, left: box.left - 4, width: box.width + 8, height: box.height + 8 }}
        />
      )}
      <FocusTrap active>
        <div
          role="dialog"
          aria-modal="true"
          aria-labelledby="tour-title"
          aria-describedby="tour-words"
          className={css['card']}
          style={placeOf(box)}
          onKeyDown={onKeyDown}
        >
          <h2 id="tour-title">{stop.title}</h2>
          <p id="tour-words" aria-live="polite">
            {stop.words}
          </p>
          <Group justify="space-between" gap="xs">
            <span className="dim numbers">{t('{at} of {all}', { at: at + 1, all: all.length })}</span>
            <Group gap={6}>
              <Button variant="subtle" onClick={onEnd}>
                {last ? t('Close') : t('Skip tour')}
              </Button>
              {at > 0 && (
                <Button variant="default" onClick={() => setAt(at - 1)}>
                  {t('Back')}
                </Button>
              )}
              <Button data-autofocus onClick={() => (last ? onEnd() : setAt(at + 1))}>
                {last ? t('Done') : t('Next')}
              </Button>
            </Group>
          </Group>
        </div>
      </FocusTrap>
    </Portal>
  );
}

/** Where the target is now; null where it is not drawn (a narrow window). */
function useBox(target: string): Box | null {
  const [box, setBox] = useState<Box | null>(null);
  useEffect(() => {
    const measure = () => {
      const found = document.querySelector(`[data-tour="${target}"]`)?.getBoundingClientRect();
      setBox(
        found && found.width > 0
          ? { top: found.top, left: found.left, width: found.width, height: found.height }
          : null,
      );
    };
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [target]);
  return box;
}

/** Beside the target where there is room, under it else; in the middle where there is none. */
function placeOf(box: Box | null): { top: number; left: number } {
  const most = { top: window.innerHeight - CARD.height - 12, left: window.innerWidth - CARD.width - 12 };
  if (!box) return { top: most.top / 2, left: most.left / 2 };
  const beside = box.height > 200;
  const top = beside ? box.top + 60 : box.top + box.height + 14;
  const left = beside ? box.left + box.width + 16 : box.left + box.width / 2 - CARD.width / 2;
  return { top: Math.max(12, Math.min(top, most.top)), left: Math.max(12, Math.min(left, most.left)) };
}
