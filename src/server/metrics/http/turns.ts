import { Refusal } from './answer.ts';

/** How long a query waits for its turn, and how many may. */
const WAIT_MS = 10_000;
const WAITING = 256;

/** Lets `most()` queries run at once; others wait in line. */
export function createTurns(most: () => number): (signal: AbortSignal) => Promise<() => void> {
  let running = 0;
  const line: (() => void)[] = [];
  const next = () => {
    running--;
    line.shift()?.();
  };
  return async (signal) => {
    if (running >= most()) {
      const busy = () => new Refusal(429, 'too many requests', `${running} queries run already: try again later`, 5);
      if (line.length >= WAITING) throw busy();
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          clearTimeout(timer);
          // Without this, its `close` later would push another one out of the line.
          signal.removeEventListener('abort', leave);
          line.splice(line.indexOf(turn), 1);
          reject(busy());
        };
        const timer = setTimeout(leave, WAIT_MS);
        const turn = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', leave);
          resolve();
        };
        signal.addEventListener('abort', leave, { once: true });
        line.push(turn);
      });
    }
    running++;
    let open = true;
    return () => {
      if (open) next();
      open = false;
    };
  };
}
