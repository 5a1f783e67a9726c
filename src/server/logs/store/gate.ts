import { Fault } from '../../../lib/fault.ts';

/** Lets so many in at once; the others wait in line. */
export interface Gate {
  /** Resolves to what gives the place back. Rejects with OVERLOADED where too many wait, or for too long. */
  enter(signal: AbortSignal | null): Promise<() => void>;
}

export function createGate({ most, waiting, waitMs }: { most: number; waiting: number; waitMs: number }): Gate {
  const line: (() => void)[] = [];
  let inside = 0;
  function leave(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = line.shift();
      if (next) next();
      else inside--;
    };
  }
  return {
    async enter(signal) {
      if (inside < most) {
        inside++;
        return leave();
      }
      if (line.length >= waiting) throw new Fault('OVERLOADED', `${most} log queries run and ${waiting} wait already: try again in a moment`);
      await new Promise<void>((resolve, reject) => {
        const give = (error: Fault) => {
          const at = line.indexOf(enter);
          if (at < 0) return;
          line.splice(at, 1);
          end();
          reject(error);
        };
        const timer = setTimeout(() => give(new Fault('OVERLOADED', `${most} log queries have been running for ${waitMs / 1000} s: try again in a moment`)), waitMs);
        const aborted = () => give(new Fault('QUERY_CANCELLED', 'the query was cancelled'));
        const end = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', aborted);
        };
        const enter = () => {
          end();
          resolve();
        };
        line.push(enter);
        signal?.addEventListener('abort', aborted, { once: true });
      });
      return leave();
    },
  };
}
