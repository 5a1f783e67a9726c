/** Time as an argument, so that tests own it. Milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

/** A clock that also measures time that passes: nobody sets that one. */
export interface SteadyClock extends Clock {
  /** Milliseconds since some moment of this process. */
  elapsed(): number;
}

export const systemClock: SteadyClock = { now: () => Date.now(), elapsed: () => performance.now() };

export const iso = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : new Date(ms).toISOString();

/** Calls `step` every `ms`, never two at once; a throw is handed to `onError` and the loop goes on. Returns its stop, which waits for a step under way. */
export function every(
  ms: number,
  step: () => void | Promise<void>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const tick = () => {
    running = (async () => {
      try {
        await step();
      } catch (error) {
        onError(error);
      }
      if (!stopped) timer = setTimeout(tick, ms);
    })();
  };
  timer = setTimeout(tick, ms);
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
