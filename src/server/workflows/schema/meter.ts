/**
 * A user's JSON Schema is a program, and some run for ever: references that double at each level, patterns that
 * backtrack. So each step of a check costs, and a check that spent its budget ends with an error. Measured: a budget of
 * a million steps is some tens of milliseconds.
 */
export interface Meter {
  /** Throws `BudgetSpent`. */
  spend(steps: number): void;
  refill(steps: number): void;
  readonly left: number;
}

export class BudgetSpent extends Error {}

export function createMeter(): Meter {
  let left = 0;
  return {
    spend(steps) {
      left -= steps;
      if (left < 0) throw new BudgetSpent('the check takes too long');
    },
    refill(steps) {
      left = steps;
    },
    get left() {
      return left;
    },
  };
}
