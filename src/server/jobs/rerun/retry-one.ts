import type { TaskState } from '../../../contract/vocabulary.ts';
import type { AuditNote } from '../../access/port.ts';
import { jobStatus } from '../../machine/job.ts';
import { findFan, touchFan, type Fan } from '../fan/record.ts';
import { dropWork } from '../fan/work.ts';
import { flushTasks } from '../flush.ts';
import type { JobRecord, TaskRecord } from '../records.ts';
import type { TaskRow } from '../rows.ts';
import { retryTask } from '../settle.ts';
import { loadJob, loadTask, touchJob, type Unit } from '../unit.ts';
import * as sql from './sql.ts';

/**
 * Makes one FAILED or timed-out task READY with a fresh allowance. One of a list that was stopped brings those back that
 * were stopped with it. Gives the state that it was in; null: there is no such task.
 */
export function retryOne(unit: Unit, taskId: string, note?: AuditNote): { from: TaskState; retried: boolean } | null {
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
  if (!retryTask(unit, task, 'hand')) return { from, retried: false };
  if (fan && stopped) {
    touchFan(unit, fan);
    fan.phase = 'revive';
    dropWork(unit, fan);
  }
  reopen(unit, job, task, stopped ? fan : undefined);
  note?.(unit.db, { action: 'task.retry', target: `task:${taskId}`, before: { state: from, jobStatus: before }, after: { state: task.facts.state, attempt: task.facts.attempt, jobStatus: jobStatus(job.facts) } });
  return { from, retried: true };
}

interface OtherFailure {
  id: string;
  node: string;
  code: string | null;
  message: string | null;
  at: number | null;
}

/** The job goes on. If another task has failed it, that is its failure now. */
function reopen(unit: Unit, job: JobRecord, task: TaskRecord, revived: Fan | undefined): void {
  flushTasks(unit, job);
  touchJob(unit, job);
  const collecting = [...job.plan.nodes.values()].filter(({ fan }) => fan?.collect).map(({ id }) => id);
  const other = unit.db.query<OtherFailure>(sql.otherFailure(collecting.length)).get(job.seq, ...collecting, revived ? task.replica : -1, task.node.id);
  job.retriedAt = unit.now;
  job.killedAt = null;
  job.failure = other ? { taskId: other.id, node: other.node, taskCode: other.code ?? '', taskMessage: other.message ?? '' } : null;
  job.failureAt = other?.at ?? null;
  job.replicaDeadline = job.replicaTimeoutSeconds === null ? null : unit.now + job.replicaTimeoutSeconds * 1000;
}
