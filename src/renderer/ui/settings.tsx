import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';

/** What the kit needs to know of a viewer's wishes. The app hands it down; the kit knows no stores. */
export interface UiSettings {
  /** `local`, `utc`, or the name of a zone such as `Europe/Berlin`. */
  zone: string;
  times: 'relative' | 'absolute';
  density: 'compact' | 'regular' | 'comfortable';
  ticker: Ticker;
}
/** One timer for every turning time on the page. */
export interface Ticker {
  subscribe(listener: () => void): () => void;
  /** Milliseconds, moving once a second. */
  now(): number;
}

export function createTicker(clock: () => number): Ticker {
  const listeners = new Set<() => void>();
  let now = clock();
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    subscribe(listener) {
      listeners.add(listener);
      if (timer === undefined) {
        now = clock();
        timer = setInterval(() => {
          now = clock();
          for (const each of listeners) each();
        }, 1000);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    now: () => now,
  };
}

const Context = createContext<UiSettings | null>(null);

export function UiSettingsProvider({ value, children }: { value: UiSettings; children: ReactNode }) {
  return <Context value={value}>{children}</Context>;
}

export function useUiSettings(): UiSettings {
  const settings = useContext(Context);
  if (!settings) throw new Error('useUiSettings needs a UiSettingsProvider above it');
  return settings;
}

/** The time in milliseconds; draws again once a second. */
export function useNow(): number {
  const { ticker } = useUiSettings();
  return useSyncExternalStore(ticker.subscribe, ticker.now);
}
