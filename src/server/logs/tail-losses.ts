import type { TailLosses } from './port.ts';

/** What happens over and over is logged once in so long. */
const QUIET_MS = 60_000;

export function createTailLosses(
  log: (line: string) => void,
  elapsed: () => number,
): TailLosses & { stats(): { tailMissed: number; tailsEnded: number } } {
  let tailMissed = 0;
  let tailsEnded = 0;
  const missed = sparingly(
    (lines) => `live tails of logs missed ${lines} lines that arrived too fast for them; the log store has these lines`,
  );
  const ended = sparingly(
    (tails) => `${tails} live tails at the log store's port were disconnected because their clients read too slowly`,
  );
  function sparingly(text: (count: number) => string): (more: number) => void {
    let untold = 0;
    let toldAt = -Infinity;
    return (more) => {
      untold += more;
      if (elapsed() - toldAt < QUIET_MS) return;
      log(text(untold));
      untold = 0;
      toldAt = elapsed();
    };
  }
  return {
    missed(lines) {
      tailMissed += lines;
      missed(lines);
    },
    ended() {
      tailsEnded++;
      ended(1);
    },
    stats: () => ({ tailMissed, tailsEnded }),
  };
}
