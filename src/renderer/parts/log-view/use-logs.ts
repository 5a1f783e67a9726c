import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type LogFilters, searchLogs } from '../../api/logs.ts';
import { createLogBuffer, type LogBuffer, type LogSnapshot } from './buffer.ts';
import { follow, type TailState } from './follow.ts';

/** Lines that the window holds; the store keeps the others. */
const LIMIT = 50_000;
const PER_SECOND = 4000;
const PAGE = 500;

export interface LogsState {
  readonly snapshot: LogSnapshot;
  /** `loading`: the first page of this query is on its way; lines of the one before may still show. */
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  readonly updatedAt: number;
  /** False before the first page of any query came. */
  readonly hasRead: boolean;
  readonly tail: TailState;
  readonly hasOlder: boolean;
  readonly olderBusy: boolean;
  readonly olderError: unknown;
  loadOlder(): void;
  hold(on: boolean): void;
  reload(): void;
}

interface Run {
  readonly buffer: LogBuffer;
  cursor: string | null;
  full: boolean;
}

/** Draws at most this share of the time: where one drawing takes long (a flood of lines), the next one waits. */
const REST = 2;

/** Before the next frame, or later while drawings are dear. In a hidden window, which draws none, a timer stands in. */
function createFrames(): (run: () => void) => void {
  let rested = 0;
  const draw = (run: () => void) => {
    const start = performance.now();
    run();
    setTimeout(() => {
      const end = performance.now();
      rested = end + (end - start) * REST;
    });
  };
  return (run) => {
    const wait = rested - performance.now();
    if (document.hidden) setTimeout(() => draw(run), Math.max(200, wait));
    else if (wait > 8) setTimeout(() => requestAnimationFrame(() => draw(run)), wait);
    else requestAnimationFrame(() => draw(run));
  };
}
const newRun = (): Run => ({ buffer: createLogBuffer({ limit: LIMIT, perSecond: PER_SECOND, now: () => Date.now(), schedule: createFrames() }), cursor: null, full: false });

/** Lines that match, newest first: the newest page at once, older ones when asked, and with `live` what arrives. */
export function useLogs(filters: LogFilters, live: boolean): LogsState {
  const [run, setRun] = useState<Run>(newRun);
  const [state, setState] = useState<{ phase: LogsState['phase']; error: unknown; updatedAt: number; hasRead: boolean }>({ phase: 'loading', error: null, updatedAt: 0, hasRead: false });
  const [tail, setTail] = useState<TailState>('off');
  const [older, setOlder] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null });
  const [round, setRound] = useState(0);
  const held = useRef(false);
  const key = JSON.stringify(filters);

  useEffect(() => {
    const next = newRun();
    const stop = new AbortController();
    setState((old) => ({ ...old, phase: 'loading' }));
    setOlder({ busy: false, error: null });
    const begin = async () => {
      try {
        const page = await searchLogs({ ...filters, limit: PAGE, order: 'desc' }, null, stop.signal);
        if (stop.signal.aborted) return;
        next.buffer.addOlder(page.records);
        next.cursor = page.nextCursor;
        next.buffer.hold(held.current);
        setRun(next);
        setState({ phase: 'ready', error: null, updatedAt: Date.now(), hasRead: true });
        if (live) follow({ filters, buffer: next.buffer, signal: stop.signal, onState: setTail });
      } catch (error) {
        if (!stop.signal.aborted) setState((old) => ({ ...old, phase: 'failed', error }));
      }
    };
    setTail(live ? 'connecting' : 'off');
    void begin();
    return () => stop.abort();
  }, [key, live, round]);

  const snapshot = useSyncExternalStore(run.buffer.subscribe, run.buffer.snapshot);

  const loadOlder = useCallback(() => {
    if (older.busy || run.cursor === null || run.full) return;
    setOlder({ busy: true, error: null });
    searchLogs({ ...filters, limit: PAGE, order: 'desc' }, run.cursor, new AbortController().signal).then(
      (page) => {
        run.cursor = page.nextCursor;
        run.full = !run.buffer.addOlder(page.records);
        setOlder({ busy: false, error: null });
      },
      (error: unknown) => setOlder({ busy: false, error }),
    );
  }, [key, run, older.busy]);

  const hold = useCallback(
    (on: boolean) => {
      held.current = on;
      run.buffer.hold(on);
    },
    [run],
  );
  return {
    snapshot,
    ...state,
    tail,
    hasOlder: run.cursor !== null && !run.full,
    olderBusy: older.busy,
    olderError: older.error,
    loadOlder,
    hold,
    reload: () => setRound((n) => n + 1),
  };
}
