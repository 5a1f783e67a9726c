/** What is made on its first use, and before that in idle moments, so that no first request waits for it. */
export interface WarmUp {
  /** `make` keeps what it made: another call costs nothing. */
  add(make: () => unknown): void;
  /** Begins with what was added: one at a time, with pauses. */
  start(): void;
  stop(): void;
  /** What is still to be made. */
  readonly left: number;
}

/** The start, and the first requests, come first: each makes what it needs. */
const FIRST_MS = 10_000;
const PAUSE_MS = 20;

/** Its timer keeps no process alive. One that cannot be made throws again, at its first use. */
export function createWarmUp({
  firstMs = FIRST_MS,
  pauseMs = PAUSE_MS,
}: { firstMs?: number; pauseMs?: number } = {}): WarmUp {
  const makes: (() => unknown)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function next(): void {
    const make = makes.shift();
    if (!make) return;
    try {
      make();
    } catch {
      // Told at its first use.
    }
    if (!stopped) timer = setTimeout(next, pauseMs).unref();
  }

  return {
    add: (make) => void makes.push(make),
    start: () => void (timer ??= setTimeout(next, firstMs).unref()),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
    get left() {
      return makes.length;
    },
  };
}
