import type { JobStatus } from '../../../contract/vocabulary.ts';
import { Fault } from '../../../lib/fault.ts';
import type { AuditNote } from '../../access/port.ts';
import { jobStatus } from '../../state-machines/job.ts';
import { FAILED_STATES, hasFailed } from '../../state-machines/task.ts';
import { beginFailureSearch, findJobFailure } from './find-job-failure.ts';
import type { JobRecord, FailureSearch } from '../engine/records.ts';
import { flushTasks, touchJob } from '../engine/transaction.ts';
import type { TaskRow } from '../engine/rows.ts';
import { INPUT_OF_TASK, TASK_BY_ID, TASKS_IN_STATE } from '../engine/sql.ts';
import { damageIn, dataDamaged } from '../../store/whole.ts';
import { loadJob, loadTask } from '../engine/load-records.ts';
import type { Engine, Memory, Transaction } from '../engine/port.ts';
import { runInSlices, type SliceResult } from '../engine/run-in-slices.ts';
import { findForeach, touchForeach } from '../foreach/records.ts';
import { cancelForeachWork } from '../foreach/run-foreach.ts';
import { retryTask } from './retry.ts';

/** FAILED and timed-out tasks become READY with a fresh allowance. */
export async function retryJob(
  engine: Engine,
  seq: number,
  note?: AuditNote,
): Promise<{ retriedTasks: number; status: JobStatus }> {
  const { changed, status } = await runInSlices(
    engine,
    (tx, cursor) => retryJobSlice(tx, seq, cursor),
    (db, { jobId, before, status: now, changed: retriedTasks }) =>
      retriedTasks > 0 &&
      note?.(db, {
        action: 'job.retry',
        target: `job:${jobId}`,
        before: { status: before },
        after: { status: now, retriedTasks },
      }),
  );
  return { retriedTasks: changed, status };
}

/**
 * Retries up to `most` failed and timed-out tasks after `cursor`: in the order of `seq`, so that one that fails again
 * meanwhile is not retried twice. A kill in between is the last word: nothing is retried any more.
 */
export function retryJobSlice(
  tx: Transaction,
  seq: number,
  cursor: number,
  most: number = tx.memory.turnBudget.steps,
): SliceResult {
  const job = loadJob(tx, seq);
  const before = jobStatus(job.facts);
  if (cursor > 0 && job.killedAt !== null) return { jobId: job.id, before, status: before, changed: 0, cursor: null };
  flushTasks(tx, job);
  const rows = FAILED_STATES.flatMap((state) => tx.db.query<TaskRow>(TASKS_IN_STATE).all(state, seq, cursor, most));
  const tasks = rows
    .sort((a, b) => a.seq - b.seq)
    .slice(0, most)
    .map((row) => loadTask(tx, row));
  if (cursor === 0 && tasks.length > 0) reopenJob(tx, job);
  const changed = tasks.filter((task) => retryTask(tx, task, 'hand')).length;
  const last = tasks.at(-1)?.seq ?? cursor;
  // What failed it is looked at when all were retried: some may have failed again by then.
  const isOver = tasks.length < most && (last === 0 || findJobFailure(tx, job, failureSearchOf(tx, seq)));
  return { jobId: job.id, before, status: jobStatus(job.facts), changed, cursor: isOver ? null : last };
}

/** The search of the retry of a whole job, which an earlier turn may have begun. */
function failureSearchOf({ memory }: Transaction, job: number): FailureSearch {
  for (const search of memory.failureSearches) if (search.ofWholeJob && search.job === job) return search;
  return beginFailureSearch(memory, job, true);
}

/** What a retry by hand takes back: the end and the kill; a time limit of replicas starts anew, and so does what its duration is counted from. */
function reopenJob(tx: Transaction, job: JobRecord): void {
  touchJob(tx, job);
  job.retriedAt = tx.now;
  job.killedAt = null;
  job.replicaDeadline = job.replicaTimeoutSeconds === null ? null : tx.now + job.replicaTimeoutSeconds * 1000;
}

/**
 * Makes one FAILED or timed-out task READY with a fresh allowance; turn after turn while what fails the job without it is
 * still looked for. Throws TASK_NOT_FOUND, TASK_NOT_FAILED, and DATA_DAMAGED for its input.
 */
export async function retryOneTask(
  engine: Engine,
  memory: Pick<Memory, 'failureSearches'>,
  taskId: string,
  note?: AuditNote,
): Promise<void> {
  let search: FailureSearch | null = null;
  const searchOf = (job: number) => (search ??= beginFailureSearch(memory, job, false));
  try {
    let done: boolean | Fault;
    do done = await engine.enqueue(1, (tx) => retryFoundTask(tx, taskId, searchOf, note));
    while (done === false);
    if (done instanceof Fault) throw done;
  } finally {
    if (search) memory.failureSearches.delete(search);
  }
}

/** One of a list that was stopped brings those back that were stopped with it. False: nothing has changed yet, and another turn goes on with the search. What it refuses is returned, as a throw would undo the whole turn. */
function retryFoundTask(
  tx: Transaction,
  taskId: string,
  search: (job: number) => FailureSearch,
  note: AuditNote | undefined,
): boolean | Fault {
  const known = tx.db.query<TaskRow>(TASK_BY_ID).get(taskId);
  if (!known) return new Fault('TASK_NOT_FOUND', `task ${taskId} not found`);
  const job = loadJob(tx, known.job);
  flushTasks(tx, job);
  const task = loadTask(tx, tx.db.query<TaskRow>(TASK_BY_ID).get(taskId) ?? known);
  const from = task.facts.state;
  const before = jobStatus(job.facts);
  if (!hasFailed(from))
    return new Fault(
      'TASK_NOT_FAILED',
      `the task is ${from}; only FAILED, SCHEDULE_TIMEOUT and RUN_TIMEOUT tasks can be retried`,
      { extra: { state: from } },
    );
  const damaged = damageIn(tx.db.query<{ input_text: string | null }>(INPUT_OF_TASK).get(task.seq)?.input_text);
  if (damaged !== null) return dataDamaged(damaged);
  const foreach =
    task.item !== null || task.node.foreach ? findForeach(tx, job, task.replica, task.node.id) : undefined;
  const stopped = foreach?.phase === 'stop' || foreach?.phase === 'stopped';
  const revived = stopped ? { replica: task.replica, node: task.node.id } : null;
  if (!findJobFailure(tx, job, search(job.seq), { except: taskId, revived })) return false;
  retryTask(tx, task, 'hand');
  if (foreach && stopped) {
    touchForeach(tx, foreach);
    foreach.phase = 'revive';
    cancelForeachWork(tx, foreach);
  }
  reopenJob(tx, job);
  note?.(tx.db, {
    action: 'task.retry',
    target: `task:${taskId}`,
    before: { state: from, jobStatus: before },
    after: { state: task.facts.state, attempt: task.facts.attempt, jobStatus: jobStatus(job.facts) },
  });
  return true;
}
