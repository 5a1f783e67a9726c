import type { Plan, PlanNode } from '../engine/plan.ts';
import type { RunTimes } from './port.ts';

/** The share that the last run has in the average. */
const WEIGHT = 1 / 8;

/** How long the tasks of nodes that only compute took last, as their workers measured. Nothing of it is kept over a restart. */
export function createRunTimes(): RunTimes {
  const means = new WeakMap<PlanNode, number>();
  const meanOf = (node: PlanNode | undefined): number => (node && means.get(node)) ?? Number.POSITIVE_INFINITY;
  return {
    record(node, ms) {
      const mean = means.get(node);
      means.set(node, mean === undefined ? ms : mean + (ms - mean) * WEIGHT);
    },
    expected(plan: Plan, node: PlanNode) {
      let sum = meanOf(node);
      for (const id of node.chain) sum += meanOf(plan.nodes.get(id));
      return sum;
    },
  };
}
