import type { Chunk } from './chunk.ts';
import type { OperationRow } from './operation-rows.ts';
import type { Result } from './operation-slice.ts';

/** Reasons that follow from the state of a job, by which it may have come into or out of the reach of an operation. */
const OF_STATE: ReadonlySet<string> = new Set([
  'TERMINAL',
  'NOTHING_FAILED',
  'RETRIES_LEFT',
  'NON_RETRYABLE',
  'NOT_FINISHED',
  'RERUN_EXISTS',
]);

/** The result of the next job: STATE_CHANGED where the dry run that was confirmed counted it in, and its state has left it out since. */
export function noteChange(result: Result, row: OperationRow, chunk: Chunk): Result {
  const { code } = result;
  if (row.from_snapshot === 0 || code === null || !OF_STATE.has(code) || chunk.leftOut.has(row.done - chunk.first))
    return result;
  return { ...result, code: 'STATE_CHANGED', message: `the job changed after the dry run: ${result.message}` };
}
