import type { QueryClient } from '@tanstack/react-query';
import { createStore } from 'zustand/vanilla';
import type { AlertEvent } from '../../contract/api-alerts.ts';
import type { StreamEvent } from '../../contract/stream.ts';
import { applyEvents, LIVE_KEYS } from './apply.ts';

export interface LiveState {
  /** `live`: the stream brings changes. `polling`: it is down, all is read again every 5 s. `offline`: nothing answers. */
  mode: 'connecting' | 'live' | 'polling' | 'offline';
  /** Milliseconds; since when the mode holds. */
  since: number;
  /** Events taken in since the start. */
  events: number;
}

const POLL_MS = 5000;
/** Lists are read again at most this often, however many changes come. */
const REREAD_MS = 1000;
const FIRST_RETRY_MS = 1000;
/** A stream that has been still for so long may be that of a master that hangs: it is asked. */
const STILL_MS = 10_000;
/** Longest wait for its answer. */
const PROBE_MS = 8000;
const NAMES = ['job', 'task', 'worker', 'publication', 'operation', 'alert'] as const;

export interface LiveParts {
  client: QueryClient;
  url: string;
  /** True where the master answers at all; decides between polling and offline. Gives up when the signal does. */
  probe(signal: AbortSignal): Promise<boolean>;
  now(): number;
  /** A message for the screen of whoever watches. */
  note?(note: Extract<AlertEvent, { kind: 'notification' }>): void;
  /** Told of every change, as it comes. */
  hear?(event: StreamEvent): void;
}

/**
 * Follows `/api/v1/stream` into the query caches. Events of one frame are one change of the caches (in a hidden window,
 * which draws no frames, a timer stands in). While the stream is down everything live is read every 5 s.
 */
export function createLive({ client, url, probe, now, note, hear }: LiveParts) {
  const store = createStore<LiveState>()(() => ({ mode: 'connecting', since: now(), events: 0 }));
  let source: EventSource | null = null;
  let queue: StreamEvent[] = [];
  let flushing = false;
  let poll: ReturnType<typeof setInterval> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let retryMs = FIRST_RETRY_MS;
  const due = new Map<string, readonly unknown[]>();
  let reread: ReturnType<typeof setTimeout> | undefined;
  let watch: ReturnType<typeof setTimeout> | undefined;

  const setMode = (mode: LiveState['mode']) => {
    if (store.getState().mode !== mode) store.setState({ mode, since: now() });
  };
  const refreshAll = () => void Promise.all(LIVE_KEYS.map((queryKey) => client.invalidateQueries({ queryKey })));

  function flush() {
    flushing = false;
    const events = queue;
    queue = [];
    for (const key of applyEvents(client, events)) due.set(JSON.stringify(key), key);
    store.setState((state) => ({ events: state.events + events.length }));
    if (due.size > 0) reread ??= setTimeout(readDue, REREAD_MS);
  }

  function readDue() {
    reread = undefined;
    const keys = [...due.values()];
    due.clear();
    // A read on its way is not cancelled: under steady change it would never end. The next round catches up.
    for (const queryKey of keys) void client.invalidateQueries({ queryKey }, { cancelRefetch: false });
  }

  function take(event: StreamEvent) {
    watchStill();
    if (event.event === 'alert' && event.data.kind === 'notification') return note?.(event.data);
    hear?.(event);
    queue.push(event);
    if (flushing) return;
    flushing = true;
    if (document.hidden) setTimeout(flush, 100);
    else {
      // A window may be hidden before its frame comes; the timer then does the work, once.
      const late = setTimeout(() => flushing && flush(), 250);
      requestAnimationFrame(() => {
        clearTimeout(late);
        if (flushing) flush();
      });
    }
  }

  /** The master answers in time. */
  async function doesAnswer(): Promise<boolean> {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), PROBE_MS);
    const answers = await probe(end.signal).catch(() => false);
    clearTimeout(timer);
    return answers;
  }

  /** A master that hangs keeps its connections open: the stream alone would look alive for ever. */
  function watchStill() {
    clearTimeout(watch);
    watch = setTimeout(async () => {
      const { events } = store.getState();
      const watched = source;
      const answers = await doesAnswer();
      if (watched === null || source !== watched || watched.readyState !== EventSource.OPEN) return;
      if (answers || store.getState().events !== events || queue.length > 0) return watchStill();
      watched.close();
      setMode('offline');
      pollOn();
    }, STILL_MS);
  }

  function pollOn() {
    poll ??= setInterval(() => {
      refreshAll();
      void fallBack();
    }, POLL_MS);
  }

  async function fallBack() {
    const answers = await doesAnswer();
    if (source?.readyState === EventSource.OPEN) return;
    // It answers again: the stream is tried at once, not at the end of a pause that grew while nothing did.
    const back = answers && store.getState().mode === 'offline' && source?.readyState === EventSource.CLOSED;
    setMode(answers ? 'polling' : 'offline');
    if (back) open();
  }

  function open() {
    clearTimeout(retry);
    source?.close();
    const opened = new EventSource(url);
    source = opened;
    let first = true;
    opened.addEventListener('open', () => {
      retryMs = FIRST_RETRY_MS;
      clearInterval(poll);
      poll = undefined;
      // What changed while nobody listened is read once; the stream itself resumes by its last id.
      if (store.getState().mode !== 'connecting' || !first) refreshAll();
      first = false;
      setMode('live');
      watchStill();
    });
    opened.addEventListener('error', () => {
      pollOn();
      void fallBack();
      // The browser reconnects by itself, but gives up after an answer that is no stream (a 502 of a proxy, a 401).
      if (opened.readyState === EventSource.CLOSED && source === opened) {
        retry = setTimeout(open, retryMs);
        retryMs = Math.min(retryMs * 2, 15_000);
      }
    });
    opened.addEventListener('reset', refreshAll);
    for (const name of NAMES) {
      opened.addEventListener(name, (message) => {
        try {
          take({ event: name, data: JSON.parse((message as MessageEvent<string>).data) } as StreamEvent);
        } catch {
          refreshAll();
        }
      });
    }
  }

  return {
    store,
    start: open,
    /** Tries the stream at once and reads everything again that is on screen, also what the stream does not bring. */
    retryNow() {
      retryMs = FIRST_RETRY_MS;
      open();
      void client.invalidateQueries();
    },
    stop() {
      source?.close();
      source = null;
      clearTimeout(retry);
      clearTimeout(reread);
      clearTimeout(watch);
      clearInterval(poll);
      poll = undefined;
    },
  };
}
export type Live = ReturnType<typeof createLive>;
