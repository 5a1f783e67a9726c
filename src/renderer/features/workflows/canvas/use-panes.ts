import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useState } from 'react';

/** Which panes stand beside the canvas: the palette with the outline, and the form of what is chosen. */
export interface Panes {
  readonly palette: boolean;
  readonly form: boolean;
}

const KEY = 'yardmaster.builder-panes';
/** As `BuilderView.module.css` has it. */
const SMALL = '(max-width: 1320px)';

/** As they were left in this browser. Where there is little room the palette is folded at first. */
export function usePanes(storage: Pick<Storage, 'getItem' | 'setItem'>): [Panes, (change: Partial<Panes>) => void] {
  const isSmall = useMediaQuery(SMALL, false, { getInitialValueInEffect: false });
  const [kept, setKept] = useState(() => read(storage));
  const set = useCallback(
    (change: Partial<Panes>) =>
      setKept((before) => {
        const next = { ...before, ...change };
        try {
          storage.setItem(KEY, JSON.stringify(next));
        } catch {
          // A full or forbidden storage loses the choice at the next start, nothing else.
        }
        return next;
      }),
    [storage],
  );
  return [{ palette: kept.palette ?? !isSmall, form: kept.form ?? true }, set];
}

function read(storage: Pick<Storage, 'getItem'>): Partial<Panes> {
  try {
    const kept: Record<string, unknown> = JSON.parse(storage.getItem(KEY) ?? '{}');
    return Object.fromEntries(
      (['palette', 'form'] as const).flatMap((key) => (typeof kept[key] === 'boolean' ? [[key, kept[key]]] : [])),
    );
  } catch {
    return {};
  }
}
