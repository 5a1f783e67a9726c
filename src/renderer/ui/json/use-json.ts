import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { JsonRequest, JsonView } from './answer.ts';
import { type JsonHandle, openJson } from './open.ts';

/** Lines that are asked for at first, before the height of the view is known. */
const FIRST = 60;

export interface JsonState {
  /** Null until the text was walked over. */
  readonly view: JsonView | null;
  readonly fault: string | null;
  /** Asks and shows what comes; answers the new view. */
  show(
    ask: Extract<JsonRequest, { what: 'rows' | 'turn' | 'unfold' | 'reveal' | 'parent' }>,
    then?: (view: JsonView) => void,
  ): void;
  readonly handle: JsonHandle;
}

/** A JSON text that a tree draws lines of. A large one lives in a thread. */
export function useJson(source: string | ArrayBuffer, levels: number, member: string | undefined): JsonState {
  const handle = useMemo(() => openJson(source, levels, member), [source, levels, member]);
  const [state, setState] = useState<{ of: JsonHandle; view: JsonView | null; fault: string | null }>({
    of: handle,
    view: null,
    fault: null,
  });
  const current = useRef(handle);
  current.current = handle;

  const show = useCallback<JsonState['show']>(
    (ask, then) =>
      handle.ask(
        ask,
        (view) => {
          if (current.current !== handle) return;
          setState({ of: handle, view, fault: null });
          then?.(view);
        },
        (fault) => current.current === handle && setState({ of: handle, view: null, fault }),
      ),
    [handle],
  );
  // A small text answers at once: its lines are there before anything is painted.
  useLayoutEffect(() => show({ what: 'rows', from: 0, to: FIRST }), [show]);
  useEffect(() => () => handle.close(), [handle]);
  const { view, fault } = state.of === handle ? state : { view: null, fault: null };
  return { view, fault, show, handle };
}
