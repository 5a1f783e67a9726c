import type { JobStatus } from '../../../contract/vocabulary.ts';
import type { Transaction, Engine } from './port.ts';

/** Weight of a slice of long work: it has a turn of its own. */
export const SLICE_WEIGHT = 200;

/** What one turn did to a job. */
export interface SliceResult {
  readonly jobId: string;
  readonly before: JobStatus;
  readonly status: JobStatus;
  readonly changed: number;
  /** The last task looked at; null: all were. Hand it to the next turn. */
  readonly cursor: number | null;
}

/** Turn after turn until all is done. `note` runs in the transaction of each, with the sum so far. */
export async function runInSlices(
  engine: Engine,
  slice: (tx: Transaction, cursor: number) => SliceResult,
  note?: (db: Transaction['db'], sum: SliceResult) => unknown,
): Promise<SliceResult> {
  const turn = (before: SliceResult | null): Promise<SliceResult> =>
    engine.enqueue(SLICE_WEIGHT, (tx) => {
      const taken = slice(tx, before?.cursor ?? 0);
      const sum =
        before === null ? taken : { ...taken, before: before.before, changed: before.changed + taken.changed };
      note?.(tx.db, sum);
      return sum;
    });
  let sum = await turn(null);
  while (sum.cursor !== null) sum = await turn(sum);
  return sum;
}
