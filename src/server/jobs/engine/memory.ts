import type { JobStatus } from '../../../contract/vocabulary.ts';
import { iso } from '../../../lib/clock.ts';
import type { JobFacts } from '../../machine/job.ts';
import type { TaskFacts } from '../../machine/task.ts';
import type { ReadHandle } from '../../store/port.ts';
import type { Plan } from './plan.ts';
import { createConcurrencyLimits, type ConcurrencyLimits } from '../queue/concurrency-limits.ts';
import type { ReplicaProgress } from './replica-progress.ts';
import type { FailureSearch } from '../lifecycle/remaining-failure.ts';
import { createTurnBudget, type TurnBudget } from './turn-budget.ts';
import { createQueue, type Queue } from '../queue/queue.ts';
import type { JobRecord, TaskRecord, TextRef } from './records.ts';
import type { ForeachWork } from '../foreach/records.ts';
import type { JobRow, TaskRow } from './rows.ts';
import { JOB_CHANGING, OPEN_JOBS, TASK_CHANGING, WAITING_PRIORITIES, WITHHELD } from './sql.ts';

/** Sums over all jobs, kept so that nobody has to count. */
export interface Totals {
  /** READY tasks that may be handed out. */
  ready: number;
  /** READY tasks that may not be handed out yet. */
  withheld: number;
  scheduled: number;
  running: number;
  retrying: number;
  /** Jobs that have not finished. */
  open: number;
  nextJob: number;
  nextTask: number;
  nextPayload: number;
  /** Tasks whose child job is still to be started. */
  childrenDue: number;
}

/** What the engine keeps in memory; all of it can be read back from the database. */
export interface Memory {
  totals: Totals;
  /** Leased tasks by id: no more than the workers' capacity. */
  readonly leased: Map<string, TaskRecord>;
  /** ForeachRecord-outs with more to do than one turn takes, in turn. */
  readonly foreachWork: Map<string, ForeachWork>;
  /** What replicas of large graphs have made, the oldest first, in bounds. */
  readonly progress: Set<ReplicaProgress>;
  /** The head of the queue: READY tasks that need not be read in to be handed out; a part of those in the database. */
  readonly queue: Queue;
  /** Limits on the tasks that run at once of a workflow or an API key. */
  readonly concurrencyLimits: ConcurrencyLimits;
  /** Steps that a slice of long work takes. */
  readonly turnBudget: TurnBudget;
  /** Tasks whose child's input is being checked, by seq. */
  readonly childChecks: Set<number>;
  /** Searches under way for what fails a job. */
  readonly failureSearches: Set<FailureSearch>;
  /** Jobs of those, and those touched in this turn, by seq. */
  readonly jobs: Map<number, JobRecord>;
  readonly jobsById: Map<string, JobRecord>;
  /** Tasks handed out whose rows do not say so yet, see `deferred-writes.ts`. */
  readonly deferredTasks: Set<TaskRecord>;
  /** Jobs that are not in the database yet, see `deferred-writes.ts`. */
  readonly deferredJobs: Set<JobRecord>;
  /** Inputs that are still to become tasks, by the job's seq, see `task-expansion.ts`. */
  readonly pendingInputs: Map<number, number>;
  /** The last FAILED task that the periodic check looked at, where it did not come to the end. */
  retryCursor: { readonly at: number; readonly seq: number };
  /** The same among those that are due later, while the clock is set back. */
  retryAheadCursor: { readonly at: number; readonly seq: number };
  /** Jobs by `countKey`. */
  readonly counts: Map<string, { workflowId: string; environment: string; status: JobStatus; jobs: number }>;
}

export const countKey = (workflowId: string, environment: string | null, status: JobStatus): string =>
  `${workflowId} ${environment ?? ''} ${status}`;

/** Reads the sums; leases are recovered apart. */
export function openMemory(db: ReadHandle, pace: TurnBudget = createTurnBudget()): Memory {
  const number = (sql: string) => db.query<{ n: number | null }>(sql).get()?.n ?? 0;
  const inState = (state: string) =>
    number(`SELECT count(*) AS n FROM task WHERE state = '${state}' AND state <> 'COMPLETED'`);
  const withheld = number(`SELECT count(*) AS n FROM task WHERE state = 'READY' AND ready_deadline = ${WITHHELD}`);
  const rows = db
    .query<{ workflow_id: string; environment: string; status: JobStatus; jobs: number }>(
      'SELECT workflow_id, environment, status, sum(jobs) AS jobs FROM job_block GROUP BY 1, 2, 3',
    )
    .all();
  const concurrencyLimits = createConcurrencyLimits();
  const queue = createQueue(concurrencyLimits);
  for (const { priority } of db.query<{ priority: number }>(WAITING_PRIORITIES).all())
    queue.level(priority).hasUnread = true;
  return {
    totals: {
      ready: inState('READY') - withheld,
      withheld,
      scheduled: inState('SCHEDULED'),
      running: inState('RUNNING'),
      retrying: number('SELECT count(*) AS n FROM task WHERE retry_at IS NOT NULL'),
      open: number(`SELECT count(*) AS n FROM job WHERE ${OPEN_JOBS}`),
      nextJob: number('SELECT max(seq) AS n FROM job') + 1,
      nextTask: number('SELECT max(seq) AS n FROM task') + 1,
      childrenDue: number('SELECT count(*) AS n FROM child_due'),
      nextPayload: number('SELECT max(id) AS n FROM payload') + 1,
    },
    leased: new Map(),
    foreachWork: new Map(),
    progress: new Set(),
    queue,
    concurrencyLimits,
    turnBudget: pace,
    failureSearches: new Set(),
    childChecks: new Set(),
    jobs: new Map(),
    jobsById: new Map(),
    deferredTasks: new Set(),
    deferredJobs: new Set(),
    retryCursor: { at: 0, seq: 0 },
    retryAheadCursor: { at: 0, seq: 0 },
    pendingInputs: new Map(
      db
        .query<{ job: number; n: number }>('SELECT job, sum(count - begun) AS n FROM unborn GROUP BY job')
        .all()
        .map(({ job, n }) => [job, n]),
    ),
    counts: new Map(
      rows.map((row) => [
        countKey(row.workflow_id, row.environment, row.status),
        { workflowId: row.workflow_id, environment: row.environment, status: row.status, jobs: row.jobs },
      ]),
    ),
  };
}

const textRef = (text: string | null, payload: number | null, task: number | null): TextRef => ({
  text,
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
    output: textRef(row.output, row.output_payload, row.output_task),
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
export function taskFromRow(row: TaskRow, job: JobRecord): TaskRecord {
  const known = job.plan.nodes.get(row.node);
  const node = row.item === null ? known : (known?.foreach?.item ?? known);
  if (!node)
    throw new Error(
      `task ${row.id} of ${iso(row.ready_at)} names node ${row.node}, which commit ${job.plan.commit} does not have`,
    );
  return {
    seq: row.seq,
    id: row.id,
    job,
    node,
    replica: row.replica,
    item: row.item,
    facts: taskFactsFromRow(row),
    withheld: row.state === 'READY' && row.ready_deadline === WITHHELD,
    input: textRef(row.input, row.input_payload, row.input_task),
    output: textRef(row.output, row.output_payload, null),
    port: row.port,
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
    error:
      row.error_code === null
        ? null
        : { code: row.error_code, message: row.error_message ?? '', retryable: row.error_retryable === 1 },
  };
}
