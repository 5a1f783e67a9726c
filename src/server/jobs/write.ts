import { jobStatus } from '../machine/job.ts';
import type { JobStatus } from '../../contract/vocabulary.ts';
import { countKey } from './memory.ts';
import type { JobRecord, TaskRecord, TextRef } from './records.ts';
import * as sql from './sql.ts';
import type { Unit } from './unit.ts';

/** Texts longer than this go to a payload of their own. */
const INLINE_CHARACTERS = 16 * 1024;

/** Decides where a JSON text is kept, and keeps it there if it is long. */
export function keepText(unit: Unit, jobSeq: number, text: string): TextRef {
  if (text.length <= INLINE_CHARACTERS) return { text, payload: null, task: null };
  const payload = unit.memory.totals.nextPayload++;
  unit.db.statement(sql.INSERT_PAYLOAD).run(payload, jobSeq, text);
  return { text: null, payload, task: null };
}

/** Inserts or updates the row of a task. Throws where the row is not as the engine thinks, which rolls the turn back. */
export function writeTask({ db }: Unit, task: TaskRecord): void {
  const { facts, node, output, stored } = task;
  const { error } = facts;
  const retryable = error === null ? null : Number(error.retryable);
  const deadline = facts.readyAt + node.scheduleTimeoutMs;
  if (stored === null) {
    const { input } = task;
    db.statement(sql.INSERT_TASK).run(
      task.seq, task.id, task.job.seq, node.id, node.type, task.replica, task.item, input.text, input.payload, input.task,
      facts.state, facts.attempt, facts.retryCount, facts.workerId, facts.readyAt, deadline, facts.scheduledAt, facts.startedAt, facts.finishedAt, facts.retryAt,
      error?.code ?? null, error?.message ?? null, retryable, task.port, output.text, output.payload,
      task.entries, task.lines,
    );
  } else {
    const changed = db.statement(sql.UPDATE_TASK).run(
      facts.state, facts.attempt, facts.retryCount, facts.workerId, facts.readyAt, deadline, facts.scheduledAt, facts.startedAt, facts.finishedAt, facts.retryAt,
      error?.code ?? null, error?.message ?? null, retryable, task.port, output.text, output.payload,
      task.entries, task.lines, task.seq, stored.state, stored.attempt,
    );
    if (changed !== 1) throw new Error(`task ${task.id} is not ${stored.state} at attempt ${stored.attempt} any more`);
  }
  task.stored = { state: facts.state, attempt: facts.attempt };
  task.lines = '';
  task.entries = '';
}

/** Inserts or updates the row of a job, and notes how the counts of jobs change with it. */
export function writeJob(unit: Unit, job: JobRecord, before: JobRecord): void {
  const { facts, stored } = job;
  if (stored === null) unit.db.statement(sql.INSERT_JOB).run(job.seq, job.id, job.externalId, job.plan.workflowId, job.environment, job.plan.commit, job.kind, job.plan.response, job.inputCount, job.replicaTimeoutSeconds, job.createdAt, ...changing(job));
  else if (onlyCounted(job, before)) unit.db.statement(sql.COUNT_JOB).run(facts.updatedAt, ...counters(job), job.seq);
  else unit.db.statement(sql.UPDATE_JOB).run(...changing(job), job.seq);
  const status = jobStatus(facts);
  if (stored?.status !== status) {
    if (stored) addCount(unit, job, stored.status, -1);
    addCount(unit, job, status, 1);
  }
  const { totals } = unit.memory;
  const wasOpen = stored !== null && stored.finishedAt === null;
  totals.open += Number(facts.finishedAt === null) - Number(wasOpen);
  job.stored = { status, finishedAt: facts.finishedAt };
}

const onlyCounted = (job: JobRecord, before: JobRecord): boolean =>
  job.facts.finishedAt === before.facts.finishedAt && job.failure === before.failure && job.output === before.output && job.killedAt === before.killedAt && job.replicaDeadline === before.replicaDeadline;

function counters({ facts: { counters: c, retrying } }: JobRecord): number[] {
  return [c.readyTasks, c.scheduledTasks, c.runningTasks, c.completedTasks, c.failedTasks, c.scheduleTimeout, c.runTimeoutTasks, retrying];
}

function changing(job: JobRecord): (string | number | null)[] {
  const { facts, failure, output } = job;
  const duration = facts.finishedAt === null ? null : Math.max(0, facts.finishedAt - job.createdAt);
  return [
    job.replicaDeadline, facts.updatedAt, facts.finishedAt, job.killedAt, duration, ...counters(job),
    failure?.taskId ?? null, failure?.node ?? null, failure?.taskCode ?? null, failure?.taskMessage ?? null, job.failureAt,
    output.task, output.text, output.payload,
  ];
}

function addCount(unit: Unit, job: JobRecord, status: JobStatus, by: number): void {
  const key = countKey(job.plan.workflowId, job.environment, status);
  const known = unit.counts.get(key);
  if (known) known.jobs += by;
  else unit.counts.set(key, { workflowId: job.plan.workflowId, environment: job.environment ?? '', status, jobs: by });
}

export function writeCounts(unit: Unit): void {
  for (const { workflowId, environment, status, jobs } of unit.counts.values()) {
    if (jobs !== 0) unit.db.statement(sql.ADD_COUNT).run(workflowId, environment, status, jobs);
  }
}
