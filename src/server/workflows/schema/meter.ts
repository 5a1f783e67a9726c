/**
 * A user's JSON Schema is a program, and some run for ever: references that double at each level, patterns that
 * backtrack. So each step of a check costs, and a check that spent its budget ends with an error. Measured: a budget of
 * a million steps is some tens of milliseconds.
 */
export interface CostMeter {
  /** Throws `CostBudgetSpent`. */
  spend(steps: number): void;
  refill(steps: number): void;
  readonly left: number;
}

export class CostBudgetSpent extends Error {}

export function createCostMeter(): CostMeter {
  let left = 0;
  return {
    spend(steps) {
      left -= steps;
      if (left < 0) throw new CostBudgetSpent('the check takes too long');
    },
    refill(steps) {
      left = steps;
    },
    get left() {
      return left;
    },
  };
}
