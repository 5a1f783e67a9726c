import type { QueryClient } from '@tanstack/react-query';
import type { Job } from '../../contract/jobs.ts';
import type { Operation } from '../../contract/operations.ts';
import type { Page } from '../../contract/shapes.ts';
import type { StreamEvent } from '../../contract/stream.ts';
import type { Task } from '../../contract/tasks.ts';
import type { Worker } from '../../contract/workers.ts';
import { accessKeys } from '../api/access.ts';
import { jobListMayDiffer } from './job-list-may-differ.ts';
import { jobKeys, taskKeys, type JobListParams } from '../api/jobs.ts';
import { failureKeys } from '../api/failures.ts';
import { operationKeys } from '../api/operations.ts';
import { alertKeys } from '../api/alerts.ts';
import { approvalKeys } from '../api/approvals.ts';
import { overviewKeys } from '../api/overview.ts';
import { workerKeys } from '../api/workers.ts';
import { workflowKeys } from '../api/workflows.ts';

/** Caches that live changes touch: refreshed when the stream is down, and all at once after a reset. */
export const LIVE_QUERY_KEYS: readonly (readonly string[])[] = [
  // Whoever gets or loses a role is cut off, and comes anew.
  accessKeys.session,
  jobKeys.all,
  taskKeys.all,
  workerKeys.all,
  workflowKeys.all,
  overviewKeys.overview,
  operationKeys.all,
  failureKeys.all,
  alertKeys.all,
  approvalKeys.all,
];

type TaskSummary = Extract<StreamEvent, { event: 'task' }>['data'];

/**
 * Puts a batch of live changes into the query caches and answers which keys must be read again (lists whose filter,
 * order or totals may have changed; parts that a summary does not carry). The newest summary of an entity wins.
 */
export function applyEvents(client: QueryClient, events: readonly StreamEvent[]): (readonly unknown[])[] {
  const jobs = new Map<string, Job>();
  const tasks = new Map<string, TaskSummary>();
  const workers = new Map<string, Worker>();
  const again = new Map<string, readonly unknown[]>();
  const readAgain = (key: readonly unknown[]) => again.set(JSON.stringify(key), key);
  /** Where it is being read, it is read once more: the answer on its way may be older than the change. False where nobody has it. */
  function put<T>(key: readonly unknown[], change: (old: T) => T): boolean {
    const state = client.getQueryState<T>(key);
    if (state === undefined) return false;
    if (state.data !== undefined) client.setQueryData<T>(key, change(state.data));
    if (state.fetchStatus === 'fetching') readAgain(key);
    return true;
  }

  for (const { event, data } of events) {
    if (event === 'job') jobs.set(data.id, data);
    else if (event === 'task') tasks.set(data.id, data);
    else if (event === 'worker') workers.set(data.id, data);
    else if (event === 'operation') {
      put<Operation>(operationKeys.one(data.operationId), (old) => ({ ...old, ...data }));
      client.setQueriesData<Page<Operation>>(
        { queryKey: operationKeys.lists },
        (page) =>
          page && {
            ...page,
            items: page.items.map((one) => (one.operationId === data.operationId ? { ...one, ...data } : one)),
          },
      );
      for (const key of [operationKeys.lists, operationKeys.resultsOf(data.operationId)]) readAgain(key);
    } else if (event === 'approval') readAgain(approvalKeys.all);
    else if (event === 'alert') readAgain(alertKeys.all);
    else if (event === 'publication') for (const key of [workflowKeys.all, overviewKeys.overview]) readAgain(key);
  }

  if (jobs.size > 0) {
    for (const key of jobListsToRead(client, jobs)) readAgain(key);
    // A job comes whole: what its row lacks by now, such as an error that a retry has fixed, goes with it.
    patchPages(client, jobKeys.lists, jobs, (_row, job) => job);
    for (const job of jobs.values()) {
      if (put<Job>(jobKeys.one(job.id), () => job) && job.finishedAt !== null) readAgain(jobKeys.output(job.id));
    }
    readAgain(overviewKeys.overview);
    if ([...jobs.values()].some(({ status }) => status !== 'RUNNING' && status !== 'COMPLETED' && status !== 'EMPTY'))
      readAgain(failureKeys.all);
  }
  if (tasks.size > 0) {
    const shown = jobsWithTaskLists(client);
    for (const jobId of new Set([...tasks.values()].map((task) => task.jobId))) {
      if (!shown.has(jobId)) continue;
      patchPages<Task>(client, jobKeys.tasksOf(jobId), tasks);
      readAgain(jobKeys.tasksOf(jobId));
    }
    for (const task of tasks.values()) {
      if (put<Task>(taskKeys.one(task.id), (old) => ({ ...old, ...task }))) readAgain(taskKeys.one(task.id));
    }
  }
  if (workers.size > 0) {
    const missing = patchPages(client, workerKeys.lists, workers);
    for (const worker of workers.values()) put(workerKeys.one(worker.id), () => worker);
    if (missing || client.isFetching({ queryKey: workerKeys.lists }) > 0) readAgain(workerKeys.lists);
    readAgain(overviewKeys.overview);
  }
  return [...again.values()];
}

/** The lists that a change of rows in place does not keep right; also those on their way, whose answer may be older. */
function jobListsToRead(client: QueryClient, changed: ReadonlyMap<string, Job>): (readonly unknown[])[] {
  return client
    .getQueryCache()
    .findAll({ queryKey: jobKeys.lists })
    .filter(
      ({ queryKey, state }) =>
        state.fetchStatus === 'fetching' ||
        // Keys of lists are made by `jobKeys.list` alone.
        jobListMayDiffer(queryKey[2] as JobListParams, state.data as Page<Job> | undefined, changed),
    )
    .map(({ queryKey }) => queryKey);
}

/** Most tasks that change belong to jobs that nobody looks at; these are told apart by one walk over the cache. */
function jobsWithTaskLists(client: QueryClient): ReadonlySet<unknown> {
  const lists = client
    .getQueryCache()
    .findAll({ predicate: ({ queryKey: [noun, part] }) => noun === jobKeys.all[0] && part === 'tasks' });
  return new Set(lists.map(({ queryKey }) => queryKey[2]));
}

/** Replaces the rows that changed, in every cached page under `key`. True where some page lacks one of them. */
function patchPages<T extends { id: string }, C extends Partial<T> = Partial<T>>(
  client: QueryClient,
  key: readonly unknown[],
  changed: ReadonlyMap<string, C>,
  merge: (row: T, change: C) => T = (row, change) => ({ ...row, ...change }),
): boolean {
  let missing = false;
  client.setQueriesData<Page<T>>({ queryKey: key }, (page) => {
    if (!Array.isArray(page?.items)) return page;
    let hits = 0;
    const items = page.items.map((item) => {
      const change = changed.get(item.id);
      if (change === undefined) return item;
      hits++;
      return merge(item, change);
    });
    if (hits < changed.size) missing = true;
    return hits === 0 ? page : { ...page, items };
  });
  return missing;
}
