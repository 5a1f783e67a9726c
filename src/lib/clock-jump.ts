import type { Clock } from './clock.ts';

/** A timer may be so late on a busy machine. */
const BUSY_MS = 1000;

/** Time that passed while this process was not there to see it: it was stopped, the machine slept, or its clock was set on. */
export interface ClockJumpWatch {
  /** Call when a step that comes every so often begins. Milliseconds that passed unseen since the last one ended; 0 on the usual day. */
  since(): number;
  /** Call when the step ends. */
  ended(): void;
}

export function watchClockJumps(clock: Clock, everyMs: number): ClockJumpWatch {
  let last = clock.now();
  return {
    since() {
      const unseen = clock.now() - last - everyMs;
      return unseen > BUSY_MS ? unseen : 0;
    },
    ended() {
      last = clock.now();
    },
  };
}
