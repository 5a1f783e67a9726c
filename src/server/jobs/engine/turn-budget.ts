import type { TurnBudget } from './port.ts';

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
