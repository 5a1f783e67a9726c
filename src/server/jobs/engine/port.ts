import type { JobStatus, Environment } from '../../../contract/vocabulary.ts';
import type { JobRecord, TaskRecord, ForeachWork, ReplicaProgress, FailureSearch, ForeachRecord } from './records.ts';
import type { ConcurrencyLimits, Queue, RunTimes, WorkerPool, Assigner } from '../queue/port.ts';
import type { Limits } from '../../../contract/limits.ts';
import type { TaskFacts } from '../../state-machines/task.ts';
import type { WriteHandle } from '../../store/port.ts';
import type { Plan } from './plan.ts';
import type { Endpoint, Runnable } from '../../workflows/port.ts';
import type { JobRow } from './rows.ts';
import type { Secrets } from '../../secrets/port.ts';
import type { Tracing } from '../../telemetry/port.ts';
import type { FinalFailure } from '../failures/port.ts';

/**
 * How many steps (tasks and jobs that change) one slice of long work takes, so that its turn holds the event loop for
 * about `SLICE_MS` with its writes, its commit and what is told of it. What a step costs depends on the machine, on the
 * load and above all on the size of the database, so it is measured.
 */
export interface TurnBudget {
  /** Steps of the next slice. */
  readonly steps: number;
  /** A turn with so many steps took so long. */
  record(ms: number, steps: number): void;
}

/** Sums over all jobs, kept so that nobody has to count. */
export interface Totals {
  /** READY tasks that may be handed out. */
  ready: number;
  /** READY tasks that may not be handed out yet. */
  withheld: number;
  scheduled: number;
  running: number;
  retrying: number;
  /** Jobs that have not finished. */
  open: number;
  nextJob: number;
  nextTask: number;
  nextPayload: number;
  /** Tasks whose child job is still to be started. */
  childrenDue: number;
}

/** What the engine keeps in memory; all of it can be read back from the database. */
export interface Memory {
  totals: Totals;
  /** Leased tasks by id: no more than the workers' capacity, and what is leased to them ahead. */
  readonly leased: Map<string, TaskRecord>;
  /** Leases that an earlier run of the master gave, with their attempt, until their worker comes back with them. */
  readonly recoveredLeases: WeakMap<TaskRecord, number>;
  /** forEach records with more to do than one turn takes, in turn. */
  readonly foreachWork: Map<string, ForeachWork>;
  /** What replicas of large graphs have made, the oldest first, in bounds. */
  readonly progress: Set<ReplicaProgress>;
  /** The head of the queue: READY tasks that need not be read in to be handed out; a part of those in the database. */
  readonly queue: Queue;
  /** Limits on the tasks that run at once of a workflow or an API key. */
  readonly concurrencyLimits: ConcurrencyLimits;
  readonly runTimes: RunTimes;
  /** Steps that a slice of long work takes. */
  readonly turnBudget: TurnBudget;
  /** Tasks whose child's input is being checked, by seq. */
  readonly childChecks: Set<number>;
  /** Searches under way for what fails a job. */
  readonly failureSearches: Set<FailureSearch>;
  /** Jobs of those, and those touched in this turn, by seq. */
  readonly jobs: Map<number, JobRecord>;
  readonly jobsById: Map<string, JobRecord>;
  /** Tasks handed out whose rows do not say so yet, see `deferWrites` in transaction.ts. */
  readonly deferredTasks: Set<TaskRecord>;
  /** Jobs that are not in the database yet, see `deferWrites` in transaction.ts. */
  readonly deferredJobs: Set<JobRecord>;
  /** Inputs that are still to become tasks, by the job's seq, see `task-expansion.ts`. */
  readonly pendingInputs: Map<number, number>;
  /** The last FAILED task that the periodic check looked at, where it did not come to the end. */
  retryCursor: { readonly at: number; readonly seq: number };
  /** The same among those that are due later, while the clock is set back. */
  retryAheadCursor: { readonly at: number; readonly seq: number };
  /** Jobs by `countKey`. */
  readonly counts: Map<string, { workflowId: string; environment: string; status: JobStatus; jobs: number }>;
}

/** An attempt that ended in this turn, for metrics and for the worker's record. */
export interface EndedAttempt {
  readonly task: TaskRecord;
  readonly facts: TaskFacts;
  readonly workerId: string;
  /** Set by `completeTask`. */
  outputText: string | null;
}

/** An attempt that the master made itself, by a child job, and that ended in this turn. */
export type EndedCall = Pick<EndedAttempt, 'task' | 'facts'>;

/** What is done once the turn is committed. */
export interface Effects {
  readonly leases: {
    readonly workerId: string;
    readonly task: TaskRecord;
    readonly attempt: number;
    readonly inputText: string;
    /** Why the task may not have the secrets that its node names; null: nothing is against it. */
    readonly refusal: string | null;
  }[];
  /** Leases whose secrets are to be noted in the audit log with this turn. */
  readonly secretUses: TaskRecord[];
  readonly kills: { readonly workerId: string; readonly ids: readonly string[]; readonly reason: string }[];
  readonly lostLeases: { readonly workerId: string; readonly id: string; readonly attempt: number }[];
  readonly endedAttempts: EndedAttempt[];
  /** Those of traced jobs. */
  readonly endedCalls: EndedCall[];
  /** Tasks that waited for their child job and were ended meanwhile: the child is to be killed. */
  readonly orphanedTasks: number[];
  /** Workers that got room otherwise than by the end of a task. */
  readonly freedWorkers: string[];
  /** Tasks that failed for good, other than by a kill. */
  readonly failures: FinalFailure[];
  /** Requests for approval that came or ended. */
  readonly approvals: string[];
  /** What was found damaged. */
  readonly damaged: string[];
  /** Inputs of children that are to be checked apart. */
  readonly childChecks: ChildCheck[];
  /** Output of jobs of one replica, by job seq. */
  readonly outputs: Map<number, string>;
}

/**
 * One turn of the engine: a unit of work over the records in memory and the rows of one transaction. Records are
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
  /** Rules on secrets; null: there are none. */
  readonly secrets: Pick<Secrets, 'refusal' | 'recordUses'> | null;
  /** Decides which jobs are traced; null: spans go nowhere. */
  readonly tracing: Pick<Tracing, 'decide'> | null;
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
  /** forEach records touched in this turn, with what they were before. */
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
  'memory' | 'workerPool' | 'limits' | 'random' | 'plan' | 'endpoint' | 'secrets' | 'tracing' | 'checksApart'
>;

export interface Engine {
  /** Runs `op` in the next turn; the promise settles once that is written (`Store.write`). `weight` is about the number of tasks it touches. */
  enqueue<T>(weight: number, op: (tx: Transaction) => T): Promise<T>;
  /** A turn without an operation of its own: hands out what is queued. */
  nudge(): void;
  /** Resolves once the rows say what memory does. */
  written(): Promise<void>;
  /** Waits for the turns under way. */
  idle(): Promise<void>;
}

/** A task that calls a workflow whose input schema costs more than a turn may take: its input is checked apart. */
export interface ChildCheck {
  /** Its seq. */
  readonly task: number;
  readonly attempt: number;
  readonly runnable: Runnable;
  readonly inputs: readonly unknown[];
}
