import { useState } from 'react';

type Widths = Record<string, number>;

/** Column widths that the viewer dragged, kept in this browser under `key`. */
export function useWidths(key: string | undefined): [Widths, (next: Widths | ((old: Widths) => Widths)) => void] {
  const entry = key === undefined ? null : `yardmaster.widths.${key}`;
  const [widths, setWidths] = useState<Widths>(() => read(entry));
  return [
    widths,
    (next) =>
      setWidths((old) => {
        const value = typeof next === 'function' ? next(old) : next;
        try {
          if (entry !== null) localStorage.setItem(entry, JSON.stringify(value));
        } catch {
          // Not kept then; the width holds for this page.
        }
        return value;
      }),
  ];
}

function read(entry: string | null): Widths {
  try {
    const kept: Record<string, unknown> = JSON.parse((entry !== null && localStorage.getItem(entry)) || '{}');
    const pairs = Object.entries(kept).filter(
      (pair): pair is [string, number] => typeof pair[1] === 'number' && pair[1] >= 40 && pair[1] <= 2000,
    );
    return Object.fromEntries(pairs);
  } catch {
    return {};
  }
}
