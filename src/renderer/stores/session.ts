import { createStore } from 'zustand/vanilla';

/** `signed-out`: the master asked for a token; the frame then shows the sign-in page instead of the route. */
export interface SessionState {
  standing: 'unknown' | 'signed-in' | 'signed-out';
  /** Why the last sign-in by a link did not work. */
  failure: string | null;
  signedIn(): void;
  signedOut(failure?: string): void;
}

export function createSession() {
  return createStore<SessionState>()((set, get) => ({
    standing: 'unknown',
    failure: null,
    signedIn() {
      if (get().standing !== 'signed-in') set({ standing: 'signed-in', failure: null });
    },
    signedOut(failure) {
      set(failure === undefined ? { standing: 'signed-out' } : { standing: 'signed-out', failure });
    },
  }));
}

/** The one-time code of `#sign-in=<code>`; cleans the address, so that it is neither kept in history nor copied. */
export function takeSignInCode(location: Location, history: History): string | null {
  const code = /^#sign-in=([^&]+)/.exec(location.hash)?.[1];
  if (code === undefined) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return decodeURIComponent(code);
}
