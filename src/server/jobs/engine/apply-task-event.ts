import type { TaskState } from '../../../contract/vocabulary.ts';
import { countTask, uncountTask } from '../../state-machines/job.ts';
import { isFinallyFailed, nextTask, type TaskEvent, type TaskFacts } from '../../state-machines/task.ts';
import { historyLine } from '../../state-machines/task-history.ts';
import { countItemEvent } from '../foreach/count-items.ts';
import { addLoad, leaseKind } from '../queue/assigner.ts';
import { dropWait } from '../waits/drop-wait.ts';
import type { TaskRecord } from './records.ts';
import { DROP_TASK } from './sql.ts';
import { touchTask, touchJob } from './transaction.ts';
import type { Totals, Transaction } from './port.ts';

/** Applies an event; false where the state does not allow it, and then nothing changed. */
export function applyTaskEvent(tx: Transaction, task: TaskRecord, event: TaskEvent): boolean {
  const before = task.facts;
  const taken = nextTask(before, event);
  if (!taken) return false;
  touchTask(tx, task);
  const wasWithheld = task.withheld;
  if (wasWithheld) releaseTask(tx, task);
  const after = taken.facts;
  task.facts = after;
  task.historyLines += historyLine(before.state, after.state, event.at, after.attempt, after.workerId, taken.reason);
  countInJob(tx, task, before, event.at);
  if (before.state === 'READY') dequeueTask(tx, task);
  else if (after.state === 'READY') {
    // Items wait for a place in their forEach, and no worker takes what the master runs.
    if (task.item !== null || task.node.child !== null) withholdTask(tx, task);
    else enqueueTask(tx, task, null, true);
  }
  const held = isExecuting(before.state);
  if (held && !isExecuting(after.state)) releaseLease(tx, task, before, event);
  else if (!held && isExecuting(after.state)) acquireLease(tx, task);
  const fails = task.item === null || countItemEvent(tx, task, before, wasWithheld, event);
  if (isFinallyFailed(after)) recordFinalFailure(tx, task, after, event.at, fails);
  return true;
}

/** Counts a task in its job: a step, or (before = null) its making. */
export function countInJob(tx: Transaction, task: TaskRecord, before: TaskFacts | null, at: number): void {
  const { job, facts } = task;
  touchJob(tx, job);
  job.facts = countTask(job.facts, before, facts, at);
  if (before) addToTotals(tx.memory.totals, before, -1);
  addToTotals(tx.memory.totals, facts, 1);
}

function addToTotals(totals: Totals, { state, retryAt }: TaskFacts, by: 1 | -1): void {
  if (state === 'READY') totals.ready += by;
  else if (state === 'SCHEDULED') totals.scheduled += by;
  else if (state === 'RUNNING') totals.running += by;
  else if (state === 'FAILED' && retryAt !== null) totals.retrying += by;
}

const isExecuting = (state: TaskState): boolean => state === 'SCHEDULED' || state === 'RUNNING';

/** Keeps a READY task in memory for the next worker that has room; where there is no place, it waits in the database alone. */
export function enqueueTask(tx: Transaction, task: TaskRecord, inputText: string | null, begun: boolean): void {
  const { queue } = tx.memory;
  if (!queue.get(task.id) && !keepInQueue(tx, task, inputText, begun)) queue.leaveInDatabase(task);
}

/** False where the queue in memory has no room for it. */
export function keepInQueue(tx: Transaction, task: TaskRecord, inputText: string | null, begun: boolean): boolean {
  const { queue } = tx.memory;
  if (!queue.add(task, inputText, begun)) return false;
  touchJob(tx, task.job);
  task.job.held++;
  tx.undo.push(() => void queue.remove(task));
  return true;
}

/** Keeps a READY task from being handed out; it is neither in the queue nor counted as one that waits for a worker. */
export function withholdTask(tx: Transaction, task: TaskRecord): void {
  touchTask(tx, task);
  dequeueTask(tx, task);
  task.withheld = true;
  tx.memory.totals.ready--;
  tx.memory.totals.withheld++;
}

/** A withheld task may be handed out from now on: call `dispatchOrEnqueue` next, or take a step with it. */
export function releaseTask(tx: Transaction, task: TaskRecord): void {
  touchTask(tx, task);
  task.withheld = false;
  tx.memory.totals.withheld--;
  tx.memory.totals.ready++;
}

/** Takes a task out of the queue in memory, if it is there. Its job was touched before. */
export function dequeueTask({ memory, undo }: Transaction, task: TaskRecord): void {
  const place = memory.queue.remove(task);
  if (place === null) return;
  task.job.held--;
  undo.push(() => void memory.queue.add(task, place.inputText, place.begun, true));
}

function acquireLease(tx: Transaction, task: TaskRecord): void {
  const { memory, workerPool, undo } = tx;
  const { workerId } = task.facts;
  // What the master runs itself is with no worker.
  if (workerId === null) return;
  const worker = workerPool.worker(workerId);
  const kind = leaseKind(tx, task);
  task.leasedAs = kind;
  memory.leased.set(task.id, task);
  task.job.held++;
  memory.concurrencyLimits.acquire(task.job);
  addLoad(worker, kind, 1);
  undo.push(() => {
    memory.leased.delete(task.id);
    memory.concurrencyLimits.release(task.job);
    addLoad(worker, kind, -1);
  });
}

function releaseLease(tx: Transaction, task: TaskRecord, before: TaskFacts, event: TaskEvent): void {
  const { memory, workerPool, undo, effects } = tx;
  const { workerId } = before;
  const byMaster = event.on === 'kill' || event.on === 'run-timeout' || event.on === 'replica-timeout';
  if (workerId === null) {
    if (task.node.wait !== null) dropWait(tx, task, event.at);
    else if (byMaster) effects.orphanedTasks.push(task.seq);
    if (task.job.trace !== null) effects.endedCalls.push({ task, facts: task.facts });
    return;
  }
  const worker = workerPool.worker(workerId);
  const kind = task.leasedAs;
  if (event.on === 'run-timeout' && task.node.computes) memory.runTimes.record(task.node, task.node.runTimeoutMs);
  memory.leased.delete(task.id);
  task.job.held--;
  memory.concurrencyLimits.release(task.job);
  addLoad(worker, kind, -1);
  undo.push(() => {
    memory.leased.set(task.id, task);
    memory.concurrencyLimits.acquire(task.job);
    addLoad(worker, kind, 1);
  });
  effects.endedAttempts.push({ task, facts: task.facts, workerId, outputText: null });
  if (byMaster)
    effects.kills.push({
      workerId,
      ids: [task.id, ...task.chain.map(({ id }) => id)],
      reason: task.facts.error?.code ?? event.on,
    });
}

/** `fails`: it fails its replica too, and so the job. */
function recordFinalFailure(
  { effects, memory }: Transaction,
  { id, seq, node, job }: TaskRecord,
  { error, workerId }: TaskFacts,
  at: number,
  fails: boolean,
): void {
  const code = error?.code ?? '';
  if (code !== 'KILLED' && job.kind !== 'draft')
    effects.failures.push({ taskId: id, node: node.id, code, message: error?.message ?? '', workerId, at, job });
  if (fails)
    for (const search of memory.failureSearches)
      if (search.job === job.seq)
        Object.assign(search, { state: 0, cursor: search.state === 0 ? Math.min(search.cursor, seq - 1) : seq - 1 });
  if (job.failure || !fails) return;
  job.failure = { taskId: id, node: node.id, taskCode: error?.code ?? '', taskMessage: error?.message ?? '' };
  job.failureAt = at;
}

/** A RUNNING task goes on without its worker, which has done its part. */
export function detachFromWorker(tx: Transaction, task: TaskRecord): void {
  const { memory, workerPool, undo, effects } = tx;
  const { workerId } = task.facts;
  if (workerId === null) return;
  touchTask(tx, task);
  touchJob(tx, task.job);
  const worker = workerPool.worker(workerId);
  const kind = task.leasedAs;
  task.facts = { ...task.facts, workerId: null };
  memory.leased.delete(task.id);
  task.job.held--;
  memory.concurrencyLimits.release(task.job);
  addLoad(worker, kind, -1);
  if (memory.deferredTasks.delete(task)) undo.push(() => void memory.deferredTasks.add(task));
  undo.push(() => {
    memory.leased.set(task.id, task);
    memory.concurrencyLimits.acquire(task.job);
    addLoad(worker, kind, 1);
  });
  effects.freedWorkers.push(workerId);
}

/** Takes a COMPLETED task out of the job and of the database, as if it had never been. */
export function deleteTask(tx: Transaction, task: TaskRecord): void {
  const { job, stored, seq } = task;
  const { memory, undo } = tx;
  touchJob(tx, job);
  job.facts = uncountTask(job.facts, task.facts);
  tx.dirty.delete(task);
  if (memory.deferredTasks.delete(task)) undo.push(() => void memory.deferredTasks.add(task));
  if (stored !== null) tx.db.statement(DROP_TASK).run(seq);
  task.job.progress?.get(task.replica)?.made.delete(task.node.id);
}
