import type { WorkflowActivity } from '../../contract/workflow-activity.ts';
import type { ActivityQuery } from './queries/workflow-activity.ts';
import type { Comparison, LogComparison, ValueComparison } from '../../contract/comparisons.ts';
import type { EventStatus } from '../../contract/events.ts';
import type { FailureDetail, FailureGroup } from '../../contract/failures.ts';
import type { Job, JobFailure, Labels, JobFilter, JobGraph } from '../../contract/jobs.ts';
import type { Overview } from '../../contract/master.ts';
import type { Page } from '../../contract/shapes.ts';
import type { TraceContext } from '../../lib/trace-context.ts';
import type { Task, TaskPage, TaskProgress, TaskFailureGroup, Why } from '../../contract/tasks.ts';
import type { Environment, JobKind, JobStatus } from '../../contract/vocabulary.ts';
import type { Impact } from '../../contract/workflows.ts';
import type { CopyRead } from '../../lib/copy-read.ts';
import type { PackedInputs } from '../../lib/packed-inputs.ts';
import type { AuditNote } from '../access/port.ts';
import type { WriteHandle } from '../store/port.ts';
import type { Operations, ExportFormat, SnapshotTarget } from './bulk/port.ts';
import type { Runnable } from '../workflows/port.ts';
import type { Lineage, StartedBy } from './engine/records.ts';
import type { Waits } from './waits/port.ts';
import type { FailureQuery, Decision } from './failures/port.ts';
import type {
  JobListQuery,
  RunningTask,
  TaskListQuery,
  ImpactQuery,
  TaskChunk,
  TaskCursor,
  RecordedInput,
  RecordedQuery,
  PayloadOf,
} from './queries/port.ts';

export type { LinkPurpose, OpenedLink, Sender, WaitDecision, Waits } from './waits/port.ts';
export type { BulkPlace, BulkPurpose, BulkRequest, Operations, SnapshotTarget, Target } from './bulk/port.ts';
export interface Submission {
  readonly runnable: Runnable;
  readonly environment: Environment | null;
  readonly kind: JobKind;
  /** One JSON value (lossless, see lib/json) for each replica; many as the texts they are. */
  readonly inputs: readonly unknown[] | PackedInputs;
  readonly externalId: string | null;
  readonly labels?: Labels | null;
  /** The trace that it is part of. */
  readonly trace?: TraceContext | null;
  /** The schedule or webhook that starts it. */
  readonly startedBy?: StartedBy | null;
  readonly replicaRunTimeoutSeconds: number | null;
  /** The jobs that it comes from. */
  readonly lineage?: Lineage | null;
  /** -100 to 100, higher first; 0 where absent. */
  readonly priority?: number;
  /** Number of the API key that it comes under, for the key's limits. */
  readonly keySeq?: number | null;
  /** The caller waits for the end and is told nothing before: a job without effects outside may be written with its end. */
  readonly awaited?: boolean;
  /** Recorded in the transaction that makes the job, so that a repeated call can never make two. */
  readonly idempotency: { readonly keyId: string; readonly key: string; readonly bodyHash: string } | null;
  /** Where an operator submits it: notes it in the transaction that makes the job. */
  readonly audit?: AuditNote;
}

/**
 * What a job came to. `outputText` is JSON text, ready to send; null while it runs and where it failed. `outputApart`: it
 * ended well, with an output that is too long to be read on the event loop: `Jobs.outputJson` gives it.
 */
export interface JobResult {
  readonly jobId: string;
  readonly status: JobStatus;
  /** Milliseconds; null while it runs. */
  readonly finishedAt: number | null;
  readonly outputText: string | null;
  readonly outputApart?: true;
  /** Set as soon as one replica has finally failed, though others may still run. */
  readonly failure: JobFailure | null;
}

export type Submitted =
  | { readonly kind: 'created'; readonly jobId: string; readonly status: JobStatus }
  | ({ readonly kind: 'repeated' } & EarlierCall);

/** A job of something that is told apart by what its transaction claims. */
export type OnceSubmission = Omit<Submission, 'idempotency' | 'awaited' | 'audit'>;

/** What else is written in the transaction that makes a job. May run again after a roll-back. */
export interface OnceWrites {
  /** False: somebody else has made the job; none is made. */
  claim(db: WriteHandle): boolean;
  made(db: WriteHandle, jobId: string): void;
}

/** What an idempotency key names. `bodyHash` tells whether it was the same call. */
export interface EarlierCall {
  readonly jobId: string;
  readonly bodyHash: string;
  /** The status of the job that the first call was told with its 202; null: it was told no 202. */
  readonly accepted: JobStatus | null;
}

export interface IdempotencyScope {
  readonly keyId: string;
  readonly workflowId: string;
  /** Empty where the job has none. */
  readonly environment: string;
  readonly key: string;
}

/** Failures that are alike. All throw FAILURE_NOT_FOUND. */
export interface Failures {
  list(query: FailureQuery, signal?: AbortSignal): Promise<Page<FailureGroup>>;
  get(id: string, signal?: AbortSignal): Promise<FailureDetail>;
  /** What else failed like a task. Throws TASK_NOT_FOUND. */
  ofTask(taskId: string, signal?: AbortSignal): Promise<TaskFailureGroup>;
  decide(id: string, decision: Decision, actor: string, audit?: AuditNote): Promise<FailureGroup>;
}

/** Two runs side by side, off the event loop. What its caller does not wait for any more is given up. */
export interface Compare {
  /** Throws JOB_NOT_FOUND. */
  tasks(hereId: string, thereId: string, signal?: AbortSignal): Promise<Comparison>;
  /** Throws as `Jobs.payload`, and VALIDATION_FAILED where one is too long to be compared. */
  values(before: PayloadOf, after: PayloadOf, signal?: AbortSignal): Promise<ValueComparison>;
  /** JSON lines of `{level, _msg, n, first}`; the bytes are handed over. */
  logs(here: Uint8Array, there: Uint8Array, signal?: AbortSignal): Promise<Omit<LogComparison, 'complete'>>;
}

/** What a bundle of a job reads of the database, off the event loop. */
export interface IncidentReads {
  /** Some of its tasks, in the order of replicas and items, as JSON lines; `characters` of each payload, 0: none. */
  tasks(
    jobId: string,
    after: TaskCursor | null,
    size: number,
    characters: number,
    signal?: AbortSignal,
  ): Promise<TaskChunk>;
  failureGroups(jobId: string, signal?: AbortSignal): Promise<string[]>;
}

export interface Jobs {
  submit(submission: Submission): Promise<Submitted>;
  /** Submits a job without an idempotency key, and waits for it as `wait` does. */
  call(
    submission: Omit<Submission, 'idempotency' | 'awaited'>,
    seconds: number,
    leaving?: (leave: () => void) => void,
  ): Promise<JobResult>;
  /** Makes the job only where it is claimed in the same transaction; null: it was not. */
  submitOnce(submission: OnceSubmission, writes: OnceWrites): Promise<Extract<Submitted, { kind: 'created' }> | null>;
  /** The job that this idempotency key made within its time, or null. */
  findIdempotent(scope: IdempotencyScope): EarlierCall | null;
  /** A call that waited is told a 202 after all: resolves once its repeats will be told the same. */
  acceptIdempotent(scope: IdempotencyScope, jobId: string, status: JobStatus): Promise<void>;
  /** Resolves at the job's end, at its first final failure, or (with what is known then) after `seconds`. `leaving` is handed what ends the wait early. */
  wait(jobId: string, seconds: number, leaving?: (leave: () => void) => void): Promise<JobResult>;
  /** Ends every wait with what is known by now. */
  endWaits(): void;
  /** The inputs of a job, or what one of its nodes was given, one for each replica. Throws VALIDATION_FAILED where they are not known. */
  inputs(jobId: string, node: string | null): Promise<PackedInputs>;
  /** The same as JSON text, as they came: the list of all, or the one of a replica (counted from 0). */
  inputText(jobId: string, which: { node: string | null; replica: number | null }): Promise<string>;
  /** Submits a rerun; its lineage says of what. With a node to begin with, what that depends on must have finished. */
  rerun(submission: Submission & { readonly lineage: Lineage }): Promise<{ jobId: string }>;
  /** Makes a FAILED or timed-out task READY with a fresh allowance; else TASK_NOT_FAILED. */
  retryTask(taskId: string, audit?: AuditNote): Promise<Task>;
  result(jobId: string): Promise<JobResult | null>;
  /** `searchedTo`: a search does not cover jobs created later yet. A list whose signal aborts is given up. */
  list(query: JobListQuery, signal?: AbortSignal): Promise<Page<Job> & { searchedTo?: string }>;
  /**
   * The same reads for a copy of the database, once what was written until now is in it; null: only here. They throw as the
   * reads themselves do.
   */
  readonly forCopy: {
    list(query: JobListQuery): Promise<CopyRead | null>;
    tasks(jobId: string, query: TaskListQuery): Promise<CopyRead | null>;
    payload(of: PayloadOf): Promise<CopyRead | null>;
  };
  get(jobId: string): Promise<Job>;
  /** What its tasks came to at each node. A large job that runs is added up now and then. */
  graph(jobId: string): Promise<JobGraph>;
  /** JSON text of `{output, error}`. */
  outputText(jobId: string): Promise<string>;
  /** Its output alone, of a job that ended well, as bytes of JSON. Throws DATA_DAMAGED. */
  outputJson(jobId: string): Promise<Uint8Array>;
  /** What the status URL of an event call answers: JSON text, or its bytes where it is long. */
  eventStatusJson(jobId: string, workflowId: string, environment: Environment): Promise<string | Uint8Array>;
  tasks(jobId: string, query: TaskListQuery, signal?: AbortSignal): Promise<TaskPage>;
  /** The same as JSON text, to be sent on as it is; with how far those are that run. */
  tasksText(
    jobId: string,
    query: TaskListQuery,
    progress: (task: RunningTask) => TaskProgress | null,
    signal?: AbortSignal,
  ): Promise<string>;
  /** The same list of jobs as JSON text, to be sent on as it is. */
  listText(query: JobListQuery, signal?: AbortSignal): Promise<string>;
  /** The tasks that a worker holds now. */
  workerTasks(workerId: string, query: { page: number; size: number }): Promise<TaskPage>;
  /** With its payloads as lists show them. */
  task(taskId: string): Promise<Task>;
  /** Why a task is not running, or that it is. */
  why(taskId: string): Promise<Why>;
  /**
   * JSON text of a whole payload; `null` where there is none. What is long is read off the event loop and comes as its bytes.
   * Throws TASK_NOT_FOUND, JOB_NOT_FOUND, and VALIDATION_FAILED for inputs that are not known.
   */
  payload(of: PayloadOf, signal?: AbortSignal): Promise<string | Uint8Array>;
  kill(
    jobId: string,
    actor: string,
    audit?: AuditNote,
  ): Promise<{ jobId: string; killedTasks: number; status: JobStatus }>;
  retry(jobId: string, audit?: AuditNote): Promise<{ jobId: string; retriedTasks: number; status: JobStatus }>;
  readonly failures: Failures;
  readonly compare: Compare;
  readonly incident: IncidentReads;
  /** What the publications of a workflow did to its jobs, newest first. Throws WORKFLOW_NOT_FOUND. */
  impacts(workflowId: string, query: Omit<ImpactQuery, 'now'>, signal?: AbortSignal): Promise<Page<Impact>>;
  /** How the jobs of workflows went lately. */
  activity(query: Omit<ActivityQuery, 'now'>, signal?: AbortSignal): Promise<WorkflowActivity[]>;
  readonly recorded: {
    /** Inputs that an environment was given last, newest first. */
    inputs(query: RecordedQuery, signal?: AbortSignal): Promise<RecordedInput[]>;
    /** JSON text of the `Recording` of one; `lists`: nodes of which the items are wanted. Throws JOB_NOT_FOUND, RECORDING_TOO_LARGE. */
    text(
      input: Pick<RecordedInput, 'jobId' | 'replica'>,
      lists: readonly string[],
      most: number,
      signal?: AbortSignal,
    ): Promise<string>;
  };
  readonly operations: Operations;
  /** Tasks that wait for a time, a signal or an approval. */
  readonly waits: Waits;
  /**
   * All jobs that match, or those of a snapshot, as text, newest first, in pieces; OVERLOADED where too many exports run.
   *
   * `within`: workflows of whose jobs the reader may be told that they called one
   */
  export(
    of: { readonly filter: JobFilter } | (SnapshotTarget & { readonly within?: readonly string[] | undefined }),
    format: ExportFormat,
  ): AsyncGenerator<Uint8Array>;
  /** Puts a limit on the tasks that run at once in force, or ends it (`most` null); those that wait for it stay in the queue. */
  limit(change: { scope: 'workflow' | 'key'; id: string | number; name: string; most: number | null }): Promise<void>;
  /** READY tasks that wait for a worker, from memory. */
  readonly queueDepth: number;
  /** Reads that wait for their thread, and how far the index of the search is; null: not known yet. */
  readStats(): { waiting: number; search: { behind: number; bytes: number } | null };
  /** `within`: of these workflows alone; null: of all. */
  overview(within?: readonly string[] | null): Promise<Pick<Overview, 'jobs' | 'tasks' | 'failures'>>;
  /** Stops the loops; waits for writes under way. */
  close(): Promise<void>;
}

export type { EventStatus };
