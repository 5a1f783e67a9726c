import { itemAt } from '../../../lib/item-at.ts';
import { flushTasks } from '../engine/transaction.ts';
import { killSlice } from '../lifecycle/kill.ts';
import type { JobRow } from '../engine/rows.ts';
import { JOB_BY_ID, JOB_BY_SEQ } from '../engine/sql.ts';
import { refusal, refusalText } from './eligible.ts';
import { noteChange } from './state-changed.ts';
import type { Chunk } from './chunk.ts';
import type { OperationRow } from './operation-rows.ts';
import * as sql from './sql.ts';
import { jobFactsFromRow } from '../engine/load-records.ts';
import type { Transaction } from '../engine/port.ts';
import type { SliceResult } from '../engine/run-in-slices.ts';
import { retryJobSlice } from '../lifecycle/retry-by-hand.ts';

/** What one turn may take of the event loop; its steps are those of the engine's turn budget. */
const SLICE_JOBS = 200;
export const SLICE_MS = 3;
/** A job that is left alone, in steps. */
export const SKIPPED_JOB_STEPS = 0.25;

export interface Result {
  readonly jobId: string;
  readonly code: string | null;
  readonly message: string;
  /** The job that a rerun began. */
  readonly newJobId?: string;
}

/**
 * One turn of a kill or a retry: deals with its next jobs, and writes their results and the progress in the same
 * transaction. So after a crash it goes on behind the last job that was dealt with, or behind the last task of a large one.
 * The row is read anew: another turn may have aborted it.
 */
export function runOperationSlice(
  tx: Transaction,
  seq: number,
  chunk: Chunk,
  mostJobs: number = SLICE_JOBS,
): OperationRow | null {
  const row = tx.db.query<OperationRow>(sql.OPERATION_BY_SEQ).get(seq);
  if (row?.status !== 'RUNNING') return row ?? null;
  const until = performance.now() + SLICE_MS;
  const end = Math.min(row.total, chunk.first + chunk.jobs.length, row.done + mostJobs);
  const { steps } = tx.memory.turnBudget;
  let taken = 0;
  while (row.done < end && taken < steps && performance.now() < until) {
    const { changed, result } = applyToJob(
      tx,
      row,
      itemAt(chunk.jobs, row.done - chunk.first),
      Math.ceil(steps - taken),
    );
    // A job that changes is one more.
    taken += changed > 0 ? changed + 1 : SKIPPED_JOB_STEPS;
    if (result === null) break;
    putResult(tx, row, noteChange(result, row, chunk));
  }
  endOperationIfDone(tx, row);
  saveProgress(tx, row);
  return row;
}

export function endOperationIfDone(tx: Transaction, row: OperationRow): void {
  if (row.done === row.total) Object.assign(row, { status: 'DONE', finished_at: tx.now });
}

/** The next job is left alone: what was tried with it throws. */
export function skipJob(tx: Transaction, seq: number, chunk: Chunk, why: string): void {
  const row = tx.db.query<OperationRow>(sql.OPERATION_BY_SEQ).get(seq);
  if (row?.status !== 'RUNNING') return;
  const entry = itemAt(chunk.jobs, row.done - chunk.first);
  const jobId = typeof entry === 'string' ? entry : (tx.db.query<JobRow>(JOB_BY_SEQ).get(entry)?.id ?? `#${entry}`);
  putResult(tx, row, { jobId, code: 'INTERNAL', message: why });
  endOperationIfDone(tx, row);
  saveProgress(tx, row);
}

/** Ends an operation before its time. A job at hand that takes several turns gets a result that says so. */
export function abortOperation(tx: Transaction, row: OperationRow, chunk: Chunk | null): void {
  const entry = chunk?.jobs[row.done - chunk.first];
  if (row.cursor !== null && entry !== undefined) {
    const jobId = typeof entry === 'string' ? entry : (tx.db.query<JobRow>(JOB_BY_SEQ).get(entry)?.id ?? `#${entry}`);
    putResult(tx, row, { jobId, code: 'ABORTED', message: `aborted after ${tasksText(row.kind, row.changed)}` });
  }
  row.status = 'ABORTED';
  row.finished_at = tx.now;
  saveProgress(tx, row);
}

/** `result` is null where the job needs another turn. */
function applyToJob(
  tx: Transaction,
  row: OperationRow,
  entry: number | string,
  most: number,
): { changed: number; result: Result | null } {
  const job = findJobState(tx, entry);
  if (job === null)
    return {
      changed: 0,
      result: {
        jobId: typeof entry === 'string' ? entry : `#${entry}`,
        code: 'NOT_FOUND',
        message: refusalText('NOT_FOUND'),
      },
    };
  if (row.cursor === null) {
    const refused = refusal(
      { kind: row.kind === 'kill' ? 'kill' : 'retry', nonRetryable: row.non_retryable === 1 },
      job.facts,
      () => {
        const live = tx.memory.jobs.get(job.seq);
        if (live) flushTasks(tx, live);
        return tx.db.query(sql.HAS_RETRYABLE).get(job.seq) !== undefined;
      },
    );
    if (refused) return { changed: 0, result: { jobId: job.id, code: refused, message: refusalText(refused) } };
  }
  const taken: SliceResult =
    row.kind === 'kill'
      ? killSlice(tx, job.seq, row.created_by, most)
      : retryJobSlice(tx, job.seq, row.cursor ?? 0, most);
  row.changed += taken.changed;
  row.cursor = taken.cursor;
  return {
    changed: taken.changed,
    result: taken.cursor === null ? { jobId: job.id, code: null, message: tasksText(row.kind, row.changed) } : null,
  };
}

/** From memory where it is there: rows may be a moment behind. */
export function findJobState(tx: Transaction, entry: number | string) {
  const live = typeof entry === 'number' ? tx.memory.jobs.get(entry) : tx.memory.jobsById.get(entry);
  if (live) return live;
  const row =
    typeof entry === 'number' ? tx.db.query<JobRow>(JOB_BY_SEQ).get(entry) : tx.db.query<JobRow>(JOB_BY_ID).get(entry);
  return row ? { seq: row.seq, id: row.id, facts: jobFactsFromRow(row) } : null;
}

/** `ok` where there is no code. */
export function putResult(tx: Transaction, row: OperationRow, { jobId, code, message, newJobId }: Result): void {
  const ok = code === null;
  tx.db
    .statement(sql.INSERT_RESULT)
    .run(
      row.seq,
      row.done,
      jobId,
      Number(ok),
      ok ? row.done - row.failed : row.failed,
      code,
      message,
      newJobId ?? null,
    );
  row.done++;
  if (!ok) row.failed++;
  row.cursor = null;
  row.changed = 0;
}

export function saveProgress(tx: Transaction, row: OperationRow): void {
  tx.db
    .statement(sql.SAVE_PROGRESS)
    .run(row.status, row.done, row.failed, row.cursor, row.changed, row.finished_at, row.seq);
}

const tasksText = (kind: OperationRow['kind'], tasks: number): string =>
  `${tasks} ${tasks === 1 ? 'task' : 'tasks'} ${kind === 'kill' ? 'killed' : 'retried'}`;
