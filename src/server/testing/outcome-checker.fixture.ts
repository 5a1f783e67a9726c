import { isDeepStrictEqual } from 'node:util';
import type { Job } from '../../contract/jobs.ts';
import type { Task } from '../../contract/tasks.ts';

/**
 * Decides whether masters kept their word, by what everybody can read of them: every job that was acknowledged exists, has ended
 * and has the right output; nothing was done twice; each task has one result; no limit was passed.
 */

/** A call that somebody sent, under its idempotency key, which is its external ID too. */
export interface Call {
  readonly key: string;
  readonly workflowId: string;
  readonly inputs: readonly unknown[];
  readonly output: readonly unknown[];
  /** Of each answer that acknowledged it, in their order: all must be the same. */
  readonly jobIds: readonly string[];
}

/** The public API, as far as it takes. */
export interface Reader {
  /** All there are, of every kind. */
  jobs(): Promise<Job[]>;
  tasks(jobId: string): Promise<Task[]>;
  output(jobId: string): Promise<unknown[]>;
}

export interface Limit {
  readonly workflowId: string;
  /** Tasks at once. */
  readonly most: number;
}

/** One sentence for each broken promise; none: all were kept. To be asked when no job runs any more. */
export async function brokenPromises(
  reader: Reader,
  calls: readonly Call[],
  limits: readonly Limit[] = [],
): Promise<string[]> {
  const broken: string[] = [];
  const jobs = await reader.jobs();
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const tasksOf = new Map<string, Task[]>();
  for (const job of jobs) {
    const tasks = await reader.tasks(job.id);
    tasksOf.set(job.id, tasks);
    broken.push(...faultsOfJob(job, tasks));
  }
  for (const call of calls) {
    const [jobId, ...others] = new Set(call.jobIds);
    if (others.length > 0) broken.push(`call ${call.key} was acknowledged as ${[jobId, ...others].join(' and as ')}`);
    for (const id of new Set(call.jobIds)) {
      const job = byId.get(id);
      if (!job) broken.push(`job ${id} of call ${call.key} was acknowledged and is lost`);
      else broken.push(...(await faultsOfCall(call, job, reader)));
    }
  }
  broken.push(...doubles(jobs, calls));
  for (const limit of limits) {
    const tasks = jobs.flatMap((job) => (job.workflowId === limit.workflowId ? (tasksOf.get(job.id) ?? []) : []));
    const most = mostAtOnce(tasks);
    if (most > limit.most)
      broken.push(`${most} tasks of ${limit.workflowId} ran at once, though its limit is ${limit.most}`);
  }
  return broken;
}

function faultsOfJob(job: Job, tasks: readonly Task[]): string[] {
  const broken: string[] = [];
  if (job.finishedAt === null) broken.push(`job ${job.id} has not ended: ${job.status}`);
  const places = new Set<string>();
  for (const task of tasks) {
    const place = `${task.node}, input ${task.replica}, item ${task.item ?? '-'}`;
    if (places.has(place)) broken.push(`job ${job.id} has two tasks for ${place}`);
    places.add(place);
    broken.push(...faultsOfTask(task));
  }
  const { completedTasks } = job.taskCounters;
  const completed = tasks.filter(({ state }) => state === 'COMPLETED').length;
  if (completedTasks !== completed)
    broken.push(`job ${job.id} counts ${completedTasks} completed tasks and has ${completed}`);
  return broken;
}

/** A result is recorded once, at the last attempt; what was recorded before it is never taken back. */
function faultsOfTask({ id, state, attempt, history }: Task): string[] {
  const broken: string[] = [];
  const results = history.filter(({ to }) => to === 'COMPLETED');
  if (state === 'COMPLETED' && results.length !== 1)
    broken.push(`task ${id} has ${results.length} results: ${JSON.stringify(history)}`);
  else if (state === 'COMPLETED' && (results[0]?.attempt !== attempt || history.at(-1) !== results[0]))
    broken.push(`task ${id} went on after its result: ${JSON.stringify(history)}`);
  for (const [i, { from, attempt: number }] of history.entries()) {
    const before = history[i - 1];
    if (before && from !== before.to) broken.push(`task ${id} left ${from} while it was ${before.to}`);
    if (before && number < before.attempt) broken.push(`task ${id} went back to attempt ${number}`);
  }
  return broken;
}

async function faultsOfCall(call: Call, job: Job, reader: Reader): Promise<string[]> {
  const broken: string[] = [];
  if (job.workflowId !== call.workflowId || job.inputCount !== call.inputs.length || job.externalId !== call.key)
    broken.push(`job ${job.id} is another one than call ${call.key} asked for: ${JSON.stringify(job)}`);
  if (job.status !== 'COMPLETED') {
    broken.push(`job ${job.id} of call ${call.key} is ${job.status}`);
    return broken;
  }
  const output = await reader.output(job.id);
  if (!isDeepStrictEqual(output, call.output))
    broken.push(
      `job ${job.id} of call ${call.key} came to ${JSON.stringify(output)} rather than ${JSON.stringify(call.output)}`,
    );
  return broken;
}

function doubles(jobs: readonly Job[], calls: readonly Call[]): string[] {
  const known = new Set(calls.map(({ key }) => key));
  const broken: string[] = [];
  for (const [key, same] of Map.groupBy(
    jobs.filter(({ externalId }) => externalId !== null),
    (job) => job.externalId ?? '',
  )) {
    if (same.length > 1) broken.push(`call ${key} made ${same.length} jobs: ${same.map(({ id }) => id).join(', ')}`);
    if (!known.has(key)) broken.push(`job ${same[0]?.id} is of call ${key}, which nobody sent`);
  }
  for (const [task, children] of Map.groupBy(
    jobs.filter(({ parentTaskId }) => parentTaskId !== null),
    (job) => job.parentTaskId ?? '',
  ))
    if (children.length > 1)
      broken.push(`task ${task} made ${children.length} child jobs: ${children.map(({ id }) => id).join(', ')}`);
  return broken;
}

const HOLDS_A_PLACE = new Set(['SCHEDULED', 'RUNNING']);

/** How many were with workers at the same time, by their histories. */
export function mostAtOnce(tasks: readonly Task[]): number {
  const changes: [at: number, by: 1 | -1][] = [];
  for (const { nodeType, history } of tasks) {
    // It waits for its child and holds no place.
    if (nodeType === 'workflow') continue;
    for (const [i, { from, to, at }] of history.entries()) {
      const held = i > 0 && from !== null && HOLDS_A_PLACE.has(from);
      const holds = HOLDS_A_PLACE.has(to);
      if (held !== holds) changes.push([Date.parse(at), holds ? 1 : -1]);
    }
  }
  // Of what is told to have happened in the same millisecond, a place is given back before it is taken.
  changes.sort(([a, by], [b, other]) => a - b || by - other);
  let now = 0;
  let most = 0;
  for (const [, by] of changes) most = Math.max(most, (now += by));
  return most;
}
