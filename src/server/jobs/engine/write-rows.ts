import type { JobStatus } from '../../../contract/vocabulary.ts';
import { jobStatus } from '../../state-machines/job.ts';
import type { Value } from '../../store/port.ts';
import { damageIn, damageMark, isWhole, sumOf } from '../../store/whole.ts';
import type { JobRecord, TaskRecord, TextRef } from './records.ts';
import { sparseInsert, sparseUpdate } from './sparse-statements.ts';
import * as sql from './sql.ts';
import type { Transaction } from './port.ts';

/** Texts longer than this go to a payload of their own. */
const INLINE_CHARACTERS = 16 * 1024;

const insertTask = sparseInsert(
  'task',
  [...sql.TASK_FIXED, ...sql.TASK_CHANGING, 'entries', 'history'],
  [...sql.TASK_FIXED.map(() => null), ...sql.TASK_CHANGING.map(() => null), '', ''],
);
/** Guarded: 0 rows where the task is not as the engine thinks. */
const updateTask = sparseUpdate(
  'task',
  sql.TASK_CHANGING,
  ['entries', 'history'],
  'seq = ? AND state = ? AND attempt = ?',
);
const insertJob = sparseInsert(
  'job',
  [...sql.JOB_FIXED, ...sql.JOB_CHANGING],
  [...sql.JOB_FIXED.map((column) => (column === 'priority' ? 0 : null)), ...sql.JOB_DEFAULTS],
);
const updateJob = sparseUpdate('job', sql.JOB_CHANGING, [], 'seq = ?');

/** Decides where a JSON text is kept, and keeps it there if it is long. */
export function storeText(tx: Transaction, jobSeq: number, text: string): TextRef {
  const sum = sumOf(text);
  if (text.length <= INLINE_CHARACTERS) return { text, sum, payload: null, task: null };
  const payload = tx.memory.totals.nextPayload++;
  tx.db.statement(sql.INSERT_PAYLOAD).run(payload, jobSeq, text, sum);
  return { text: null, sum: null, payload, task: null };
}

/** The text itself, wherever it is kept, or its mark (`store/whole.ts`). `what` names it. */
export function loadText({ db }: Transaction, { text, sum, payload, task }: TextRef, what: string): string {
  if (text !== null) return isWhole(text, sum) ? text : damageMark(what);
  if (payload !== null) return whatIs(db.query<{ text: string }>(sql.PAYLOAD).get(payload)?.text, what);
  return (task === null ? null : db.query<{ text: string | null }>(sql.OUTPUT_OF_TASK).get(task)?.text) ?? 'null';
}

/** A payload that is missing, or not as it was written, by the name of what it is. */
const whatIs = (text: string | undefined, what: string): string =>
  text === undefined || damageIn(text) !== null ? damageMark(what) : text;

/** Inserts or updates the row of a task. Throws where the row is not as the engine thinks, which rolls the turn back. */
export function writeTask({ db }: Transaction, task: TaskRecord): void {
  const { facts, stored } = task;
  const values = taskValues(task);
  if (stored === null) {
    const { seq, id, job, node, replica, item, input } = task;
    const shaped = insertTask([
      seq,
      id,
      job.seq,
      node.id,
      node.type,
      replica,
      item,
      input.text,
      input.sum,
      input.payload,
      input.task,
      ...values,
      task.retryEntries,
      task.historyLines,
    ]);
    db.statement(shaped.sql).run(...shaped.args);
  } else {
    const shaped = updateTask(stored.values, values, [task.retryEntries, task.historyLines]);
    if (shaped && db.statement(shaped.sql).run(...shaped.args, task.seq, stored.state, stored.attempt) !== 1)
      throw new Error(`task ${task.id} is no longer ${stored.state} at attempt ${stored.attempt}`);
  }
  task.stored = { state: facts.state, attempt: facts.attempt, values };
  task.historyLines = '';
  task.retryEntries = '';
}

/** In the order of `TASK_CHANGING`. */
function taskValues({ facts, withheld, node, port, output }: TaskRecord): Value[] {
  const { error } = facts;
  return [
    facts.state,
    facts.attempt,
    facts.retryCount,
    facts.workerId,
    facts.readyAt,
    withheld ? sql.WITHHELD : facts.readyAt + node.scheduleTimeoutMs,
    facts.scheduledAt,
    facts.startedAt,
    facts.finishedAt,
    facts.retryAt,
    error === null ? null : error.code,
    error === null ? null : error.message,
    error === null ? null : Number(error.retryable),
    error?.stack === undefined ? null : JSON.stringify(error.stack),
    port,
    output.text,
    output.sum,
    output.payload,
  ];
}

/** Inserts or updates the row of a job, and notes how the counts of jobs change with it. */
export function writeJob(tx: Transaction, job: JobRecord): void {
  const { facts, stored, plan } = job;
  const status = jobStatus(facts);
  const values = jobValues(job, status);
  if (stored === null) {
    const shaped = insertJob([
      job.seq,
      job.id,
      job.externalId,
      plan.workflowId,
      job.environment,
      plan.commit,
      job.kind,
      plan.response,
      job.inputCount,
      job.replicaTimeoutSeconds,
      job.createdAt,
      job.labels,
      job.priority,
      job.keySeq,
      ...lineageValues(job.lineage),
      job.trace,
      job.startedBy && job.startedBy.kind,
      job.startedBy && job.startedBy.id,
      job.startedBy && job.startedBy.dueAt,
      ...values,
    ]);
    tx.db.statement(shaped.sql).run(...shaped.args);
  } else {
    const shaped = updateJob(stored.values, values, []);
    if (shaped) tx.db.statement(shaped.sql).run(...shaped.args, job.seq);
  }
  if (stored?.status !== status) {
    if (stored) addCount(tx, job, stored.status, -1);
    addCount(tx, job, status, 1);
  }
  const wasOpen = stored !== null && stored.finishedAt === null;
  tx.memory.totals.open += Number(facts.finishedAt === null) - Number(wasOpen);
  job.stored = { status, finishedAt: facts.finishedAt, values };
}

const NO_LINEAGE: readonly Value[] = [null, null, null, null, null];
const lineageValues = (lineage: JobRecord['lineage']): readonly Value[] =>
  lineage === null
    ? NO_LINEAGE
    : [lineage.rerunOf, lineage.rerunNode, lineage.parentTaskId, lineage.parentJobId, lineage.depth];

/** In the order of `JOB_CHANGING`. */
function jobValues(
  { facts, failure, output, replicaDeadline, killedAt, failureAt, createdAt, retriedAt }: JobRecord,
  status: JobStatus,
): Value[] {
  const { counters: c, retrying, updatedAt, finishedAt } = facts;
  return [
    status,
    replicaDeadline,
    updatedAt,
    finishedAt,
    killedAt,
    finishedAt === null ? null : Math.max(0, finishedAt - createdAt),
    c.readyTasks,
    c.scheduledTasks,
    c.runningTasks,
    c.completedTasks,
    c.failedTasks,
    c.scheduleTimeout,
    c.runTimeoutTasks,
    retrying,
    failure === null ? null : failure.taskId,
    failure === null ? null : failure.node,
    failure === null ? null : failure.taskCode,
    failure === null ? null : failure.taskMessage,
    failureAt,
    output.task,
    output.text,
    output.sum,
    output.payload,
    retriedAt,
  ];
}

function addCount(tx: Transaction, job: JobRecord, status: JobStatus, by: number): void {
  const block = Math.floor(job.seq / sql.BLOCK_JOBS);
  const key = `${block} ${countKey(job.plan.workflowId, job.environment, status)}`;
  const known = tx.counts.get(key);
  if (known) known.jobs += by;
  else
    tx.counts.set(key, {
      block,
      workflowId: job.plan.workflowId,
      environment: job.environment ?? '',
      status,
      jobs: by,
    });
}

export function writeCounts(tx: Transaction): void {
  for (const { block, workflowId, environment, status, jobs } of tx.counts.values()) {
    if (jobs !== 0) tx.db.statement(sql.ADD_TO_BLOCK).run(block, workflowId, environment, status, jobs);
  }
}

export const countKey = (workflowId: string, environment: string | null, status: JobStatus): string =>
  `${workflowId} ${environment ?? ''} ${status}`;
