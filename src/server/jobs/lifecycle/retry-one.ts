import type { TaskState } from '../../../contract/vocabulary.ts';
import type { AuditNote } from '../../access/port.ts';
import { jobStatus } from '../../machine/job.ts';
import { findRemainingFailure } from './remaining-failure.ts';
import { findForeach, touchForeach } from '../foreach/records.ts';
import { dropForeachWork } from '../foreach/run-foreach.ts';
import { flushTasks } from '../engine/flush.ts';
import type { JobRecord, FailureSearch } from '../engine/records.ts';
import type { TaskRow } from '../engine/rows.ts';
import { retryTask } from './complete-task.ts';
import { touchJob } from '../engine/transaction.ts';
import * as sql from '../rerun/sql.ts';
import { loadJob, loadTask } from '../engine/load-records.ts';
import type { Transaction } from '../engine/port.ts';

/**
 * Makes one FAILED or timed-out task READY with a fresh allowance. One of a list that was stopped brings those back that
 * were stopped with it. Gives the state that it was in; null: there is no such task. 'more': what fails the job without it
 * is still looked for, nothing has changed, and another turn has to call this again.
 */
export function retryOneTask(
  tx: Transaction,
  taskId: string,
  search: (job: number) => FailureSearch,
  note?: AuditNote,
): { from: TaskState; retried: boolean } | 'more' | null {
  const known = tx.db.query<TaskRow>(sql.TASK_BY_ID).get(taskId);
  if (!known) return null;
  const job = loadJob(tx, known.job);
  flushTasks(tx, job);
  const row = tx.db.query<TaskRow>(sql.TASK_BY_ID).get(taskId);
  if (!row) return null;
  const task = loadTask(tx, row);
  const from = task.facts.state;
  const before = jobStatus(job.facts);
  const foreach =
    task.item !== null || task.node.foreach ? findForeach(tx, job, task.replica, task.node.id) : undefined;
  const stopped = foreach?.phase === 'stop' || foreach?.phase === 'stopped';
  if (!FAILED.has(from)) return { from, retried: false };
  if (
    !findRemainingFailure(tx, job, search(job.seq), {
      except: taskId,
      revived: stopped ? { replica: task.replica, node: task.node.id } : null,
    })
  )
    return 'more';
  if (!retryTask(tx, task, 'hand')) return { from, retried: false };
  if (foreach && stopped) {
    touchForeach(tx, foreach);
    foreach.phase = 'revive';
    dropForeachWork(tx, foreach);
  }
  reopen(tx, job);
  note?.(tx.db, {
    action: 'task.retry',
    target: `task:${taskId}`,
    before: { state: from, jobStatus: before },
    after: { state: task.facts.state, attempt: task.facts.attempt, jobStatus: jobStatus(job.facts) },
  });
  return { from, retried: true };
}

const FAILED: ReadonlySet<TaskState> = new Set(['FAILED', 'SCHEDULE_TIMEOUT', 'RUN_TIMEOUT']);

/** The job goes on. */
function reopen(tx: Transaction, job: JobRecord): void {
  touchJob(tx, job);
  job.retriedAt = tx.now;
  job.killedAt = null;
  job.replicaDeadline = job.replicaTimeoutSeconds === null ? null : tx.now + job.replicaTimeoutSeconds * 1000;
}
