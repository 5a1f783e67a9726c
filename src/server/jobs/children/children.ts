import { Fault } from '../../../lib/fault.ts';
import type { ReadHandle } from '../../store/port.ts';
import { flushTasks } from '../engine/transaction.ts';
import { killJob } from '../lifecycle/kill.ts';
import { jobResultOrDamage } from '../lifecycle/job-result.ts';
import type { JobResult } from '../port.ts';
import type { TaskRecord } from '../engine/records.ts';
import type { JobRow, TaskRow } from '../engine/rows.ts';
import { completeTask } from '../lifecycle/complete-task.ts';
import { JOB_BY_SEQ, TASK_BY_SEQ } from '../engine/sql.ts';
import { endInputCheck } from './start-child.ts';
import * as sql from './sql.ts';
import type { ChildRow } from './sql.ts';
import { loadJob, loadTask } from '../engine/load-records.ts';
import { applyTaskEvent } from '../engine/apply-task-event.ts';
import type { CheckInThread, Children } from './port.ts';
import type { Transaction, Engine, ChildCheck } from '../engine/port.ts';
import { failTask } from '../lifecycle/retry.ts';

const SLICE = 100;
/** The end of a child costs as much as that of some tasks: it reads its outputs, and makes its parent's successors. */
const WEIGHT = 6;
/** Rounds of waiting for what follows from an end; more than children can be deep. */
const LEVELS = 20;

export function createChildren({
  engine,
  read,
  checkInThread,
  onError,
}: {
  engine: Engine;
  read: ReadHandle;
  checkInThread: CheckInThread | undefined;
  onError(error: unknown): void;
}): Children {
  const busy = new Set<Promise<unknown>>();
  let refused: (() => Promise<unknown>)[] = [];

  /** What the store refuses (a full disk) is done with the next periodic check: nobody else would come back to it. */
  function meanwhile(work: () => Promise<unknown>): void {
    const failed = (error: unknown) =>
      error instanceof Fault && error.code === 'STORE_UNAVAILABLE' ? void refused.push(work) : onError(error);
    const done = work()
      .catch(failed)
      .finally(() => busy.delete(done));
    busy.add(done);
  }

  /** The task does not wait any more, so the child has nobody to run for. */
  async function killChild({ task, job }: ChildRow): Promise<void> {
    await killJob(engine, job, 'the parent task has finished');
    await engine.enqueue(1, (tx) => tx.db.statement(sql.END_CHILD).run(task, job));
  }

  /** Nobody waits for it: it is noted as due until it has ended. */
  async function checkChild(one: ChildCheck): Promise<void> {
    try {
      const wrong = (await checkInThread?.(one.runnable, one.inputs)) ?? null;
      meanwhile(() => engine.enqueue(WEIGHT, (tx) => endInputCheck(tx, one, wrong)));
    } catch (error) {
      // The thread had no room, or ended: with the next periodic check.
      refused.push(() => checkChild(one));
      if (!(error instanceof Fault)) onError(error);
    }
  }

  function check(link: ChildRow): void {
    const row = read.query<TaskRow>(TASK_BY_SEQ).get(link.task);
    if (row?.state === 'RUNNING' && row.worker_id === null)
      meanwhile(() => engine.enqueue(WEIGHT, (tx) => endChild(tx, link.job)));
    else meanwhile(() => killChild(link));
  }

  return {
    afterCommit({ jobs, effects }) {
      for (const { kind, facts, seq } of jobs.keys())
        if (kind === 'child' && facts.finishedAt !== null)
          meanwhile(() => engine.enqueue(WEIGHT, (tx) => endChild(tx, seq)));
      for (const one of effects.childChecks) void checkChild(one);
      for (const seq of effects.orphanedTasks) {
        const link = read.query<ChildRow>(sql.CHILD_OF_TASK).get(seq);
        if (link) meanwhile(() => killChild(link));
      }
    },
    async timeOut(now) {
      const again = refused;
      refused = [];
      again.forEach(meanwhile);
      while (read.query(sql.OVERDUE).get(now, 1))
        if ((await engine.enqueue(SLICE, (tx) => endRuns(tx, now))) === 0) break;
    },
    async recover() {
      for (let after = 0; ;) {
        const links = read.query<ChildRow>(sql.WAITING).all(after, SLICE);
        for (const link of links) check(link);
        const last = links.at(-1);
        if (!last || links.length < SLICE) return;
        after = last.task;
        await Promise.all(busy);
      }
    },
    async idle() {
      // The end of one may be the beginning of others, a level further down.
      for (let level = 0; level < LEVELS && busy.size > 0; level++) await Promise.all(busy);
    },
  };
}

/** A child job has ended: the task that waited for it has its output, or fails. */
function endChild(tx: Transaction, seq: number): void {
  const link = tx.db.query<ChildRow>(sql.CHILD_OF_JOB).get(seq);
  const row = link && tx.db.query<JobRow>(JOB_BY_SEQ).get(seq);
  if (!link || !row || row.finished_at === null) return;
  const task = waitingTask(tx, link);
  tx.db.statement(sql.END_CHILD).run(link.task, seq);
  if (!task) return;
  const outcome = jobResultOrDamage(tx.db, row);
  if (outcome.failure === null) completeTask(tx, task, outcome.outputText ?? 'null', tx.now, null);
  else failTask(tx, task, tx.now, failureOf(tx, outcome.failure));
}

/** A retry calls the workflow anew; where the child failed by what no retry mends, neither does that, however deep it was. */
function failureOf(tx: Transaction, { taskId, node, taskCode, taskMessage }: NonNullable<JobResult['failure']>) {
  const retryable = tx.db.query<{ error_retryable: number | null }>(sql.RETRYABLE).get(taskId)?.error_retryable === 1;
  return {
    code: 'TASK_ERROR',
    // Without its ID, which is shown beside the message to those who may see that job: it may be of another project.
    message: `child job failed: node ${node} failed with ${taskCode}: ${taskMessage}`,
    retryable,
  };
}

function waitingTask(tx: Transaction, link: ChildRow): TaskRecord | null {
  flushTasks(tx, loadJob(tx, link.parent));
  const row = tx.db.query<TaskRow>(TASK_BY_SEQ).get(link.task);
  return row?.state === 'RUNNING' && row.worker_id === null ? loadTask(tx, row) : null;
}

function endRuns(tx: Transaction, over: number): number {
  let ended = 0;
  for (const link of tx.db.query<ChildRow>(sql.OVERDUE).all(over, SLICE)) {
    const task = waitingTask(tx, link);
    if (
      task &&
      applyTaskEvent(tx, task, {
        on: 'run-timeout',
        at: tx.now,
        message: `the child job exceeded the run timeout of ${task.node.runTimeoutMs / 1000} s`,
      })
    )
      ended++;
  }
  return ended;
}
