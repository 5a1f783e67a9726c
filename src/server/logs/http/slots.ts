import { Refusal } from './answer.ts';

/** How long a query waits for its turn. */
const WAIT_MS = 10_000;
const WAITING = 1000;

/** Lets so many run at once; others wait in line, for 10 s at most. */
export function createSlots(most: number): { take(signal: AbortSignal): Promise<() => void> } {
  let running = 0;
  const line: (() => void)[] = [];
  const free = () => {
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      // The slot goes to the next in line, so that nobody slips in between.
      const next = line.shift();
      if (next) next();
      else running--;
    };
  };
  return {
    async take(signal) {
      if (running >= most) {
        if (line.length >= WAITING) throw busy(most);
        await new Promise<void>((resolve, reject) => {
          const leave = () => {
            const at = line.indexOf(turn);
            if (at >= 0) line.splice(at, 1);
            reject(busy(most));
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
      } else running++;
      return free();
    },
  };
}

const busy = (most: number) => new Refusal(503, `couldn't start executing the request in ${WAIT_MS / 1000} seconds, since ${most} concurrent requests are executed: try again later`, 10);
