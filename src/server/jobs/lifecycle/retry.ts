import { backOffIsOver } from '../../machine/task.ts';
import type { ReadHandle } from '../../store/port.ts';
import { acceptsHandler } from '../queue/assigner.ts';
import type { TaskRecord } from '../engine/records.ts';
import type { TaskRow } from '../engine/rows.ts';
import { retryTask } from './complete-task.ts';
import { DUE_RETRIES } from '../engine/sql.ts';
import { loadTask } from '../engine/load-records.ts';
import type { WorkerPool } from '../queue/port.ts';
import type { Memory, Transaction, Engine } from '../engine/port.ts';

/** Weight of a slice: it has a turn of its own. Turns of one check in which none could be retried. */
const WEIGHT = 200;
const IDLE_TURNS = 20;

export const START = { at: 0, seq: 0 } as const;

interface RetryDeps {
  readonly engine: Engine;
  readonly read: ReadHandle;
  readonly memory: Memory;
  readonly workerPool: WorkerPool;
}

/**
 * Makes FAILED tasks READY whose back-off is over. A retry needs a worker that is healthy and available, and has
 * registered the handler where the task needs one; those that have none are passed over and hold nobody else up. Where
 * they are many, the next check goes on where this one ended.
 */
export const retryDue = (deps: RetryDeps, now: number): Promise<void> => walkRetries(deps, 'retryCursor', START, now);

/**
 * The same, while the clock is set back, for tasks that failed later than now: they would wait for as long as it was set
 * back. They are somewhere among those that are due later, so that a check looks at some of these.
 */
export async function retryAhead(deps: RetryDeps, now: number): Promise<void> {
  if (deps.memory.totals.retrying > 0)
    await walkRetries(deps, 'retryAheadCursor', { at: now, seq: Number.MAX_SAFE_INTEGER }, Number.MAX_SAFE_INTEGER);
}

async function walkRetries(
  { engine, read, memory, workerPool }: RetryDeps,
  place: 'retryCursor' | 'retryAheadCursor',
  start: Memory['retryCursor'],
  until: number,
): Promise<void> {
  if (memory[place].at < start.at) memory[place] = start;
  const any = () => read.query(DUE_RETRIES).get(until, memory[place].at, memory[place].seq, 1) !== undefined;
  let wrapped = memory[place].at === start.at;
  for (let idle = 0; idle < IDLE_TURNS;) {
    if (!any()) {
      memory[place] = start;
      if (wrapped) return;
      wrapped = true;
      continue;
    }
    const retried = await engine.enqueue(WEIGHT, (tx) => retrySlice(tx, workerPool, place, until));
    if (retried === 0) idle++;
  }
}

function retrySlice(
  tx: Transaction,
  workerPool: WorkerPool,
  place: 'retryCursor' | 'retryAheadCursor',
  until: number,
): number {
  const { memory } = tx;
  const rows = tx.db
    .query<TaskRow>(DUE_RETRIES)
    .all(until, memory[place].at, memory[place].seq, memory.turnBudget.steps);
  const last = rows.at(-1);
  if (last) memory[place] = { at: last.retry_at ?? 0, seq: last.seq };
  return rows.filter((row) => {
    if (!backOffIsOver({ retryAt: row.retry_at, finishedAt: row.finished_at }, tx.now)) return false;
    const task = loadTask(tx, row);
    return hasWorkerFor(workerPool, task) && retryTask(tx, task, 'check');
  }).length;
}

function hasWorkerFor(workerPool: WorkerPool, { node }: TaskRecord): boolean {
  // A task that calls a workflow is run by the master itself.
  if (node.child !== null) return true;
  for (const worker of workerPool.workers()) if (worker.accepting && acceptsHandler(worker, node.handler)) return true;
  return false;
}
