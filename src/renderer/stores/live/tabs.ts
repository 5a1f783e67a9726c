/** How often one who follows asks whether the leader is there. */
const ASK_MS = 2500;
/** So many questions in a row that nobody answered: the leader is frozen, and its lock is taken from it. */
const UNANSWERED = 3;

export interface TabsParts {
  readonly name: string;
  readonly locks: Pick<LockManager, 'request'>;
  /** Asks the leader for a sign of life: whoever hears one says so by `heard`. */
  ask(): void;
  /** This page holds the stream from now on. */
  lead(): void;
  /** Another page took that over. */
  yieldTo(): void;
  /** The lock cannot be had here: every page for itself. */
  alone(): void;
}

/**
 * Elects one page of all that are open in a browser, by a lock: who holds it leads, the others wait in its queue, so that the next
 * one follows at once when a page goes. A page that the browser froze still holds its lock: one that does not answer loses it.
 */
export function createTabs({ name, locks, ask, lead, yieldTo, alone }: TabsParts) {
  let release: (() => void) | null = null;
  let queued: AbortController | null = null;
  let unanswered = 0;
  let clock: ReturnType<typeof setInterval> | undefined;

  async function request(options: LockOptions, queue: AbortController | null) {
    let granted = false;
    try {
      await locks.request(name, options, () => {
        // It may have been granted just as it was given up.
        if (clock === undefined || release !== null) return undefined;
        granted = true;
        queued = null;
        return new Promise<void>((resolve) => {
          release = resolve;
          lead();
        });
      });
    } catch (error) {
      if (clock === undefined || queue?.signal.aborted) return;
      // Stolen by another page, maybe before it was of any use; else it was refused.
      if (!(error instanceof DOMException && error.name === 'AbortError')) return alone();
      if (granted) {
        release = null;
        yieldTo();
      }
      wait();
    }
  }
  function wait() {
    unanswered = 0;
    queued = new AbortController();
    void request({ signal: queued.signal }, queued);
    ask();
  }
  function watch() {
    if (release !== null) return;
    if (unanswered++ < UNANSWERED) return ask();
    unanswered = 0;
    queued?.abort();
    queued = null;
    void request({ steal: true }, null);
  }

  return {
    heard() {
      unanswered = 0;
    },
    start() {
      clock = setInterval(watch, ASK_MS);
      wait();
    },
    /** Gives the lead, or the place in the queue, back. */
    stop() {
      clearInterval(clock);
      clock = undefined;
      queued?.abort();
      queued = null;
      release?.();
      release = null;
    },
  };
}
