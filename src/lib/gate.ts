export interface GateRules {
  /** How many are in at once; read at each turn, so that a change counts. */
  most(): number;
  /** How many may wait. */
  readonly waiting: number;
  /** For how long. */
  readonly waitMs: number;
  /** What one is refused with where too many wait before it (`full`), it has waited too long (`late`), or its caller is gone. */
  refuse(why: 'full' | 'late' | 'gone', most: number): Error;
}

/** Lets so many in at once; the others wait in line. Resolves to what gives the place back, which may be called twice. */
export function createGate({
  most,
  waiting,
  waitMs,
  refuse,
}: GateRules): (signal: AbortSignal | null) => Promise<() => void> {
  const line: (() => void)[] = [];
  let inside = 0;

  function place(): () => void {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      // The place goes to the next in line, so that nobody slips in between.
      const next = inside <= most() ? line.shift() : undefined;
      if (next) next();
      else inside--;
    };
  }

  const wait = (signal: AbortSignal | null): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        // Without this, an `abort` later would push another one out of the line.
        signal?.removeEventListener('abort', gone);
      };
      const give = (why: 'late' | 'gone') => {
        line.splice(line.indexOf(enter), 1);
        end();
        reject(refuse(why, most()));
      };
      const enter = () => {
        end();
        resolve();
      };
      const gone = () => give('gone');
      const timer = setTimeout(() => give('late'), waitMs);
      signal?.addEventListener('abort', gone, { once: true });
      line.push(enter);
    });

  return async (signal) => {
    if (inside < most()) inside++;
    else if (line.length >= waiting) throw refuse('full', most());
    else await wait(signal);
    return place();
  };
}
