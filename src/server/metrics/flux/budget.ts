import type { QueryEnv } from '../store/port.ts';

/** What one query may use up. Every step of the evaluation reports to it. */
export interface Budget {
  /** Work done, in about a row each. Throws the `Fault` that ends the query. */
  tick(work?: number): void;
  /** Cells that a step keeps. Throws where the query keeps too many. */
  hold(cells: number): void;
}

/** Work between two looks at the clock. */
const STRIDE = 1024;

export function createBudget({ check, charge }: Pick<QueryEnv, 'check' | 'charge'>): Budget {
  let work = 0;
  return {
    tick(more = 1) {
      work += more;
      if (work < STRIDE) return;
      work = 0;
      check();
    },
    hold: charge,
  };
}
