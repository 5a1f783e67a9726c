import { expect } from 'vitest';
import { COUNTER_OF, taskStateForCounter, type TaskState } from '../../contract/vocabulary.ts';
import { parseHistory } from '../state-machines/task-history.ts';
import type { JobRow, TaskRow } from '../jobs/engine/rows.ts';
import type { ModelHarness, ModelWorker } from './model-harness.fixture.ts';

type Row = TaskRow & { job_id: string; history: string; entries: string; output_text: string | null };

const TASKS =
  'SELECT t.*, j.id AS job_id, coalesce(t.output, p.text) AS output_text FROM task t LEFT JOIN job j ON j.seq = t.job LEFT JOIN payload p ON p.id = t.output_payload';

/** Steps that a task may take. */
const NEXT: Readonly<Record<TaskState, readonly TaskState[]>> = {
  READY: ['SCHEDULED', 'SCHEDULE_TIMEOUT', 'FAILED'],
  SCHEDULED: ['RUNNING', 'FAILED'],
  RUNNING: ['COMPLETED', 'FAILED', 'RUN_TIMEOUT'],
  COMPLETED: [],
  FAILED: ['READY', 'FAILED'],
  SCHEDULE_TIMEOUT: ['READY'],
  RUN_TIMEOUT: ['READY'],
};
const EXECUTING: readonly (TaskState | null)[] = ['SCHEDULED', 'RUNNING'];
const ENDS: readonly TaskState[] = ['COMPLETED', 'FAILED', 'RUN_TIMEOUT'];

/** What was seen of tasks, and what was done to jobs by hand; it outlives the master. */
export interface TaskObservations {
  readonly tasks: Map<string, { attempt: number; state: TaskState; retryAt: number | null; output: string | null }>;
  /** Outputs that workers reported, by task, attempt and worker. */
  readonly reported: Map<string, Set<string>>;
  /** Jobs (and their children) that were retried by hand: only then do tasks leave a final state. */
  readonly retried: Set<string>;
}
export const newObservations = (): TaskObservations => ({ tasks: new Map(), reported: new Map(), retried: new Set() });
export const leaseKey = (task: string, attempt: number, worker: string | null): string =>
  `${task} ${attempt} ${worker}`;

/** All that must hold after every step, whatever came before. */
export async function assertInvariants(
  stage: ModelHarness,
  workers: ReadonlyMap<string, ModelWorker>,
  memoir: TaskObservations,
): Promise<void> {
  await stage.jobs.list({ page: 0, size: 1, sort: 'createdAt,desc' });
  const { read } = stage.store;
  const jobs = read.query<JobRow>('SELECT * FROM job').all();
  const tasks = read.query<Row>(TASKS).all();
  const unborn = new Set(
    read
      .query<{ job: number }>('SELECT DISTINCT job FROM unborn')
      .all()
      .map(({ job }) => job),
  );
  const busyFans = new Set(
    read
      .query<{ job: number }>("SELECT DISTINCT job FROM fan_out WHERE phase <> 'done'")
      .all()
      .map(({ job }) => job),
  );
  const byJob = Map.groupBy(tasks, ({ job }) => job);
  expect(stage.errors).toEqual([]);
  for (const job of jobs) assertJob(job, byJob.get(job.seq) ?? [], unborn.has(job.seq), busyFans.has(job.seq));
  for (const task of tasks) assertTask(task, memoir);
  assertLeases(tasks, workers);
  await assertTotals(stage, jobs, tasks);
}

function assertJob(job: JobRow, tasks: readonly Row[], unborn: boolean, fanning: boolean): void {
  const told = `job ${job.id} ${JSON.stringify({ status: job.status, finished: job.finished_at, unborn, fanning })} of ${tasks.map(({ node, item, state, retry_at: at }) => `${node}.${item}:${state}${at === null ? '' : '…'}`).join(' ')}`;
  const counters = {
    readyTasks: job.ready,
    scheduledTasks: job.scheduled,
    runningTasks: job.running,
    completedTasks: job.completed,
    failedTasks: job.failed,
    scheduleTimeout: job.schedule_timeout,
    runTimeoutTasks: job.run_timeout,
  };
  const counted = { ...counters };
  for (const name of Object.keys(counted) as (keyof typeof counted)[]) counted[name] = 0;
  for (const { state } of tasks) counted[COUNTER_OF[state]]++;
  expect(counters, told).toEqual(counted);
  expect(job.status, told).toBe(taskStateForCounter(counters));
  expect(job.retrying, told).toBe(tasks.filter(({ retry_at }) => retry_at !== null).length);
  const open = job.ready + job.scheduled + job.running + job.retrying > 0;
  if (open) expect(job.finished_at, told).toBeNull();
  else if (!unborn && !fanning) expect(job.finished_at, told).not.toBeNull();
  // Nobody sees a job done that has more to come.
  if (unborn && job.status === 'COMPLETED') expect.fail(`${told}: COMPLETED before all its inputs were born`);
}

function assertTask(task: Row, memoir: TaskObservations): void {
  const told = `task ${task.id} (${task.node}.${task.item}) ${task.state} attempt ${task.attempt}\n${task.history}`;
  expect(task.job_id, told).not.toBeNull();
  const entries = task.entries.split('\n').filter((line) => line !== '');
  expect(task.attempt, told).toBe(entries.length + 1);
  if (task.retry_at !== null) expect(task.state, told).toBe('FAILED');
  if (EXECUTING.includes(task.state) && task.type !== 'workflow') expect(task.worker_id, told).not.toBeNull();
  assertHistory(task, told);
  if (task.state === 'COMPLETED') assertOutput(task, memoir, told);
  const before = memoir.tasks.get(task.id);
  if (before) {
    expect(task.attempt, `${told}: attempts never go back`).toBeGreaterThanOrEqual(before.attempt);
    if (before.state === 'COMPLETED')
      expect([task.state, task.output_text], `${told}: what is done stays`).toEqual(['COMPLETED', before.output]);
    const final =
      before.state === 'SCHEDULE_TIMEOUT' ||
      before.state === 'RUN_TIMEOUT' ||
      (before.state === 'FAILED' && before.retryAt === null);
    if (final && !memoir.retried.has(task.job_id))
      expect(task.state, `${told}: only a person leads out of ${before.state}`).toBe(before.state);
  }
  memoir.tasks.set(task.id, {
    attempt: task.attempt,
    state: task.state,
    retryAt: task.retry_at,
    output: task.output_text,
  });
}

function assertHistory(task: Row, told: string): void {
  let state: TaskState | null = null;
  let attempt = 1;
  const results = new Map<number, number>();
  for (const step of parseHistory(task.history)) {
    expect(step.from, told).toBe(state);
    if (state === null) expect(step.to, told).toBe('READY');
    else expect(NEXT[state], told).toContain(step.to);
    expect(step.attempt, told).toBe(step.to === 'READY' && state !== null ? attempt + 1 : attempt);
    ({ attempt } = step);
    if (EXECUTING.includes(step.from) && ENDS.includes(step.to)) results.set(attempt, (results.get(attempt) ?? 0) + 1);
    state = step.to;
  }
  expect(state, told).toBe(task.state);
  expect(attempt, told).toBe(task.attempt);
  for (const [of, count] of results) expect(count, `${told}: attempt ${of} has one result`).toBe(1);
}

/** What is kept is what the worker of that very lease reported. */
function assertOutput(task: Row, { reported }: TaskObservations, told: string): void {
  if (task.worker_id === null) return;
  expect([...(reported.get(leaseKey(task.id, task.attempt, task.worker_id)) ?? [])], told).toContain(task.output_text);
}

function assertLeases(tasks: readonly Row[], workers: ReadonlyMap<string, ModelWorker>): void {
  for (const { id, poolWorker, joined } of workers.values()) {
    const leased = tasks.filter(({ worker_id, state }) => worker_id === id && EXECUTING.includes(state));
    expect(poolWorker.load, `${id} holds ${leased.map((task) => task.id).join(', ')}`).toBe(leased.length);
    if (joined) expect(leased.length, `no more than it has room for`).toBeLessThanOrEqual(poolWorker.capacity);
  }
}

/** What memory says is what the rows say; and nothing waits while somebody could take it. */
async function assertTotals(stage: ModelHarness, jobs: readonly JobRow[], tasks: readonly Row[]): Promise<void> {
  const { tasks: totals, jobs: open } = await stage.jobs.overview();
  const count = (state: TaskState) => tasks.filter((task) => task.state === state).length;
  expect(totals).toEqual({
    ready: count('READY'),
    scheduled: count('SCHEDULED'),
    running: count('RUNNING'),
    retrying: tasks.filter(({ retry_at }) => retry_at !== null).length,
  });
  expect(open.running).toBe(jobs.filter(({ finished_at }) => finished_at === null).length);
}
