import type { Comparison, LogComparison, ValueComparison } from '../../../../contract/comparisons.ts';
import type { FailureDetail, FailureGroup } from '../../../../contract/failures.ts';
import type { Job, JobFilter } from '../../../../contract/jobs.ts';
import type { Page } from '../../../../contract/shapes.ts';
import type { TaskFailure, Task, TaskProgress } from '../../../../contract/tasks.ts';
import type { Recording } from '../../../../contract/trial.ts';
import type { Impact } from '../../../../contract/workflows.ts';
import type { FailureQuery } from '../../failures/groups.ts';
import type { ImpactQuery } from '../publish-health.ts';
import type { TaskChunk, TaskCursor } from '../incident-tasks.ts';
import type { JobListQuery } from '../list-jobs.ts';
import type { RunningTask, TaskListQuery } from '../list-tasks.ts';
import type { PayloadRead } from '../payload.ts';
import type { RecordedInput, RecordedQuery } from '../recorded-inputs.ts';
import type { QueueView } from '../why/queue-position.ts';

export type JobPage = Page<Job> & { searchedTo?: string };

/** Reads that may take long. Each reads one state of the database. */
export interface LongReads {
  list(query: JobListQuery): JobPage;
  /** `progress`: how far some of them are, by id. */
  tasks(jobId: string, query: TaskListQuery, progress: Readonly<Record<string, TaskProgress>>): Page<Task>;
  /** The running ones of such a page. */
  runningTasks(jobId: string, query: TaskListQuery): RunningTask[];
  failures(query: FailureQuery): Page<FailureGroup>;
  failure(id: string): FailureDetail;
  /** What else failed like a task. */
  taskFailure(taskId: string): TaskFailure;
  impacts(workflowId: string, query: ImpactQuery): Page<Impact>;
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

export interface SearchStats {
  /** Jobs that are not indexed yet. */
  behind: number;
  /** Bytes of the index. */
  bytes: number;
}
