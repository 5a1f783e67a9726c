import type { WriteHandle } from '../../store/port.ts';
import type { OperationRow } from './operation-rows.ts';
import type { BackfillResult } from './port.ts';
import * as sql from './sql.ts';

/** One due time of a backfill is dealt with: part of the transaction that makes its job. False: the operation does not run any more. */
export function noteBackfill(db: WriteHandle, id: string, result: BackfillResult, now: number): boolean {
  const row = db.query<OperationRow>(sql.OPERATION_BY_ID).get(id);
  if (row?.status !== 'RUNNING') return false;
  const ok = result.code === null;
  const rank = ok ? row.done - row.failed : row.failed;
  db.statement(sql.INSERT_RESULT).run(
    row.seq,
    row.done,
    result.jobId ?? '',
    Number(ok),
    rank,
    result.code,
    result.message,
    result.jobId,
  );
  const done = row.done + 1;
  const isDone = done >= row.total;
  db.statement(sql.SAVE_PROGRESS).run(
    isDone ? 'DONE' : 'RUNNING',
    done,
    row.failed + Number(!ok),
    null,
    0,
    isDone ? now : null,
    row.seq,
  );
  return true;
}

/** Nothing is left to be done; or, with a reason, nothing more can be done: a result says so, and the operation is ABORTED. */
export function endBackfill(db: WriteHandle, id: string, reason: string | null, now: number): void {
  const row = db.query<OperationRow>(sql.OPERATION_BY_ID).get(id);
  if (row?.status !== 'RUNNING') return;
  const { seq, done, failed } = row;
  if (reason === null) return void db.statement(sql.SAVE_PROGRESS).run('DONE', done, failed, null, 0, now, seq);
  db.statement(sql.INSERT_RESULT).run(seq, done, '', 0, failed, 'ABORTED', reason, null);
  db.statement(sql.SAVE_PROGRESS).run('ABORTED', done + 1, failed + 1, null, 0, now, seq);
}
