export interface SemaphoreRules {
  /** How many run at once; read at each step, so that a change counts. */
  most(): number;
  /** How many may wait; any number where it is left out. */
  readonly waiting?: number;
  /** For how long; for ever where it is left out. */
  readonly waitMs?: number;
  /** What one is refused with where too many wait before it (`full`), it has waited too long (`late`), or its caller is gone. */
  refuse?(why: 'full' | 'late' | 'gone', most: number): Error;
}

export interface Semaphore {
  /** Resolves to what gives the slot back, which may be called twice. */
  acquire(signal?: AbortSignal): Promise<() => void>;
  /** Runs the work in a slot. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Lets so many run at once; the others wait in the order in which they came. */
export function createSemaphore({
  most,
  waiting = Number.POSITIVE_INFINITY,
  waitMs,
  refuse = (why) => new Error(why),
}: SemaphoreRules): Semaphore {
  const queue: (() => void)[] = [];
  let taken = 0;

  function slot(): () => void {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      // The slot goes to the next in line, so that nobody slips in between.
      const next = taken <= most() ? queue.shift() : undefined;
      if (next) next();
      else taken--;
    };
  }

  const wait = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        // Without this, an `abort` later would push another one out of the line.
        signal?.removeEventListener('abort', onAbort);
      };
      const give = (why: 'late' | 'gone') => {
        queue.splice(queue.indexOf(enter), 1);
        end();
        reject(refuse(why, most()));
      };
      const enter = () => {
        end();
        resolve();
      };
      const onAbort = () => give('gone');
      const timer = waitMs === undefined ? undefined : setTimeout(() => give('late'), waitMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      queue.push(enter);
    });

  async function acquire(signal?: AbortSignal): Promise<() => void> {
    if (taken < most()) taken++;
    else if (queue.length >= waiting) throw refuse('full', most());
    else await wait(signal);
    return slot();
  }

  return {
    acquire,
    async run(work) {
      const release = await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
