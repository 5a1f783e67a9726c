import type { TaskState } from '../../../contract/vocabulary.ts';
import type { AuditNote } from '../../access/port.ts';
import { jobStatus } from '../../machine/job.ts';
import { findFailure, type Seek } from './remaining-failure.ts';
import { findFan, touchFan } from '../foreach/records.ts';
import { dropWork } from '../foreach/run-foreach.ts';
import { flushTasks } from '../engine/flush.ts';
import type { JobRecord } from '../engine/records.ts';
import type { TaskRow } from '../engine/rows.ts';
import { retryTask } from './complete-task.ts';
import { loadJob, loadTask, touchJob, type Unit } from '../engine/transaction.ts';
import * as sql from '../rerun/sql.ts';

/**
 * Makes one FAILED or timed-out task READY with a fresh allowance. One of a list that was stopped brings those back that
 * were stopped with it. Gives the state that it was in; null: there is no such task. 'more': what fails the job without it
 * is still looked for, nothing has changed, and another turn has to call this again.
 */
export function retryOne(
  unit: Unit,
  taskId: string,
  seek: (job: number) => Seek,
  note?: AuditNote,
): { from: TaskState; retried: boolean } | 'more' | null {
  const known = unit.db.query<TaskRow>(sql.TASK_BY_ID).get(taskId);
  if (!known) return null;
  const job = loadJob(unit, known.job);
  flushTasks(unit, job);
  const row = unit.db.query<TaskRow>(sql.TASK_BY_ID).get(taskId);
  if (!row) return null;
  const task = loadTask(unit, row);
  const from = task.facts.state;
  const before = jobStatus(job.facts);
  const fan = task.item !== null || task.node.fan ? findFan(unit, job, task.replica, task.node.id) : undefined;
  const stopped = fan?.phase === 'stop' || fan?.phase === 'stopped';
  if (!FAILED.has(from)) return { from, retried: false };
  if (
    !findFailure(unit, job, seek(job.seq), {
      except: taskId,
      revived: stopped ? { replica: task.replica, node: task.node.id } : null,
    })
  )
    return 'more';
  if (!retryTask(unit, task, 'hand')) return { from, retried: false };
  if (fan && stopped) {
    touchFan(unit, fan);
    fan.phase = 'revive';
    dropWork(unit, fan);
  }
  reopen(unit, job);
  note?.(unit.db, {
    action: 'task.retry',
    target: `task:${taskId}`,
    before: { state: from, jobStatus: before },
    after: { state: task.facts.state, attempt: task.facts.attempt, jobStatus: jobStatus(job.facts) },
  });
  return { from, retried: true };
}

const FAILED: ReadonlySet<TaskState> = new Set(['FAILED', 'SCHEDULE_TIMEOUT', 'RUN_TIMEOUT']);

/** The job goes on. */
function reopen(unit: Unit, job: JobRecord): void {
  touchJob(unit, job);
  job.retriedAt = unit.now;
  job.killedAt = null;
  job.replicaDeadline = job.replicaTimeoutSeconds === null ? null : unit.now + job.replicaTimeoutSeconds * 1000;
}
