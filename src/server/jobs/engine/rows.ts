import type { StartedBy } from './records.ts';
import { parseStored } from '../../../lib/json.ts';
import type { StackFrame, TaskError } from '../../../contract/tasks.ts';
import type { Environment, JobKind, JobStatus, TaskState } from '../../../contract/vocabulary.ts';

/** Rows as the database gives them. Times are milliseconds. */
export interface JobRow {
  seq: number;
  id: string;
  external_id: string | null;
  workflow_id: string;
  environment: Environment | null;
  commit_hash: string;
  kind: JobKind;
  response: 'list' | 'first';
  input_count: number;
  replica_timeout_s: number | null;
  replica_deadline: number | null;
  created_at: number;
  priority: number;
  key_seq: number | null;
  updated_at: number;
  finished_at: number | null;
  killed_at: number | null;
  duration_ms: number | null;
  retried_at: number | null;
  ready: number;
  scheduled: number;
  running: number;
  completed: number;
  failed: number;
  schedule_timeout: number;
  run_timeout: number;
  retrying: number;
  failure_task: string | null;
  failure_node: string | null;
  failure_code: string | null;
  failure_message: string | null;
  failure_at: number | null;
  rerun_of: string | null;
  parent_task_id: string | null;
  parent_job_id: string | null;
  rerun_node: string | null;
  depth: number;
  /** `TRACE-PARENT-FLAGS`, see lib/trace-context.ts. */
  trace: string | null;
  /** Null: its kind and `rerun_of` tell. */
  trigger_kind: StartedBy['kind'] | null;
  trigger_id: string | null;
  trigger_due: number | null;
  output_task: number | null;
  output: string | null;
  output_sum: number | null;
  output_payload: number | null;
  status: JobStatus;
  /** JSON object of texts. */
  labels: string | null;
}

export interface TaskRow {
  seq: number;
  id: string;
  job: number;
  node: string;
  type: string;
  replica: number;
  item: number | null;
  state: TaskState;
  attempt: number;
  retry_count: number;
  worker_id: string | null;
  ready_at: number;
  ready_deadline: number;
  scheduled_at: number | null;
  started_at: number | null;
  finished_at: number | null;
  retry_at: number | null;
  error_code: string | null;
  error_message: string | null;
  error_retryable: number | null;
  /** JSON of the frames; null: none were told. */
  error_stack: string | null;
  port: string | null;
  input: string | null;
  input_sum: number | null;
  input_payload: number | null;
  input_task: number | null;
  output: string | null;
  output_sum: number | null;
  output_payload: number | null;
  entries: string;
  history: string;
}

/** A READY task as the queue reads it in. */
export interface ReadyRow extends Pick<
  TaskRow,
  | 'seq'
  | 'id'
  | 'node'
  | 'replica'
  | 'item'
  | 'attempt'
  | 'retry_count'
  | 'ready_at'
  | 'ready_deadline'
  | 'input'
  | 'input_sum'
  | 'input_payload'
  | 'input_task'
> {
  /** Its input where that does not stand in the row, or its mark (`store/whole.ts`). */
  text_elsewhere: string | null;
  /** 1: its other columns are null. */
  is_plain: number;
}

/** How the task last failed; null: it did not. */
export const taskErrorFromRow = (
  row: Pick<TaskRow, 'error_code' | 'error_message' | 'error_retryable' | 'error_stack'>,
): TaskError | null =>
  row.error_code === null
    ? null
    : {
        code: row.error_code,
        message: row.error_message ?? '',
        retryable: row.error_retryable === 1,
        ...(row.error_stack === null ? {} : { stack: parseStored<StackFrame[]>(row.error_stack) }),
      };
