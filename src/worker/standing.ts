/** Whether what this worker was given is still its own: a master that does not hear of it for long gives it to others. */
export interface Standing {
  /** A master answered what was sent at `at` (see `now`). */
  answered(at: number): void;
  /** The link is up; `confirm` calls back once the master has stored all that came before, and told of what is lost. */
  attach(confirm: (received: () => void) => void): void;
  detach(): void;
  /** Null: it is. Else it resolves once the master has said what is lost, or the signal aborts. */
  wait(signal: () => AbortSignal): Promise<void> | null;
}

/** A clock that nobody sets, and one that goes on while the machine sleeps: whichever says that more has passed is right. */
export interface TwoClocks {
  elapsed(): number;
  now(): number;
}

/**
 * A worker that was stopped for a while (SIGSTOP, a machine that slept) finds its timers due before it reads that it lost its leases.
 * `aloneMs`: after so long without an answer the master may take it for Down.
 */
export function createStanding(aloneMs: () => number, clocks: TwoClocks): Standing {
  let elapsedAt = clocks.elapsed();
  let wallAt = clocks.now();
  let confirm: Parameters<Standing['attach']>[0] | null = null;
  let waiting: (() => void)[] = [];
  let asking = false;

  const aged = () => Math.max(clocks.elapsed() - elapsedAt, clocks.now() - wallAt);
  function ask(): void {
    const through = confirm;
    if (through === null || asking || waiting.length === 0) return;
    asking = true;
    const asked = clocks.elapsed();
    // What was compared with the leases of the hello is stored with the first answer, and told before the second.
    through(() =>
      through(() => {
        if (confirm !== through) return;
        asking = false;
        set(asked);
        const going = waiting;
        waiting = [];
        for (const go of going) go();
      }),
    );
  }
  function set(at: number): void {
    const ago = clocks.elapsed() - at;
    elapsedAt = at;
    wallAt = clocks.now() - ago;
  }

  return {
    answered(at) {
      if (waiting.length === 0 && at > elapsedAt) set(at);
    },
    attach(through) {
      confirm = through;
      asking = false;
      ask();
    },
    detach() {
      confirm = null;
      asking = false;
    },
    wait(signal) {
      if (waiting.length === 0 && aged() <= aloneMs()) return null;
      const { promise, resolve } = Promise.withResolvers<void>();
      const gone = signal();
      if (gone.aborted) return Promise.resolve();
      gone.addEventListener('abort', () => resolve(), { once: true });
      waiting.push(resolve);
      ask();
      return promise;
    },
  };
}
