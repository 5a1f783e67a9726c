import { Fault } from '../../../lib/fault.ts';
import type { ReadHandle } from '../../store/port.ts';
import type { Engine } from '../engine/engine.ts';
import { flushTasks } from '../engine/flush.ts';
import { killJob } from '../lifecycle/kill.ts';
import { outcomeOf } from '../lifecycle/job-result.ts';
import type { Outcome } from '../port.ts';
import type { TaskRecord } from '../engine/records.ts';
import type { JobRow, TaskRow } from '../engine/rows.ts';
import { complete, fail } from '../lifecycle/complete-task.ts';
import { JOB_BY_SEQ } from '../engine/sql.ts';
import { loadJob, loadTask, step, type Unit } from '../engine/transaction.ts';
import type { CheckApart, ChildCheck } from './check.ts';
import { endCheck } from './start-child.ts';
import * as sql from './sql.ts';
import type { ChildRow } from './sql.ts';

const SLICE = 100;
/** The end of a child costs as much as that of some tasks: it reads its outputs, and makes its parent's successors. */
const WEIGHT = 6;
/** Rounds of waiting for what follows from an end; more than children can be deep. */
const LEVELS = 20;

/** Child jobs and the tasks that wait for them: the end of the one is the end of the other. */
export interface Children {
  /** After a commit: settles the parents of children that ended in it, and kills the children of parents that did. */
  after(unit: Unit): void;
  /** Tasks whose run time is over, and what the store refused. */
  sweep(now: number): Promise<void>;
  /** After a restart of the master: what ended while nobody looked. */
  recover(): Promise<void>;
  /** Waits for what is under way. */
  idle(): Promise<void>;
}

export function createChildren({
  engine,
  read,
  checkApart,
  onError,
}: {
  engine: Engine;
  read: ReadHandle;
  checkApart: CheckApart | undefined;
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
    await killJob(engine, job, 'the end of the task that called it');
    await engine.enqueue(1, (unit) => unit.db.statement(sql.END_CHILD).run(task, job));
  }

  /** Nobody waits for it: it is noted as due until it has ended. */
  async function checkChild(one: ChildCheck): Promise<void> {
    try {
      const wrong = (await checkApart?.(one.runnable, one.inputs)) ?? null;
      meanwhile(() => engine.enqueue(WEIGHT, (unit) => endCheck(unit, one, wrong)));
    } catch (error) {
      // The thread had no room, or ended: with the next periodic check.
      refused.push(() => checkChild(one));
      if (!(error instanceof Fault)) onError(error);
    }
  }

  function check(link: ChildRow): void {
    const row = read.query<TaskRow>(sql.TASK_BY_SEQ).get(link.task);
    if (row?.state === 'RUNNING' && row.worker_id === null)
      meanwhile(() => engine.enqueue(WEIGHT, (unit) => endChild(unit, link.job)));
    else meanwhile(() => killChild(link));
  }

  return {
    after({ jobs, effects }) {
      for (const { kind, facts, seq } of jobs.keys())
        if (kind === 'child' && facts.finishedAt !== null)
          meanwhile(() => engine.enqueue(WEIGHT, (unit) => endChild(unit, seq)));
      for (const one of effects.childChecks) void checkChild(one);
      for (const seq of effects.orphaned) {
        const link = read.query<ChildRow>(sql.CHILD_OF_TASK).get(seq);
        if (link) meanwhile(() => killChild(link));
      }
    },
    async sweep(now) {
      const again = refused;
      refused = [];
      again.forEach(meanwhile);
      while (read.query(sql.OVERDUE).get(now, 1))
        if ((await engine.enqueue(SLICE, (unit) => endRuns(unit, now))) === 0) break;
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
function endChild(unit: Unit, seq: number): void {
  const link = unit.db.query<ChildRow>(sql.CHILD_OF_JOB).get(seq);
  const row = link && unit.db.query<JobRow>(JOB_BY_SEQ).get(seq);
  if (!link || !row || row.finished_at === null) return;
  const task = waitingTask(unit, link);
  unit.db.statement(sql.END_CHILD).run(link.task, seq);
  if (!task) return;
  const outcome = outcomeOf(unit.db, row);
  if (outcome.failure === null) complete(unit, task, outcome.outputText ?? 'null', unit.now, null);
  else fail(unit, task, unit.now, failureOf(unit, outcome.jobId, outcome.failure));
}

/** A retry calls the workflow anew; where the child failed by what no retry mends, neither does that, however deep it was. */
function failureOf(
  unit: Unit,
  jobId: string,
  { taskId, node, taskCode, taskMessage }: NonNullable<Outcome['failure']>,
) {
  const retryable = unit.db.query<{ error_retryable: number | null }>(sql.RETRYABLE).get(taskId)?.error_retryable === 1;
  return {
    code: 'TASK_ERROR',
    message: `child job ${jobId} failed: the node ${node} failed with ${taskCode}: ${taskMessage}`,
    retryable,
  };
}

function waitingTask(unit: Unit, link: ChildRow): TaskRecord | null {
  flushTasks(unit, loadJob(unit, link.parent));
  const row = unit.db.query<TaskRow>(sql.TASK_BY_SEQ).get(link.task);
  return row?.state === 'RUNNING' && row.worker_id === null ? loadTask(unit, row) : null;
}

function endRuns(unit: Unit, over: number): number {
  let ended = 0;
  for (const link of unit.db.query<ChildRow>(sql.OVERDUE).all(over, SLICE)) {
    const task = waitingTask(unit, link);
    if (
      task &&
      step(unit, task, {
        on: 'run-timeout',
        at: unit.now,
        message: `the child job took longer than ${task.node.runTimeoutMs / 1000} s`,
      })
    )
      ended++;
  }
  return ended;
}
