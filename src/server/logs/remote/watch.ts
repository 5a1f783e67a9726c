import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../../../lib/errors.ts';
import type { StoreState } from '../../../contract/vocabulary.ts';

/** How a store elsewhere does, as far as is known. */
export interface SeenState {
  readonly state: StoreState;
  /** Why it fails; null: it does not. */
  readonly reason: string | null;
  /** Since when it is so, Unix ms. */
  readonly since: number;
}

export interface StoreWatch {
  /** A request was answered. */
  answered(): void;
  /** One failed, because of the store. */
  failed(reason: string): void;
  close(): void;
}

/** How often it is asked where nobody else asks it, and while it fails. */
const QUIET_MS = 15_000;
const FAILING_MS = 3000;
const PROBE_MS = 10_000;
const STEP_MS = 1000;

/** Keeps an eye on a store: by what others ask of it, and by a small question where nobody does. `tell`: hears each time. */
export function watchStore(
  probe: (signal: AbortSignal) => Promise<void>,
  tell: (state: SeenState) => void,
): StoreWatch {
  let seen: SeenState = { state: 'connecting', reason: null, since: Date.now() };
  let lastAnswer = 0;
  const ended = new AbortController();

  function become(state: StoreState, reason: string | null): void {
    seen = { state, reason, since: seen.state === state ? seen.since : Date.now() };
    tell(seen);
  }
  async function watching(): Promise<void> {
    while (!ended.signal.aborted) {
      if (seen.state !== 'ok' || Date.now() - lastAnswer >= QUIET_MS)
        await probe(AbortSignal.any([ended.signal, AbortSignal.timeout(PROBE_MS)])).catch((error: unknown) => {
          // One that was given up after its time is told by nobody else.
          if (!ended.signal.aborted && seen.state !== 'failing')
            become('failing', `VictoriaLogs does not answer (${errorMessage(error)})`);
        });
      tell(seen);
      // One that begins to fail meanwhile is asked sooner.
      for (
        let waited = 0;
        !ended.signal.aborted && waited < (seen.state === 'ok' ? QUIET_MS : FAILING_MS);
        waited += STEP_MS
      )
        await delay(STEP_MS, null, { signal: ended.signal, ref: false }).catch(() => {});
    }
  }
  // Whoever made it sets up what it asks first.
  setImmediate(() => void watching());

  return {
    answered() {
      lastAnswer = Date.now();
      if (seen.state !== 'ok') become('ok', null);
    },
    failed: (reason) => become('failing', reason),
    close: () => ended.abort(),
  };
}
