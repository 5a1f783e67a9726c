/** The closed sets of words that every process shares. Plain data: the renderer imports it without a schema library. */

export const ENVIRONMENTS = ['dev', 'staging', 'prod'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const TASK_STATES = [
  'READY',
  'SCHEDULED',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'SCHEDULE_TIMEOUT',
  'RUN_TIMEOUT',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

export const JOB_STATUSES = ['COMPLETED', 'RUNNING', 'FAILED', 'PARTIAL_FAILURE', 'TIMEOUT', 'MIXED', 'EMPTY'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const JOB_KINDS = ['event', 'batch', 'child', 'draft'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export const WORKER_STATES = ['Operational', 'Unstable', 'Maxed', 'Down'] as const;
export type WorkerState = (typeof WORKER_STATES)[number];

export const ROLES = ['viewer', 'operator', 'admin', 'worker'] as const;
export type Role = (typeof ROLES)[number];

/** Node types that this master runs; `input` and `output` are structure and make no task. */
export const NODE_TYPES = [
  'input',
  'transform',
  'condition',
  'code',
  'template',
  'http',
  'delay',
  'forEach',
  'workflow',
  'handler',
  'output',
] as const;
export type NodeType = (typeof NODE_TYPES)[number];

/** Codes that a failed task may carry (contract §6). A handler or `code` node may add its own; those are retried unless it says otherwise. */
export const TASK_CODES = [
  'INVALID_DAG',
  'AUTHENTICATION_FAILED',
  'KILLED',
  'REPLICA_TIMEOUT',
  'NON_RETRYABLE',
  'TASK_ERROR',
  'WORKER_LOST',
  'UPSTREAM_UNAVAILABLE',
] as const;
export type TaskCode = (typeof TASK_CODES)[number];

/** Codes that only the master gives; code that throws them gets TASK_ERROR. */
export const MASTER_CODES: ReadonlySet<string> = new Set([
  'KILLED',
  'REPLICA_TIMEOUT',
  'WORKER_LOST',
  'LEASE_LOST',
  'RUN_TIMEOUT',
  'SCHEDULE_TIMEOUT',
  'INVALID_DAG',
]);

/** Never retried by the periodic check (contract §6). */
export const NON_RETRYABLE_CODES: ReadonlySet<string> = new Set<TaskCode>([
  'INVALID_DAG',
  'AUTHENTICATION_FAILED',
  'KILLED',
  'REPLICA_TIMEOUT',
  'NON_RETRYABLE',
]);

export const LOG_LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The spellings that the task counters of a job have on the wire (service.md, "taskCounters"). */
export const COUNTER_OF: Readonly<Record<TaskState, keyof TaskCounters>> = {
  READY: 'readyTasks',
  SCHEDULED: 'scheduledTasks',
  RUNNING: 'runningTasks',
  COMPLETED: 'completedTasks',
  FAILED: 'failedTasks',
  SCHEDULE_TIMEOUT: 'scheduleTimeout',
  RUN_TIMEOUT: 'runTimeoutTasks',
};

export interface TaskCounters {
  readyTasks: number;
  scheduledTasks: number;
  runningTasks: number;
  completedTasks: number;
  failedTasks: number;
  scheduleTimeout: number;
  runTimeoutTasks: number;
}

/**
 * The status of a job from its counters alone (contract §5).
 * f = failed, t = timed out, a = still active.
 */
export function statusOf(c: TaskCounters): JobStatus {
  const active = c.readyTasks + c.scheduledTasks + c.runningTasks;
  const timedOut = c.scheduleTimeout + c.runTimeoutTasks;
  const total = active + timedOut + c.completedTasks + c.failedTasks;
  if (total === 0) return 'EMPTY';
  if (c.completedTasks === total) return 'COMPLETED';
  if (timedOut > 0) return c.failedTasks > 0 ? 'MIXED' : 'TIMEOUT';
  if (c.failedTasks > 0) return active > 0 ? 'PARTIAL_FAILURE' : 'FAILED';
  return 'RUNNING';
}

/** Why a task is not running, or that it is (`GET /api/v1/tasks/{id}/why`). */
export const WAIT_REASONS = [
  'NEXT',
  'QUEUED',
  'NO_WORKERS',
  'ALL_MAXED',
  'ALL_DRAINED',
  'ALL_UNHEALTHY',
  'HANDLER_NOT_REGISTERED',
  'CONCURRENCY_LIMIT',
  'BACK_OFF',
  'CHILD_RUNNING',
  'RUNNING',
  'FINISHED',
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

export const OPERATION_KINDS = ['kill', 'retry', 'rerun'] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];
export const OPERATION_STATUSES = ['RUNNING', 'DONE', 'ABORTED'] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

export const FAILURE_STATUSES = ['OPEN', 'RESOLVED', 'IGNORED'] as const;
export type FailureStatus = (typeof FAILURE_STATUSES)[number];
export const CAUSE_KINDS = ['worker', 'commit', 'environment', 'input'] as const;

/** Types of nodes whose work is felt beyond the worker: draft runs and trials put something in their place. */
export const OUTSIDE_TYPES: ReadonlySet<string> = new Set(['http', 'handler', 'workflow']);
