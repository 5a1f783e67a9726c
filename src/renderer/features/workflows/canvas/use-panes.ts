import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { chosenPanes, type Panes, type PanesRoom, shownPanes } from './panes.ts';

const KEY = 'yardmaster.builder-panes';
/** Widths as `BuilderView.module.css` has them. */
const SMALL = '(max-width: 1320px)';
const NARROW = '(max-width: 1000px)';
const STACKED = '(max-width: 700px)';
const AT_ONCE = { getInitialValueInEffect: false } as const;

export interface PanesControl {
  readonly panes: Panes;
  readonly set: (change: Partial<Panes>) => void;
  /** Folds the form for a graph that has no room beside it, before it returns; false: nothing gives way. */
  readonly makeRoom: () => boolean;
  /** There is something to be shown in the form: it does not give way any more. */
  readonly bringBack: () => void;
}

/** As they were left in this browser; see `shownPanes`. */
export function usePanes(storage: Pick<Storage, 'getItem' | 'setItem'>): PanesControl {
  const isSmall = useMediaQuery(SMALL, false, AT_ONCE);
  const isNarrow = useMediaQuery(NARROW, false, AT_ONCE);
  const isStacked = useMediaQuery(STACKED, false, AT_ONCE);
  const [kept, setKept] = useState(() => read(storage));
  const [visit, setVisit] = useState<{ readonly form?: boolean; readonly gaveWay?: boolean }>({});
  const room: PanesRoom = isStacked ? 'stacked' : isNarrow ? 'narrow' : isSmall ? 'small' : 'wide';
  const panes = shownPanes(kept, visit, room);
  const latest = useRef({ panes, room });
  latest.current = { panes, room };
  const set = useCallback(
    (change: Partial<Panes>) => {
      const { keeps, visit: now } = chosenPanes(change, latest.current.room);
      setVisit((before) => ({ ...before, ...now }));
      setKept((before) => {
        const next = { ...before, ...keeps };
        try {
          storage.setItem(KEY, JSON.stringify(next));
        } catch {
          // A full or forbidden storage loses the choice at the next start, nothing else.
        }
        return next;
      });
    },
    [storage],
  );
  const makeRoom = useCallback(() => {
    const { panes: shown, room } = latest.current;
    if (!shown.form || room === 'stacked' || room === 'narrow') return false;
    // What is measured next is the canvas without it.
    flushSync(() => setVisit((before) => ({ ...before, gaveWay: true })));
    return !latest.current.panes.form;
  }, []);
  const bringBack = useCallback(
    () => setVisit((before) => (before.gaveWay ? { ...before, gaveWay: false } : before)),
    [],
  );
  return { panes, set, makeRoom, bringBack };
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
