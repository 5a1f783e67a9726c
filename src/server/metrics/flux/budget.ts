import type { QueryEnv } from '../store/port.ts';

/** What one query may use up. Every step of the evaluation reports to it. */
export interface Budget {
  /** Work done, in about a row each. Throws the `Fault` that ends the query. */
  tick(work?: number): void;
  /** Cells that a step keeps. Throws where the query keeps too many. */
  hold(cells: number): void;
}

/** Work of one check; a check is cheap, and looks at the clock now and then. */
const STRIDE = 64;

export function createBudget({ check, charge }: Pick<QueryEnv, 'check' | 'charge'>): Budget {
  let work = 0;
  return {
    tick(more = 1) {
      for (work += more; work >= STRIDE; work -= STRIDE) check();
    },
    hold: charge,
  };
}
