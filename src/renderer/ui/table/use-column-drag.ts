import { type PointerEvent, useRef, useState } from 'react';

const WIDEST = 1200;

/**
 * Widths by dragging the edge of a head. The edge stays under the pointer: columns before it keep the width that they were
 * drawn with (`held`, until the table is opened again), those behind it share what is left.
 */
export function useColumnDrag(
  columns: readonly { readonly id: string; readonly minWidth?: number }[],
  onWidth: (id: string, pixels: number) => void,
): {
  readonly held: Readonly<Record<string, number>>;
  /** Id of the column that is dragged. */
  readonly dragged: string | null;
  begin(event: PointerEvent<HTMLElement>, id: string): void;
} {
  const [held, setHeld] = useState<Readonly<Record<string, number>>>({});
  const [dragged, setDragged] = useState<string | null>(null);
  // The list of columns may be another one by the time that the pointer moves.
  const latest = useRef({ columns, onWidth });
  latest.current = { columns, onWidth };
  return {
    held,
    dragged,
    begin(event, id) {
      if (event.button !== 0) return;
      const edge = event.currentTarget;
      const drawn = drawnWidths(edge, latest.current.columns);
      const at = latest.current.columns.findIndex((column) => column.id === id);
      const start = drawn[id];
      if (start === undefined) return;
      const from = event.clientX;
      setHeld(
        Object.fromEntries(latest.current.columns.slice(0, at).map((column) => [column.id, drawn[column.id] ?? 0])),
      );
      setDragged(id);
      const move = ({ clientX }: { clientX: number }) =>
        latest.current.onWidth(
          id,
          Math.round(Math.min(WIDEST, Math.max(latest.current.columns[at]?.minWidth ?? 48, start + clientX - from))),
        );
      const end = () => {
        edge.removeEventListener('pointermove', move);
        edge.removeEventListener('lostpointercapture', end);
        setDragged(null);
      };
      edge.addEventListener('pointermove', move);
      edge.addEventListener('lostpointercapture', end);
      edge.setPointerCapture(event.pointerId);
      event.preventDefault();
    },
  };
}

/** Pixels of each column as its head is drawn. */
export function drawnWidths(within: Element, columns: readonly { readonly id: string }[]): Record<string, number> {
  const heads = within.closest('[role="row"]')?.querySelectorAll('[data-column]') ?? [];
  const pixels = new Map(
    Array.from(heads, (head) => [head.getAttribute('data-column'), head.getBoundingClientRect().width]),
  );
  return Object.fromEntries(
    columns.flatMap(({ id }) => {
      const width = pixels.get(id);
      return width === undefined ? [] : [[id, Math.round(width)]];
    }),
  );
}
