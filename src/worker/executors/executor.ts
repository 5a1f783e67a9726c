import type { LogLevel } from '../../contract/vocabulary.ts';
import type { LeasedNode, WorkerLimits } from '../../contract/worker-protocol.ts';
import type { Expressions } from '../expressions.ts';
import type { Payload } from '../payload.ts';
import type { Fill } from '../text.ts';
import type { Pool } from '../pool.ts';

/** One attempt of one task, as its executor sees it. */
export interface TaskRun {
  readonly id: string;
  readonly attempt: number;
  readonly node: LeasedNode;
  readonly input: Payload;
  /** Aborts when the task is killed, its lease is lost or its run time is over. Made on first use. */
  signal(): AbortSignal;
  log(source: 'task' | 'worker', level: LogLevel, message: string, fields?: Record<string, unknown>): void;
}

export interface Tools {
  readonly expressions: Expressions;
  readonly fill: Fill;
  /** For code nodes. */
  readonly threads: Pool;
  readonly limits: Readonly<WorkerLimits>;
  readonly version: string;
}

export interface Outcome {
  output: Payload;
  /** Of a condition: the way that is taken. */
  port?: 'true' | 'false';
}

/** Runs one attempt. Throws a `TaskError` for a failure with a code; any other error is a TASK_ERROR. */
export type Executor = (task: TaskRun, tools: Tools) => Promise<Outcome>;
