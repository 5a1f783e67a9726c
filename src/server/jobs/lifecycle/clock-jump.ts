/** Time limits are put off no longer than this, however long the master was away. */
const MOST_MS = 600_000;

/**
 * The time by which limits of waiting and running tasks are over. After the master was away (stopped, asleep, not running)
 * it is behind the clock by as much, for as long: nobody could take what waited, nor tell of what ran, so limits that
 * nobody kept are not held against the tasks.
 */
export interface DeadlineClock {
  addAbsence(awayMs: number): void;
  now(): number;
}

export function createDeadlineClock(now: () => number): DeadlineClock {
  let ms = 0;
  let until = Number.NEGATIVE_INFINITY;
  return {
    addAbsence(awayMs) {
      if (awayMs <= 0) return;
      ms = awayMs + (now() < until ? ms : 0);
      until = now() + Math.min(ms, MOST_MS);
    },
    now: () => (now() < until ? now() - ms : now()),
  };
}
