import { setTimeout as delay } from 'node:timers/promises';

/** Longest rest in one go, so that an end is noticed. */
const REST_MS = 500;

/** Work that gives way: told how many bytes were read, it rests until no more than so many were read in a second. */
export type Pace = (bytes: number) => Promise<void>;

/** `bytesPerSecond` 0: no limit, and it only gives others their turn. Rejects once the signal has aborted. */
export function createPace(bytesPerSecond: number, signal: AbortSignal): Pace {
  const began = performance.now();
  let read = 0;
  let turn = began;
  return async (bytes) => {
    signal.throwIfAborted();
    read += bytes;
    const due = () => (bytesPerSecond > 0 ? began + (read / bytesPerSecond) * 1000 - performance.now() : 0);
    for (let left = due(); left > 1; left = due()) await delay(Math.min(left, REST_MS), undefined, { signal });
    if (performance.now() - turn < 5) return;
    await delay(0, undefined, { signal });
    turn = performance.now();
  };
}
