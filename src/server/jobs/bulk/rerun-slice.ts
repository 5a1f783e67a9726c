import { submit } from '../lifecycle/submit.ts';
import type { PreparedRerun } from './rerun-prepare.ts';
import { HAS_RERUN, rerunRefusal, rerunRefusalText } from './rerun-rule.ts';
import type { Chunk } from './chunk.ts';
import { noteChange } from './state-changed.ts';
import type { OperationRow } from './operation-rows.ts';
import {
  endOperationIfDone,
  SKIPPED_JOB_STEPS,
  putResult,
  saveProgress,
  SLICE_MS,
  findJobState,
  type Result,
} from './operation-slice.ts';
import * as sql from './sql.ts';
import type { Transaction } from '../engine/port.ts';
import type { RerunChoice } from './port.ts';

/**
 * One turn of a bulk rerun: begins the jobs that were prepared. The new job, the result of the old one and the progress
 * are one transaction, so that after a crash none is begun twice. Where the operation is not any more at the place that
 * they were prepared for, nothing is done.
 */
export function rerunSlice(
  tx: Transaction,
  seq: number,
  first: number,
  choice: RerunChoice,
  prepared: readonly PreparedRerun[],
  chunk: Chunk,
): OperationRow | null {
  const row = tx.db.query<OperationRow>(sql.OPERATION_BY_SEQ).get(seq);
  if (row?.status !== 'RUNNING' || row.done !== first) return row ?? null;
  const until = performance.now() + SLICE_MS;
  const { steps } = tx.memory.turnBudget;
  let taken = 0;
  for (const one of prepared) {
    const result = begin(tx, choice, one);
    // What an environment points to has changed since: the next turn sees it.
    if (result === null) break;
    putResult(tx, row, noteChange(result, row, chunk));
    taken += result.newJobId
      ? 1 + ('plan' in one ? Math.min(steps, one.submission.inputs.length * Math.max(1, one.plan.first.length)) : 0)
      : SKIPPED_JOB_STEPS;
    if (taken >= steps || performance.now() >= until) break;
  }
  endOperationIfDone(tx, row);
  saveProgress(tx, row);
  return row;
}

/** Null: the job has to be prepared anew. */
function begin(tx: Transaction, choice: RerunChoice, one: PreparedRerun): Result | null {
  const { jobId } = one;
  if ('code' in one) return { jobId, code: one.code, message: one.message };
  const { entry, submission, plan } = one;
  const job = findJobState(tx, entry);
  if (job === null) return { jobId, code: 'NOT_FOUND', message: 'job not found, or deleted by retention' };
  // It may have been retried, or run again, since it was prepared.
  const refused = rerunRefusal(choice, 'batch', job.facts, () => tx.db.query(HAS_RERUN).get(jobId) !== undefined);
  if (refused) return { jobId, code: refused, message: rerunRefusalText(refused) };
  if (choice.commit === 'published' && submission.environment !== null) {
    const now = tx.endpoint(plan.workflowId, submission.environment);
    if (now.found !== 'published' || now.runnable.commit !== plan.commit) return null;
  }
  const begun = submit(tx, submission, plan);
  return {
    jobId,
    code: null,
    message: `rerun as ${begun.jobId} on ${plan.commit.slice(0, 10)}`,
    newJobId: begun.jobId,
  };
}
