/** Live tails that all pages of a browser have open at a time. It opens six connections to a host: one is the stream of changes, two are for what is read. */
const TAILS = 3;

/** Gives a tail its place, as a function that gives it back; null where all are taken. */
export type TakeSlot = () => Promise<(() => void) | null>;

/**
 * Places for the tails of all pages of this browser, which a page that goes away gives back by itself. Null where no bound is needed
 * (HTTP/2 carries any number over one connection) or none can be agreed.
 */
export function createTailSlots(navigator: Navigator, performance: Performance): TakeSlot | null {
  const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (!('locks' in navigator) || /^h[23]/.test(loaded?.nextHopProtocol ?? '')) return null;
  return async () => {
    for (let at = 0; at < TAILS; at++) {
      const release = await new Promise<(() => void) | null>((resolve) => {
        navigator.locks
          .request(`yardmaster.tail.${at}`, { ifAvailable: true }, (lock) => {
            if (lock !== null) return new Promise<void>((end) => resolve(end));
            return resolve(null);
          })
          // Where locks are forbidden, every page is on its own.
          .catch(() => resolve(() => undefined));
      });
      if (release !== null) return release;
    }
    return null;
  };
}
