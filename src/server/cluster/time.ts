import { uptime } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** Time as an argument, so that a simulation owns it. */
export interface ClusterTime {
  /**
   * Milliseconds that have passed since some moment of this process, also while it was stopped or its machine slept: never
   * less than have passed in truth.
   */
  elapsed(): number;
  /** The same, never more than have passed: how long somebody else has been quiet. */
  steady(): number;
  sleep(ms: number): Promise<void>;
  /** Calls once after so long; gives what keeps it from that. */
  after(ms: number, run: () => void): () => void;
}

/** Where a process reads how time passes, in milliseconds. */
export interface Clocks {
  /** Set by nobody; may stand still while the machine sleeps. */
  steady(): number;
  /** May be set forwards and backwards. */
  wall(): number;
  /** Set by nobody, and goes on while the machine sleeps, but coarse and dear to read. */
  uptime(): number;
}

export const systemClocks: Clocks = {
  steady: () => performance.now(),
  wall: () => Date.now(),
  uptime: () => uptime() * 1000,
};

/** The steady and the wall clock differ by more than this where one was set or the machine slept. */
const DIFFER_MS = 5;
/** How coarse the uptime is, and then some. */
const COARSE_MS = 50;

/**
 * The steady clock stands still while a machine sleeps, the wall clock can be set back: whichever went further counts. Where
 * they differ the uptime is asked as well: a machine may sleep while its wall clock is set back.
 */
export function elapsedBy({ steady, wall, uptime: up }: Clocks): () => number {
  let lastSteady = steady();
  let lastWall = wall();
  const ahead = up() - lastSteady;
  /** For how long the machine has slept so far. */
  let slept = 0;
  let passed = 0;
  return () => {
    const [nextSteady, nextWall] = [steady(), wall()];
    const [bySteady, byWall] = [nextSteady - lastSteady, nextWall - lastWall];
    let byUptime = 0;
    if (Math.abs(bySteady - byWall) > DIFFER_MS) {
      const sleptNow = up() - nextSteady - ahead;
      if (sleptNow > slept + COARSE_MS) {
        byUptime = bySteady + sleptNow - slept;
        slept = sleptNow;
      }
    }
    passed += Math.max(bySteady, byWall, byUptime, 0);
    lastSteady = nextSteady;
    lastWall = nextWall;
    return passed;
  };
}

export const systemTime = (): ClusterTime => ({
  elapsed: elapsedBy(systemClocks),
  steady: systemClocks.steady,
  sleep: (ms) => delay(ms, undefined, { ref: false }),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
});
