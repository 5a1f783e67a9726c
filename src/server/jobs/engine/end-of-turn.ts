import { startChildren } from '../children/start-child.ts';
import { workFans } from '../foreach/run-foreach.ts';
import type { Unit } from './transaction.ts';

/**
 * What is left to do once the operations of a turn are done: child jobs are started, fan-outs go on. In slices, so that
 * no turn is long; true where another one has to follow. All of it is in the database too.
 */
export function workOn(unit: Unit): boolean {
  const { fansAtWork, totals } = unit.memory;
  if (unit.starts.length === 0 && unit.fans.size === 0 && fansAtWork.size === 0 && totals.childrenDue === 0)
    return false;
  workFans(unit);
  startChildren(unit);
  return fansAtWork.size > 0 || totals.childrenDue > 0;
}
