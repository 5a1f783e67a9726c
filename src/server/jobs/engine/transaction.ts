import type { Limits } from '../../../contract/limits.ts';
import type { Environment, TaskState } from '../../../contract/vocabulary.ts';
import { Fault } from '../../../lib/fault.ts';
import { countTask, uncountTask } from '../../machine/job.ts';
import { isFinallyFailed, nextTask, type TaskEvent, type TaskFacts } from '../../machine/task.ts';
import type { WriteHandle } from '../../store/port.ts';
import type { WorkerPool } from '../queue/worker-pool.ts';
import type { Assigner } from '../queue/assigner.ts';
import type { FinalFailure } from '../failures/note.ts';
import { historyLine } from './history.ts';
import { jobFromRow, taskFromRow, type Memory, type Totals } from './memory.ts';
import type { Plan } from './plan.ts';
import type { Endpoint } from '../../workflows/port.ts';
import type { ChildCheck } from '../children/check.ts';
import type { ForeachRecord } from '../foreach/records.ts';
import { countItemEvent } from '../foreach/count-items.ts';
import type { JobRecord, TaskRecord } from './records.ts';
import type { JobRow, TaskRow } from './rows.ts';
import { DROP_TASK, JOB_BY_SEQ } from './sql.ts';

/** An attempt that ended in this turn, for metrics and for the worker's record. */
export interface EndedAttempt {
  readonly task: TaskRecord;
  readonly facts: TaskFacts;
  readonly workerId: string;
  /** Set by `settle` where it completed. */
  outputText: string | null;
}

/** What is done once the turn is committed. */
export interface Effects {
  readonly leases: { readonly workerId: string; readonly task: TaskRecord; readonly inputText: string }[];
  readonly kills: { readonly workerId: string; readonly ids: readonly string[]; readonly reason: string }[];
  readonly lostLeases: { readonly workerId: string; readonly id: string; readonly attempt: number }[];
  readonly endedAttempts: EndedAttempt[];
  /** Tasks that waited for their child job and were ended meanwhile: the child is to be killed. */
  readonly orphanedTasks: number[];
  /** Workers that got room otherwise than by the end of a task. */
  readonly freedWorkers: string[];
  /** Tasks that failed for good, other than by a kill. */
  readonly failures: FinalFailure[];
  /** Inputs of children that are to be checked apart. */
  readonly childChecks: ChildCheck[];
  /** Output of jobs of one replica, by job seq. */
  readonly outputs: Map<number, string>;
}

/**
 * One turn of the engine: a tx of work over the records in memory and the rows of one transaction. Records are
 * changed at once and written by `flush`, each row once however many steps it took; `undo` puts memory back as it was
 * where the transaction is rolled back, so a turn may be run again.
 */
export interface Transaction {
  readonly db: WriteHandle;
  readonly memory: Memory;
  readonly workerPool: WorkerPool;
  readonly limits: Readonly<Limits>;
  readonly now: number;
  readonly random: () => number;
  readonly plan: (workflowId: string, commit: string) => Plan;
  /** What a workflow node calls. */
  readonly endpoint: (workflowId: string, environment: Environment) => Endpoint;
  /** Somebody checks inputs by costly schemas off the event loop. */
  readonly checksApart: boolean;
  readonly effects: Effects;
  /** Records touched in this turn, with what they were before. */
  readonly tasks: Map<TaskRecord, TaskRecord>;
  readonly jobs: Map<JobRecord, JobRecord>;
  readonly dirty: Set<TaskRecord>;
  /** Changes of `memory.counts`, taken over after the commit. */
  readonly counts: Map<
    string,
    { block: number; workflowId: string; environment: string; status: JobRow['status']; jobs: number }
  >;
  /** ForeachRecord-outs touched in this turn, with what they were before. */
  readonly foreachRecords: Map<ForeachRecord, ForeachRecord>;
  /** READY tasks that call a workflow, to be started at the end of the turn. */
  readonly childStarts: { readonly task: TaskRecord; readonly inputText: string | null }[];
  readonly undo: (() => void)[];
  /** The workers as this turn sees them; made where something is handed out. */
  assigner: Assigner | null;
  /** Something waits that another turn may hand out. */
  needsAnotherTurn: boolean;
}

export type TransactionDeps = Pick<
  Transaction,
  'memory' | 'workerPool' | 'limits' | 'random' | 'plan' | 'endpoint' | 'checksApart'
>;

export function beginTransaction(db: WriteHandle, deps: TransactionDeps, now: number): Transaction {
  const totals: Totals = { ...deps.memory.totals };
  return {
    ...deps,
    db,
    now,
    effects: {
      leases: [],
      kills: [],
      lostLeases: [],
      endedAttempts: [],
      orphanedTasks: [],
      freedWorkers: [],
      failures: [],
      childChecks: [],
      outputs: new Map(),
    },
    tasks: new Map(),
    jobs: new Map(),
    dirty: new Set(),
    counts: new Map(),
    foreachRecords: new Map(),
    childStarts: [],
    undo: [() => Object.assign(deps.memory.totals, totals)],
    assigner: null,
    needsAnotherTurn: false,
  };
}

/** Call before a task's record is changed. */
export function touchTask(tx: Transaction, task: TaskRecord): void {
  if (!tx.tasks.has(task)) tx.tasks.set(task, { ...task });
  tx.dirty.add(task);
}

/** Call before a job's record is changed. */
export function touchJob(tx: Transaction, job: JobRecord): void {
  if (!tx.jobs.has(job)) tx.jobs.set(job, { ...job });
}

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

/** Counts a task in its job: a step, or (before = null) its birth. */
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

/** A withheld task may be handed out from now on: call `place` next, or take a step with it. */
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
  memory.leased.set(task.id, task);
  task.job.held++;
  memory.concurrencyLimits.acquire(task.job);
  if (worker) worker.load++;
  undo.push(() => {
    memory.leased.delete(task.id);
    memory.concurrencyLimits.release(task.job);
    if (worker) worker.load--;
  });
}

function releaseLease(tx: Transaction, task: TaskRecord, before: TaskFacts, event: TaskEvent): void {
  const { memory, workerPool, undo, effects } = tx;
  const { workerId } = before;
  const byMaster = event.on === 'kill' || event.on === 'run-timeout' || event.on === 'replica-timeout';
  if (workerId === null) {
    if (byMaster) effects.orphanedTasks.push(task.seq);
    return;
  }
  const worker = workerPool.worker(workerId);
  memory.leased.delete(task.id);
  task.job.held--;
  memory.concurrencyLimits.release(task.job);
  if (worker) worker.load--;
  undo.push(() => {
    memory.leased.set(task.id, task);
    memory.concurrencyLimits.acquire(task.job);
    if (worker) worker.load++;
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
  task.facts = { ...task.facts, workerId: null };
  memory.leased.delete(task.id);
  task.job.held--;
  memory.concurrencyLimits.release(task.job);
  if (worker) worker.load--;
  if (memory.deferredTasks.delete(task)) undo.push(() => void memory.deferredTasks.add(task));
  undo.push(() => {
    memory.leased.set(task.id, task);
    memory.concurrencyLimits.acquire(task.job);
    if (worker) worker.load++;
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

/** The job's record, from memory or read in. */
export function loadJob(tx: Transaction, seq: number): JobRecord {
  const known = tx.memory.jobs.get(seq);
  if (known) return known;
  const row = tx.db.query<JobRow>(JOB_BY_SEQ).get(seq);
  // It was there when the caller looked: old jobs are removed at any time.
  if (!row) throw new Fault('JOB_NOT_FOUND', 'the job was removed');
  const job = jobFromRow(row, tx.plan(row.workflow_id, row.commit_hash));
  tx.memory.jobs.set(seq, job);
  tx.memory.jobsById.set(job.id, job);
  touchJob(tx, job);
  return job;
}

/** The task's record: the one in memory, or made from its row. Flush before reading rows. */
export function loadTask(tx: Transaction, row: TaskRow): TaskRecord {
  return tx.memory.leased.get(row.id) ?? tx.memory.queue.get(row.id) ?? taskFromRow(row, loadJob(tx, row.job));
}
