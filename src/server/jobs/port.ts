import type { EventStatus, Job, JobFailure, Labels, Overview, Page, Task } from '../../contract/api.ts';
import type { JobFilter } from '../../contract/routes.ts';
import type { Environment, JobKind, JobStatus, TaskState } from '../../contract/vocabulary.ts';
import type { PackedInputs } from '../../lib/packed.ts';
import type { AuditNote } from '../access/port.ts';
import type { ExportFormat } from './bulk/formats.ts';
import type { Operations } from './bulk/port.ts';
import type { Runnable } from '../workflows/port.ts';

export interface Submission {
  readonly runnable: Runnable;
  readonly environment: Environment | null;
  readonly kind: JobKind;
  /** One JSON value (lossless, see lib/json) for each replica; many as the texts they are. */
  readonly inputs: readonly unknown[] | PackedInputs;
  readonly externalId: string | null;
  readonly labels?: Labels | null;
  readonly replicaRunTimeoutSeconds: number | null;
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

/** What a job came to. `outputText` is JSON text, ready to send; null while it runs and where it failed. */
export interface Outcome {
  readonly jobId: string;
  readonly status: JobStatus;
  readonly finishedAt: string | null;
  readonly outputText: string | null;
  /** Set as soon as one replica has finally failed, though others may still run. */
  readonly failure: JobFailure | null;
}

export type Submitted =
  | { readonly kind: 'created'; readonly jobId: string; readonly status: JobStatus }
  /** The idempotency key names an earlier call. `bodyHash` tells whether it was the same. */
  | { readonly kind: 'repeated'; readonly jobId: string; readonly bodyHash: string };

export interface Jobs {
  submit(submission: Submission): Promise<Submitted>;
  /** The job that this idempotency key made within its time, or null. */
  findIdempotent(scope: { keyId: string; workflowId: string; environment: Environment; key: string }): { jobId: string; bodyHash: string } | null;
  /** Resolves at the job's end, at its first final failure, or (with what is known then) after `seconds`. `leaving` is handed what ends the wait early. */
  wait(jobId: string, seconds: number, leaving?: (leave: () => void) => void): Promise<Outcome>;
  outcome(jobId: string): Promise<Outcome | null>;
  list(query: { page: number; size: number; sort: string } & JobFilter): Promise<Page<Job>>;
  get(jobId: string): Promise<Job>;
  /** JSON text of `{output, error}` (contract §5). */
  outputText(jobId: string): Promise<string>;
  eventStatusText(jobId: string, workflowId: string, environment: Environment): Promise<string>;
  tasks(jobId: string, query: { page: number; size: number; sort?: string; state?: TaskState[]; node?: string }): Promise<Page<Task>>;
  task(taskId: string): Promise<Task>;
  /** JSON text of the whole payload; `null` where there is none. */
  payloadText(taskId: string, which: 'input' | 'output'): Promise<string>;
  kill(jobId: string, actor: string, audit?: AuditNote): Promise<{ jobId: string; killedTasks: number; status: JobStatus }>;
  retry(jobId: string, audit?: AuditNote): Promise<{ jobId: string; retriedTasks: number; status: JobStatus }>;
  readonly operations: Operations;
  /** All jobs that match as text, newest first, in pieces; OVERLOADED where too many exports run. */
  export(filter: JobFilter, format: ExportFormat): AsyncGenerator<Uint8Array>;
  /** READY tasks that wait for a worker, from memory. */
  readonly queueDepth: number;
  overview(): Promise<Pick<Overview, 'jobs' | 'tasks' | 'failures'>>;
  /** Stops the loops; waits for writes under way. */
  close(): Promise<void>;
}

export type { EventStatus };
