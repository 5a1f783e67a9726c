import type { WorkflowActivity } from '../../../contract/workflow-activity.ts';
import type { ActivityQuery } from './workflow-activity.ts';
import type { JobFilter, Job } from '../../../contract/jobs.ts';
import type { Task, TaskPage, TaskFailureGroup, TaskProgress } from '../../../contract/tasks.ts';
import type { TaskState, Environment } from '../../../contract/vocabulary.ts';
import type { ShadowWhere } from '../../../contract/shadow-replays.ts';
import type { Store } from '../../store/port.ts';
import type { Comparison, LogComparison, ValueComparison } from '../../../contract/comparisons.ts';
import type { FailureDetail, FailureGroup } from '../../../contract/failures.ts';
import type { Overview } from '../../../contract/master.ts';
import type { Page } from '../../../contract/shapes.ts';
import type { Recording } from '../../../contract/replay.ts';
import type { Impact } from '../../../contract/workflows.ts';
import type { FailureQuery } from '../failures/port.ts';
import type { SearchStats } from '../search/port.ts';

/** Who runs or ran what, from memory or by one row. */
export interface Runners {
  /** The job of a task, and the workers that have or had it. `jobId`: the one that is named with it, where there is one. Null: nothing is known of it. */
  ofTask(taskId: string, jobId: string | null): { jobId: string; workers: readonly string[] } | null;
  /** Workers that have or had tasks of a job, the last thousand of them. */
  ofJob(jobId: string): readonly string[];
  /** Null: there is no such job. */
  placeOf(jobId: string): { readonly workflowId: string; readonly environment: Environment | null } | null;
}

export type JobListQuery = { page: number; size: number; sort: string } & JobFilter;

export interface TaskListQuery {
  page: number;
  size: number;
  sort?: string;
  state?: TaskState[];
  node?: string;
  replica?: number;
  /** A part of the ID of the worker of the latest attempt. */
  worker?: string;
  /** Code of the error. */
  code?: string;
  /** Text in the error message. */
  q?: string;
  /** Bytes of payloads on the page, where that is to be less than the limit: for an answer that the event loop reads itself. */
  payloadBytes?: number;
  /** Workflows whose jobs the reader may see; left out: all. */
  within?: readonly string[];
}

/** What tells how far the running tasks of a page are. */
export type RunningTask = Pick<Task, 'id' | 'attempt' | 'state' | 'workerId'>;

export interface ImpactQuery {
  readonly page: number;
  readonly size: number;
  readonly environment?: Environment;
  /** Longest time to look at on either side. */
  readonly windowMs: number;
  readonly now: number;
}

/** Where the tasks of a job go on: after this one, in the order of replicas and items. */
export interface TaskCursor {
  readonly replica: number;
  readonly item: number | null;
  readonly seq: number;
}

export interface TaskChunk {
  /** JSON lines. */
  readonly lines: string;
  readonly count: number;
  /** Null: these were the last. */
  readonly next: TaskCursor | null;
  /** Payloads that are cut in the lines. */
  readonly apart: readonly { readonly taskId: string; readonly of: 'input' | 'output'; readonly characters: number }[];
  readonly workers: readonly string[];
}

/** One input of a job that has ended, to be run again elsewhere. */
export interface RecordedInput {
  readonly jobId: string;
  readonly replica: number;
  readonly commit: string;
}

export interface RecordedQuery {
  readonly workflowId: string;
  readonly environment: string;
  readonly count: number;
  readonly where: ShadowWhere;
}

/** What memory knows of the place of a task, as plain data: the rest is counted in the database, by a thread where that takes long. */
export interface QueueView {
  readonly job: number;
  readonly priority: number;
  readonly task: number;
  /** The last task of its job that was made with the job. */
  readonly last: number;
  /** Its place among the tasks of its own job, where it is in memory. */
  readonly rank: number | null;
  /** Tasks of its job in memory, and how many of these the database counts as before it. */
  readonly listed: number;
  readonly before: number;
  /** Other jobs of its priority in memory, and whether their turn comes before that of its own job. */
  readonly others: readonly { readonly seq: number; readonly ready: number; readonly first: boolean }[];
  /** Where the round over the jobs in the database stands; null: its job is in memory, or no round is under way. */
  readonly cursor: number | null;
}

/**
 * How many jobs were created, failed and finished in each of the last minutes, and how long they took: what the
 * overview shows, kept as it happens so that nobody counts jobs. Durations are kept in steps of 10 %.
 * Written by the periodic check; a crash loses the last second of it and nothing else depends on it.
 */
export interface OverviewCounts {
  created(at: number): void;
  /** `failed`: it ended otherwise than COMPLETED or EMPTY. */
  finished(job: { createdAt: number; at: number; durationMs: number; failed: boolean }): void;
  /** A retry by hand opened a job again that had ended failed. */
  recovered(createdAt: number): void;
  read(now: number): {
    failedLastHour: number;
    createdLastHour: number;
    throughputPerMinute: number;
    p95Ms: number | null;
  };
  /** Keeps what changed since the last call. */
  save(store: Pick<Store, 'write'>, now: number): Promise<void>;
}

/** A payload by whose it is: a task's, or a job's. Of a job's inputs those of one of its nodes, of one replica (counted from 0), or all. */
export type PayloadOf =
  | { readonly task: string; readonly of: 'input' | 'output' }
  | {
      readonly job: string;
      readonly of: 'output';
      /** The output alone, or what the status URL of an event call answers; else `{output, error}`. */ readonly as?:
        | 'alone'
        | 'status';
    }
  | { readonly job: string; readonly of: 'input'; readonly node: string | null; readonly replica: number | null };

/** A payload as whoever has no plans asks for it: the inputs of a job are those of the nodes that begin it. */
export type PayloadRead =
  | Extract<PayloadOf, { task: string } | { of: 'output' }>
  | (Extract<PayloadOf, { node: string | null }> & { readonly first: readonly string[] });

export type JobPage = Page<Job> & { searchedTo?: string };

/** Reads that may take long. Each reads one state of the database. */
export interface LongReads {
  list(query: JobListQuery): JobPage;
  /** `progress`: how far some of them are, by id. */
  tasks(jobId: string, query: TaskListQuery, progress: Readonly<Record<string, TaskProgress>>): TaskPage;
  /** The running ones of such a page. */
  runningTasks(jobId: string, query: TaskListQuery): RunningTask[];
  failures(query: FailureQuery): Page<FailureGroup>;
  failure(id: string): FailureDetail;
  /** What else failed like a task. */
  taskFailure(taskId: string): TaskFailureGroup;
  impacts(workflowId: string, query: ImpactQuery): Page<Impact>;
  activity(query: ActivityQuery): WorkflowActivity[];
  /** Of these workflows alone. */
  overview(within: readonly string[], now: number): Pick<Overview, 'jobs' | 'tasks' | 'failures'>;
  /** Two jobs, task by task. */
  compare(hereId: string, thereId: string): Comparison;
  /** Two payloads, path by path. VALIDATION_FAILED where one is too long for that. */
  compareValues(before: PayloadRead, after: PayloadRead): Promise<ValueComparison>;
  /** Two logs, as JSON lines of `{level, _msg, n, first}`, by what their lines have in common. */
  compareLogs(here: Uint8Array, there: Uint8Array): Omit<LogComparison, 'complete'>;
  /** What an environment was given last, and what came of one of it. */
  recordedInputs(query: RecordedQuery): RecordedInput[];
  recording(input: Pick<RecordedInput, 'jobId' | 'replica'>, lists: readonly string[], most: number): Recording;
  /** Some tasks of a job as JSON lines, for a bundle; `characters` of each payload. */
  taskPiece(jobId: string, after: TaskCursor | null, size: number, characters: number): TaskChunk;
  /** Failure groups that a job belongs to. */
  failureGroups(jobId: string): string[];
  /** The place of a READY task among all that wait. */
  position(seen: QueueView): number;
  /** A payload as JSON text. */
  payload(ask: PayloadRead): Promise<Uint8Array>;
}

/** Does them off the event loop. */
export interface Reads {
  /** Rejects with the fault of the read; OVERLOADED where too many wait. A call whose signal aborts is given up, also while it runs. */
  call<M extends keyof LongReads>(
    method: M,
    args: Parameters<LongReads[M]>,
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<LongReads[M]>>>;
  /** The same as JSON text, to be sent on as it is. */
  text<M extends keyof LongReads>(method: M, args: Parameters<LongReads[M]>, signal?: AbortSignal): Promise<string>;
  /** The bytes that a read gives; they are handed over. */
  bytes(method: 'payload', args: Parameters<LongReads['payload']>, signal?: AbortSignal): Promise<Uint8Array>;
  /** Makes the index of the search know what was written by now, where the filter searches. */
  prepare(filter: JobFilter): Promise<void>;
  /** How far the index of the search is, and what waits; null while nothing is known. */
  stats(): { waiting: number; search: SearchStats | null };
  close(): Promise<void>;
}
