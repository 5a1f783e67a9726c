import type { QueryClient } from '@tanstack/react-query';
import { createStore } from 'zustand/vanilla';
import type { AlertEvent } from '../../contract/alerts.ts';
import type { StreamEvent } from '../../contract/stream.ts';
import { createQueryCaches } from './live/query-caches.ts';
import { type TabChannel, createSharedStream } from './live/shared-stream.ts';
import type { LiveMode } from './live/stream.ts';

export interface LiveState {
  mode: LiveMode;
  /** Milliseconds; since when the mode holds. */
  since: number;
  /** Events taken in since the start. */
  events: number;
}

type Note = Extract<AlertEvent, { kind: 'notification' }>;

export interface LiveParts {
  client: QueryClient;
  url: string;
  /** How pages agree which of them holds the stream; null: this one its own. */
  between: TabChannel | null;
  /** True where the master answers at all; decides between polling and offline. Gives up when the signal does. */
  probe(signal: AbortSignal): Promise<boolean>;
  now(): number;
  /** A message for the screen of whoever watches; `first`: no other page shows it. */
  note?(note: Note, first: boolean): void;
  /** Told of every change, as it comes. */
  hear?(event: StreamEvent, first: boolean): void;
}

/**
 * Follows `/api/v1/stream` into the query caches, by one stream for all pages of a browser. While the stream is down everything live
 * is read every 5 s. A page that the browser puts to sleep leaves, and comes back when it wakes.
 */
export function createLive({ client, url, between, probe, now, note, hear }: LiveParts) {
  const store = createStore<LiveState>()(() => ({ mode: 'connecting', since: now(), events: 0 }));
  const caches = createQueryCaches(client, (events) => store.setState((state) => ({ events: state.events + events })));
  const tasks = new MessageChannel();
  const soon: (() => void)[] = [];
  tasks.port1.onmessage = () => soon.shift()?.();
  /** Present from start to stop. */
  let ears: AbortController | null = null;

  const shared = createSharedStream({
    between,
    url,
    probe,
    now,
    id: `${now()}-${Math.random()}`,
    soon(run) {
      soon.push(run);
      tasks.port2.postMessage(null);
    },
    onMode(mode, since) {
      if (mode === 'offline' && store.getState().mode !== 'offline') caches.giveUpReads();
      store.setState({ mode, since });
    },
    onChange(event, first) {
      if (event.event === 'alert' && event.data.kind === 'notification') return note?.(event.data, first);
      hear?.(event, first);
      caches.take(event);
    },
    onAgain: caches.refresh,
  });
  const wake = () => shared.start();

  function start() {
    if (ears === null) {
      ears = new AbortController();
      const { signal } = ears;
      document.addEventListener('freeze', shared.stop, { signal });
      document.addEventListener('resume', wake, { signal });
      window.addEventListener('pagehide', shared.stop, { signal });
      window.addEventListener('pageshow', ({ persisted }) => persisted && wake(), { signal });
    }
    shared.start();
  }

  return {
    store,
    start,
    /** Tries the stream at once and reads everything again that is on screen, also what the stream does not bring. */
    retryNow() {
      if (ears === null) start();
      else shared.retry();
      void client.invalidateQueries();
    },
    /** Opens the stream anew, from where it was: who sent it sends no more. */
    reconnect() {
      if (ears !== null) shared.retry();
    },
    stop() {
      ears?.abort();
      ears = null;
      shared.stop();
      caches.stop();
    },
  };
}
export type Live = ReturnType<typeof createLive>;
