import type { LogLevel } from '../../contract/vocabulary.ts';
import type { Lease, LeasedNode } from '../../contract/worker-protocol.ts';
import type { Payload } from '../payload.ts';
import type { Tools } from './tools.ts';

/** One attempt of one task, as its executor sees it. */
export interface TaskRun {
  readonly id: string;
  readonly attempt: number;
  readonly node: LeasedNode;
  readonly input: Payload;
  /** What was leased with it; of a chain, its first task's. */
  readonly lease: Pick<Lease, 'jobId' | 'workflowId' | 'environment' | 'item' | 'trace'>;
  /** Aborts when the task is killed, its lease is lost or its run time is over. Made on first use. */
  signal(): AbortSignal;
  /** The value of a secret. Throws a `TaskExecutionError` NON_RETRYABLE where there is none. */
  secret(name: string): string;
  /** A text as people may see it, without the values of secrets. To be called before it is cut to a length. */
  shown(text: string): string;
  log(source: 'task' | 'worker', level: LogLevel, message: string, fields?: Record<string, unknown>): void;
}

export interface Outcome {
  output: Payload;
  /** Of a condition: the way that is taken. */
  port?: 'true' | 'false';
  /** JSON texts of the items, of the list of a forEach; it has no output. */
  items?: readonly string[];
}

/** Runs one attempt. Throws a `TaskExecutionError` for a failure with a code; any other error is a TASK_ERROR. */
export type Executor = (task: TaskRun, tools: Tools) => Promise<Outcome>;
