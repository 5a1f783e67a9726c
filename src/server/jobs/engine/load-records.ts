import { Fault } from '../../../lib/fault.ts';
import { NO_TEXT, type JobRecord, type TaskRecord, type TextRef } from './records.ts';
import { taskErrorFromRow, type JobRow, type ReadyRow, type TaskRow } from './rows.ts';
import { JOB_BY_SEQ, JOB_CHANGING, TASK_BY_SEQ, TASK_CHANGING, WITHHELD } from './sql.ts';
import { touchJob } from './transaction.ts';
import { iso } from '../../../lib/clock.ts';
import type { JobFacts } from '../../state-machines/job.ts';
import { newTask, type TaskFacts } from '../../state-machines/task.ts';
import type { Value } from '../../store/port.ts';
import type { Plan, PlanNode } from './plan.ts';
import type { Transaction } from './port.ts';

/** The job's record, from memory or read in. */
export function loadJob(tx: Transaction, seq: number): JobRecord {
  const known = tx.memory.jobs.get(seq);
  if (known) return known;
  const row = tx.db.query<JobRow>(JOB_BY_SEQ).get(seq);
  // It was there when the caller looked: old jobs are removed at any time.
  if (!row) throw new Fault('JOB_NOT_FOUND', 'the job was deleted');
  const job = jobFromRow(row, tx.plan(row.workflow_id, row.commit_hash));
  tx.memory.jobs.set(seq, job);
  tx.memory.jobsById.set(job.id, job);
  touchJob(tx, job);
  return job;
}

/** The task's record: the one in memory, or made from its row. Flush before reading rows. */
export function loadTask(tx: Transaction, row: TaskRow): TaskRecord {
  return tx.memory.leased.get(row.id) ?? tx.memory.queue.get(row.id) ?? taskFromRow(row, loadJob(tx, row.job));
}

const textRef = (text: string | null, sum: number | null, payload: number | null, task: number | null): TextRef => ({
  text,
  sum,
  payload,
  task,
});

export function jobFromRow(row: JobRow, plan: Plan): JobRecord {
  return {
    seq: row.seq,
    id: row.id,
    plan,
    environment: row.environment,
    kind: row.kind,
    externalId: row.external_id,
    labels: row.labels,
    trace: row.trace,
    startedBy:
      row.trigger_kind === null ? null : { kind: row.trigger_kind, id: row.trigger_id ?? '', dueAt: row.trigger_due },
    inputCount: row.input_count,
    createdAt: row.created_at,
    priority: row.priority,
    keySeq: row.key_seq,
    replicaTimeoutSeconds: row.replica_timeout_s,
    facts: jobFactsFromRow(row),
    replicaDeadline: row.replica_deadline,
    killedAt: row.killed_at,
    retriedAt: row.retried_at,
    failure: jobFailure(row),
    failureAt: row.failure_at,
    output: textRef(row.output, row.output_sum, row.output_payload, row.output_task),
    held: 0,
    lineage: {
      rerunOf: row.rerun_of,
      rerunNode: row.rerun_node,
      parentTaskId: row.parent_task_id,
      parentJobId: row.parent_job_id,
      depth: row.depth,
    },
    foreachRecords: null,
    progress: null,
    unwritten: null,
    stored: { status: row.status, finishedAt: row.finished_at, values: JOB_CHANGING.map((column) => row[column]) },
  };
}

export const jobFailure = (row: JobRow): JobRecord['failure'] =>
  row.failure_task === null
    ? null
    : {
        taskId: row.failure_task,
        node: row.failure_node ?? '',
        taskCode: row.failure_code ?? '',
        taskMessage: row.failure_message ?? '',
      };

export function jobFactsFromRow(row: JobRow): JobFacts {
  return {
    counters: {
      readyTasks: row.ready,
      scheduledTasks: row.scheduled,
      runningTasks: row.running,
      completedTasks: row.completed,
      failedTasks: row.failed,
      scheduleTimeout: row.schedule_timeout,
      runTimeoutTasks: row.run_timeout,
    },
    retrying: row.retrying,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  };
}

/** Throws where the job's commit has no such node, which only a damaged database can bring about. */
function nodeOf(row: Pick<TaskRow, 'id' | 'node' | 'item' | 'ready_at'>, { plan }: JobRecord): PlanNode {
  const known = plan.nodes.get(row.node);
  const node = row.item === null ? known : (known?.foreach?.item ?? known);
  if (!node)
    throw new Error(
      `task ${row.id} of ${iso(row.ready_at)} runs node ${row.node}, which does not exist in commit ${plan.commit}`,
    );
  return node;
}

/** The record of a READY task that is not in memory. */
export function readyTask({ db }: Pick<Transaction, 'db'>, row: ReadyRow, job: JobRecord): TaskRecord {
  const { seq, id, replica, item, attempt, retry_count: retryCount, ready_at: readyAt, ready_deadline: deadline } = row;
  const whole = row.is_plain === 1 ? undefined : db.query<TaskRow>(TASK_BY_SEQ).get(seq);
  if (whole) return taskFromRow(whole, job);
  // In the order of `TASK_CHANGING`.
  const begun: Value[] = ['READY', attempt, retryCount, null, readyAt, deadline, null, null, null, null];
  const values: Value[] = [...begun, null, null, null, null, null, null, null, null];
  return {
    seq,
    id,
    job,
    node: nodeOf(row, job),
    replica,
    item,
    facts: { ...newTask(readyAt, retryCount), attempt },
    withheld: false,
    input: textRef(row.input, row.input_sum, row.input_payload, row.input_task),
    output: NO_TEXT,
    port: null,
    leasedAs: 'other',
    chain: [],
    inputBytes: 0,
    inputEvents: 1,
    historyLines: '',
    retryEntries: '',
    stored: { state: 'READY', attempt, values },
  };
}

export function taskFromRow(row: TaskRow, job: JobRecord): TaskRecord {
  return {
    seq: row.seq,
    id: row.id,
    job,
    node: nodeOf(row, job),
    replica: row.replica,
    item: row.item,
    facts: taskFactsFromRow(row),
    withheld: row.state === 'READY' && row.ready_deadline === WITHHELD,
    input: textRef(row.input, row.input_sum, row.input_payload, row.input_task),
    output: textRef(row.output, row.output_sum, row.output_payload, null),
    port: row.port,
    leasedAs: 'other',
    chain: [],
    inputBytes: 0,
    inputEvents: 1,
    historyLines: '',
    retryEntries: '',
    stored: { state: row.state, attempt: row.attempt, values: TASK_CHANGING.map((column) => row[column]) },
  };
}

function taskFactsFromRow(row: TaskRow): TaskFacts {
  return {
    state: row.state,
    attempt: row.attempt,
    retryCount: row.retry_count,
    workerId: row.worker_id,
    readyAt: row.ready_at,
    scheduledAt: row.scheduled_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    retryAt: row.retry_at,
    error: taskErrorFromRow(row),
  };
}
