import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { DataWarning } from '../../../../contract/data-health.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { type LogFilters, searchLogs } from '../../../api/logs.ts';
import { settingsQuery } from '../../../api/overview.ts';
import { createLogBuffer, type LogBuffer, type LogSnapshot } from './buffer.ts';
import { timeText } from './chunk.ts';
import { follow, type TailState } from './follow.ts';
import { createFrameThrottle } from './frame-throttle.ts';
import { removeKnownRecords } from './remove-known-records.ts';
import { createTailSlots } from './tail-slots.ts';

const PAGE = 500;
/** Pages grow while somebody goes on reading upwards. */
const PAGE_MOST = 2000;
const LAG_MS = 1000;

export interface LogsState {
  readonly buffer: LogBuffer;
  readonly snapshot: LogSnapshot;
  /** `loading`: the first page of this query is on its way; lines of the one before may still show. */
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  readonly updatedAt: number;
  /** False before the first page of any query came. */
  readonly hasRead: boolean;
  readonly tail: TailState;
  /** Milliseconds from a line's own time to its arrival here; null: nothing arrived lately. */
  readonly lag: number | null;
  /** What is missing as it is damaged. */
  readonly warnings: readonly DataWarning[];
  /** Lines are missing that came while no stream was open. */
  readonly gap: boolean;
  /** `full`: there are older lines, and no room for them. */
  readonly older: 'none' | 'more' | 'busy' | 'failed' | 'full';
  readonly olderError: unknown;
  loadOlder(): void;
  reload(): void;
}

interface Run {
  readonly buffer: LogBuffer;
  cursor: string | null;
  /** How many lines had been let go when the cursor was given: a cursor leads on from where the list began then. */
  dropped: number;
  more: boolean;
  page: number;
}

/** Lines that match, oldest first: the newest page at once, older ones when asked, and with `live` what arrives. `asked` false: none. */
export function useLogs(filters: LogFilters, live: boolean, asked = true): LogsState {
  const client = useQueryClient();
  const bounds = () => {
    const limits = client.getQueryData(settingsQuery().queryKey)?.limits;
    return {
      records: limits?.['logViewRecords'] ?? LIMITS.logViewRecords,
      characters: limits?.['logViewCharacters'] ?? LIMITS.logViewCharacters,
    };
  };
  const newRun = (): Run => ({
    buffer: createLogBuffer({ ...bounds(), schedule: createFrameThrottle() }),
    cursor: null,
    dropped: 0,
    more: false,
    page: PAGE,
  });
  const [run, setRun] = useState<Run>(newRun);
  const [state, setState] = useState<{
    phase: LogsState['phase'];
    error: unknown;
    updatedAt: number;
    hasRead: boolean;
    warnings: readonly DataWarning[];
  }>({ phase: 'loading', error: null, updatedAt: 0, hasRead: false, warnings: [] });
  const [tail, setTail] = useState<TailState>('off');
  const [lag, setLag] = useState<number | null>(null);
  const [gap, setGap] = useState(false);
  const [older, setOlder] = useState<{ is: LogsState['older']; error: unknown }>({ is: 'none', error: null });
  const [round, setRound] = useState(0);
  const busy = useRef<AbortController | null>(null);
  const key = JSON.stringify(filters);
  const reload = useCallback(() => setRound((n) => n + 1), []);
  useEffect(() => void client.prefetchQuery(settingsQuery()), [client]);

  useEffect(() => {
    if (!asked) {
      setTail('off');
      return undefined;
    }
    const next = newRun();
    const stop = new AbortController();
    let latest: number | null = null;
    const told = setInterval(() => {
      setLag(latest);
      latest = null;
    }, LAG_MS);
    setState((old) => ({ ...old, phase: 'loading' }));
    setLag(null);
    const begin = async () => {
      try {
        const page = await searchLogs({ ...filters, limit: PAGE, order: 'desc' }, null, stop.signal);
        if (stop.signal.aborted) return;
        busy.current?.abort();
        busy.current = null;
        next.buffer.addOlder(page.records);
        next.cursor = page.nextCursor;
        next.more = page.nextCursor !== null;
        setRun(next);
        setGap(false);
        setOlder({ is: next.more ? 'more' : 'none', error: null });
        setState({
          phase: 'ready',
          error: null,
          updatedAt: Date.now(),
          hasRead: true,
          warnings: page.warnings ?? [],
        });
        if (live)
          follow({
            filters,
            buffer: next.buffer,
            signal: stop.signal,
            takeSlot: createTailSlots(navigator, performance),
            page: document,
            onState: setTail,
            onLag: (ms) => (latest = ms),
            onGap: () => setGap(true),
          });
      } catch (error) {
        if (!stop.signal.aborted) setState((old) => ({ ...old, phase: 'failed', error }));
      }
    };
    setTail(live ? 'connecting' : 'off');
    void begin();
    return () => {
      stop.abort();
      clearInterval(told);
    };
  }, [key, live, asked, round]);

  const snapshot = useSyncExternalStore(run.buffer.subscribe, run.buffer.snapshot);

  const loadOlder = useCallback(() => {
    if (busy.current !== null) return;
    const stop = new AbortController();
    busy.current = stop;
    setOlder({ is: 'busy', error: null });
    olderPage(run, filters, stop.signal).then(
      (room) => {
        if (busy.current !== stop) return;
        busy.current = null;
        setOlder({ is: !room ? 'full' : run.more ? 'more' : 'none', error: null });
      },
      (error: unknown) => {
        if (busy.current !== stop) return;
        busy.current = null;
        setOlder({ is: 'failed', error });
      },
    );
  }, [key, run]);

  const { is } = older;
  // What was let go can be loaded again.
  const found = is === 'none' && snapshot.dropped > run.dropped ? 'more' : is;
  return {
    buffer: run.buffer,
    snapshot,
    ...state,
    tail,
    lag,
    gap,
    older: found,
    olderError: older.error,
    loadOlder,
    reload,
  };
}

/** The page before the oldest line that is held. False where there is no room for it. */
async function olderPage(run: Run, filters: LogFilters, signal: AbortSignal): Promise<boolean> {
  const { buffer } = run;
  const { first, end } = buffer.bounds();
  const dropped = buffer.snapshot().dropped;
  // Once lines were let go, the cursor leads on from another place than the list begins at.
  const moved = dropped !== run.dropped && end > first;
  const range = moved ? { ...filters, to: timeText(buffer.ms(first) + 1, 0) } : filters;
  const page = await searchLogs({ ...range, limit: run.page, order: 'desc' }, moved ? null : run.cursor, signal);
  const found = page.records;
  const known = moved
    ? Array.from({ length: Math.min(run.page, buffer.bounds().end - first) }, (_, i) => buffer.record(first + i))
    : [];
  if (!buffer.addOlder(moved ? removeKnownRecords(found, known) : found)) return false;
  run.page = Math.min(PAGE_MOST, run.page * 2);
  run.cursor = page.nextCursor;
  run.more = page.nextCursor !== null;
  run.dropped = dropped;
  return true;
}
