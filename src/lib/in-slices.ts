import { setImmediate as othersTurn } from 'node:timers/promises';

/** How long one slice takes, in milliseconds, and after how many items the clock is looked at. */
const SLICE_MS = 3;
const LOOK_EVERY = 16;

/**
 * Does `step` with each item, in turns of the event loop of a few milliseconds each. Undefined where one was enough: all is
 * done. Rejects, or throws, with what `step` throws; the rest is then left.
 */
export function inSlices<T>(items: readonly T[], step: (item: T) => void): Promise<void> | undefined {
  const next = slice(items, 0, step);
  return next < items.length ? goOn(items, next, step) : undefined;
}

async function goOn<T>(items: readonly T[], from: number, step: (item: T) => void): Promise<void> {
  for (let next = from; next < items.length; next = slice(items, next, step)) await othersTurn();
}

/** Where the next slice begins. */
function slice<T>(items: readonly T[], from: number, step: (item: T) => void): number {
  const began = performance.now();
  let next = from;
  while (next < items.length) {
    const end = Math.min(items.length, next + LOOK_EVERY);
    for (const item of items.slice(next, end)) step(item);
    next = end;
    if (performance.now() - began > SLICE_MS) break;
  }
  return next;
}
