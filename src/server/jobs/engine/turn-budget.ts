/**
 * How many steps (tasks and jobs that change) one slice of long work takes, so that its turn holds the event loop for
 * about `SLICE_MS` with its writes, its commit and what is told of it. What a step costs depends on the machine, on the
 * load and above all on the size of the database, so it is measured.
 */
export interface TurnBudget {
  /** Steps of the next slice. */
  readonly steps: number;
  /** A turn with so many steps took so long. */
  record(ms: number, steps: number): void;
}

/** Slices of one size, whatever they cost. */
export const fixedTurnBudget = (steps: number): TurnBudget => ({ steps, record: () => undefined });

const SLICE_MS = 6;
/** The least keeps work going on a machine that is busy with other things. */
const LEAST = 32;
const MOST = 200;
const FIRST = 64;
/** Turns with fewer steps say little of the cost of one. */
const TELLING = 12;
/** How much of what was known stays where a turn was cheaper, and where it was dearer. */
const CHEAPER = 0.8;
const DEARER = 0.3;

export function createTurnBudget(): TurnBudget {
  let stepMs = SLICE_MS / FIRST;
  return {
    get steps() {
      return Math.max(LEAST, Math.min(MOST, Math.floor(SLICE_MS / stepMs)));
    },
    record(ms, steps) {
      if (steps < TELLING) return;
      const cost = ms / steps;
      const inertia = cost > stepMs ? DEARER : CHEAPER;
      stepMs = inertia * stepMs + (1 - inertia) * cost;
    },
  };
}
