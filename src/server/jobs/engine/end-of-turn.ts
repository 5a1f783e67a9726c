import { startChildren } from '../children/start-child.ts';
import { continueForeachs } from '../foreach/run-foreach.ts';
import type { Transaction } from './port.ts';

/**
 * What is left to do once the operations of a turn are done: child jobs are started, foreach-outs go on. In slices, so that
 * no turn is long; true where another one has to follow. All of it is in the database too.
 */
export function continueLongWork(tx: Transaction): boolean {
  const { foreachWork, totals } = tx.memory;
  if (tx.childStarts.length === 0 && tx.foreachRecords.size === 0 && foreachWork.size === 0 && totals.childrenDue === 0)
    return false;
  continueForeachs(tx);
  startChildren(tx);
  return foreachWork.size > 0 || totals.childrenDue > 0;
}
