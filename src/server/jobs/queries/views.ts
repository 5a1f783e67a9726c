import { workflowIdForDraft } from '../../../contract/draft-ids.ts';
import type { Job, Trigger } from '../../../contract/jobs.ts';
import { displayStatus, type JobKind, type TriggerKind } from '../../../contract/vocabulary.ts';
import type { RetryEntry, Task } from '../../../contract/tasks.ts';
import { iso, isoOrNull } from '../../../lib/clock.ts';
import { parseJson, parseStored } from '../../../lib/json.ts';
import { traceIdOf } from '../../../lib/trace-context.ts';
import { damageIn } from '../../store/whole.ts';
import { parseHistory } from '../../state-machines/task-history.ts';
import { taskErrorFromRow, type JobRow, type TaskRow } from '../engine/rows.ts';

/** Rows as the API shows them. */
export function jobView(row: JobRow): Job {
  const taskCounters = {
    readyTasks: row.ready,
    scheduledTasks: row.scheduled,
    runningTasks: row.running,
    completedTasks: row.completed,
    failedTasks: row.failed,
    scheduleTimeout: row.schedule_timeout,
    runTimeoutTasks: row.run_timeout,
  };
  return {
    id: row.id,
    externalId: row.external_id,
    status: row.status,
    displayStatus: displayStatus({ status: row.status, killedAt: row.killed_at, taskCounters }),
    workflowId: workflowIdForDraft(row.workflow_id),
    environment: row.environment,
    commit: row.commit_hash,
    kind: row.kind,
    trigger: triggerView(row),
    priority: row.priority,
    taskCounters,
    replicaRunTimeoutSeconds: row.replica_timeout_s,
    inputCount: row.input_count,
    labels: row.labels === null ? {} : parseStored<Record<string, string>>(row.labels),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    finishedAt: isoOrNull(row.finished_at),
    killedAt: isoOrNull(row.killed_at),
    durationMs: row.duration_ms,
    retriedAt: isoOrNull(row.retried_at),
    rerunOf: row.rerun_of,
    parentTaskId: row.parent_task_id,
    ...errorView(row),
    ...(row.trace === null ? {} : { traceId: traceIdOf(row.trace) }),
  };
}

/** Characters of a message in lists. */
const MESSAGE_CHARACTERS = 500;

function errorView(row: JobRow): Pick<Job, 'error'> {
  const { failure_node: node, failure_code: code, failure_message: message } = row;
  // What it failed with stays in the row when all of it has succeeded by a retry.
  if (node === null || code === null || row.failed + row.schedule_timeout + row.run_timeout === 0) return {};
  const text = message ?? '';
  const shown = text.length > MESSAGE_CHARACTERS ? `${text.slice(0, MESSAGE_CHARACTERS)}…` : text;
  return { error: { node, code, message: shown } };
}

const TRIGGER_OF_KIND: Readonly<Record<JobKind, TriggerKind>> = {
  event: 'event',
  batch: 'api',
  draft: 'api',
  child: 'workflow',
};

function triggerView(row: JobRow): Trigger {
  if (row.rerun_of !== null) return { kind: 'rerun', id: row.rerun_of };
  if (row.trigger_kind === null) {
    const kind = TRIGGER_OF_KIND[row.kind];
    return row.parent_job_id === null ? { kind } : { kind, id: row.parent_job_id };
  }
  return {
    kind: row.trigger_kind,
    ...(row.trigger_id === null ? {} : { id: row.trigger_id }),
    ...(row.trigger_due === null ? {} : { dueAt: iso(row.trigger_due) }),
  };
}

/** A job as it is shown to whoever may not see the job that called it. */
export const withoutParent = <T extends Pick<Job, 'parentTaskId' | 'trigger'>>(job: T): T => ({
  ...job,
  parentTaskId: null,
  ...(job.trigger.kind === 'workflow' && { trigger: { kind: job.trigger.kind } }),
});

export interface TaskViewRow extends TaskRow {
  job_id: string;
  child_job_id: string | null;
  input_text: string | null;
  output_text: string | null;
}

/** What of a task is damaged, by name. */
export const damagesOf = ({ input_text, output_text }: TaskViewRow): string[] =>
  [input_text, output_text].flatMap((text) => damageIn(text) ?? []);

/** `input_text` and `output_text` that were cut by the query are no JSON any more and are shown as the text they are. */
export function taskView(row: TaskViewRow, previewCharacters: number): Task {
  return {
    id: row.id,
    jobId: row.job_id,
    node: row.node,
    nodeType: row.type,
    replica: row.replica,
    item: row.item,
    port: row.port,
    state: row.state,
    attempt: row.attempt,
    retryCount: row.retry_count,
    retryEntries: row.entries
      .split('\n')
      .filter((line) => line !== '')
      .map(entryView),
    workerId: row.worker_id,
    childJobId: row.child_job_id,
    readyAt: iso(row.ready_at),
    scheduledAt: isoOrNull(row.scheduled_at),
    startedAt: isoOrNull(row.started_at),
    finishedAt: isoOrNull(row.finished_at),
    retryAt: isoOrNull(row.retry_at),
    input: payloadView(row.input_text, previewCharacters),
    output: payloadView(row.output_text, previewCharacters),
    error: taskErrorFromRow(row),
    history: parseHistory(row.history),
  };
}

function payloadView(text: string | null, previewCharacters: number): unknown {
  // A list says in its warnings what is damaged.
  if (text === null || damageIn(text) !== null) return null;
  return text.length > previewCharacters ? `${text.slice(0, previewCharacters)}…` : parseJson(text);
}

function entryView(line: string): RetryEntry {
  const entry = parseStored<
    Omit<RetryEntry, 'startedAt' | 'failedAt'> & {
      startedAt: number | null;
      failedAt: number;
    }
  >(line);
  return { ...entry, startedAt: isoOrNull(entry.startedAt), failedAt: iso(entry.failedAt) };
}
