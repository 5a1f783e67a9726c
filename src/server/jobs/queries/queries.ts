import type { Limits } from '../../../contract/limits.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Store } from '../../store/port.ts';
import { dataDamaged } from '../../store/whole.ts';
import type { Plan } from '../engine/plan.ts';
import type { Engine, Memory } from '../engine/port.ts';
import type { JobRow } from '../engine/rows.ts';
import { JOB_BY_ID } from '../engine/sql.ts';
import { recentGroups } from '../failures/groups.ts';
import { eventStatusText, isLongOutput, jobResultInSlices, outputAndErrorText } from '../lifecycle/job-result.ts';
import type { Jobs } from '../port.ts';
import type { WorkerPool } from '../queue/port.ts';
import { validateInputsRequest } from '../rerun/inputs.ts';
import { usesSearchIndex } from '../search/search.ts';
import { searchTermsOf } from '../search/search-terms.ts';
import { createJobGraphs } from './job-graph.ts';
import { isFastJobPage, listJobs, openLists } from './list-jobs.ts';
import { inTime } from './in-time.ts';
import { findTask, isFastTaskPage, listTasks, listWorkerTasks } from './list-tasks.ts';
import { isShort, payloadText } from './payload.ts';
import type { JobListQuery, OverviewCounts, PayloadOf, PayloadRead, Reads } from './port.ts';
import { jobView } from './views.ts';
import { explainTask } from './why/why.ts';

export interface QueriesDeps {
  readonly store: Store;
  readonly engine: Engine;
  readonly memory: Memory;
  readonly workerPool: WorkerPool;
  readonly reads: Reads;
  readonly limits: Readonly<Limits>;
  readonly overview: OverviewCounts;
  plan(workflowId: string, commit: string): Plan;
  now(): number;
}

type Queries = Pick<
  Jobs,
  | 'list'
  | 'listText'
  | 'forCopy'
  | 'get'
  | 'graph'
  | 'outputText'
  | 'outputJson'
  | 'eventStatusJson'
  | 'tasks'
  | 'tasksText'
  | 'workerTasks'
  | 'task'
  | 'why'
  | 'payload'
  | 'compare'
  | 'incident'
  | 'impacts'
  | 'activity'
  | 'recorded'
  | 'readStats'
  | 'overview'
>;

/**
 * What is read of jobs and tasks. Expensive queries run in a thread (`thread/`), what costs little is read here. `written`
 * gives a job's row once it says what memory does; it throws JOB_NOT_FOUND.
 */
export function createQueries({
  store: { read, isSuspect },
  engine,
  memory,
  workerPool,
  reads,
  limits,
  overview,
  plan,
  now,
}: QueriesDeps): { queries: Queries; written(jobId: string): Promise<JobRow> } {
  const lists = openLists(read, () => [...memory.counts.values()]);
  const graphs = createJobGraphs({
    read,
    graph: (workflowId, commit) => plan(workflowId, commit).graph,
    now: () => performance.now(),
  });
  /** Has the rows say what memory does. While the store refuses writes, readers see what was written last. */
  const upToDate = (): Promise<void> =>
    engine.written().catch((error: unknown) => {
      if (!(error instanceof Fault) || error.code !== 'STORE_UNAVAILABLE') throw error;
    });
  const job = (jobId: string): JobRow => {
    const row = read.query<JobRow>(JOB_BY_ID).get(jobId);
    if (!row) throw new Fault('JOB_NOT_FOUND', `job ${jobId} not found`);
    return row;
  };
  async function written(jobId: string): Promise<JobRow> {
    await upToDate();
    return job(jobId);
  }
  /** Whether a list is quick enough for the event loop, once the rows say what memory does. */
  async function isQuick(query: JobListQuery): Promise<boolean> {
    searchTermsOf(query);
    await upToDate();
    return isFastJobPage(lists.counts(), query);
  }
  const noTask = (taskId: string) => new Fault('TASK_NOT_FOUND', `task ${taskId} not found`);

  /** A payload as the thread can find it. */
  function asked(of: PayloadOf): PayloadRead {
    if ('task' in of || of.of === 'output') return of;
    const row = job(of.job);
    const known = plan(row.workflow_id, row.commit_hash);
    validateInputsRequest(row, known, of);
    return { ...of, first: known.first };
  }

  const queries: Queries = {
    list: async (query, signal) =>
      (await isQuick(query))
        ? listJobs(lists, query)
        : inTime(query, limits.querySeconds, signal, (ends) => reads.call('list', [query], ends)),
    listText: async (query, signal) =>
      (await isQuick(query))
        ? JSON.stringify(listJobs(lists, query))
        : inTime(query, limits.querySeconds, signal, (ends) => reads.text('list', [query], ends)),
    forCopy: {
      async list(query) {
        searchTermsOf(query);
        await upToDate();
        // A copy has no index of the search.
        return usesSearchIndex(query) ? null : { method: 'list', args: [query] };
      },
      async tasks(jobId, query) {
        // How far a running task is stands in memory.
        return (await written(jobId)).running > 0 ? null : { method: 'tasks', args: [jobId, query, {}] };
      },
      async payload(of) {
        await upToDate();
        const ask = asked(of);
        return isShort(read, ask, limits.heavyAnswerBytes) ? null : { method: 'payload', args: [ask] };
      },
    },
    async get(jobId) {
      const row = await written(jobId);
      if (isSuspect('job', row.seq)) throw dataDamaged(`the row of job ${jobId}`);
      return jobView(row);
    },
    graph: async (jobId) => graphs(await written(jobId)),
    outputText: async (jobId) =>
      outputAndErrorText(await jobResultInSlices(read, await written(jobId), limits.jobOutputBytes)),
    async outputJson(jobId) {
      await upToDate();
      return reads.bytes('payload', [{ job: jobId, of: 'output', as: 'alone' }]);
    },
    async eventStatusJson(jobId, workflowId, environment) {
      const row = await written(jobId);
      if (row.workflow_id !== workflowId || row.environment !== environment)
        throw new Fault('JOB_NOT_FOUND', `job ${jobId} of ${workflowId} in ${environment} not found`);
      if (isLongOutput(read, row, limits)) return reads.bytes('payload', [{ job: jobId, of: 'output', as: 'status' }]);
      return eventStatusText(await jobResultInSlices(read, row, limits.jobOutputBytes));
    },
    async tasks(jobId, query, signal) {
      const row = await written(jobId);
      return isFastTaskPage(read, row)
        ? listTasks(read, row, query, limits)
        : reads.call('tasks', [jobId, query, {}], signal);
    },
    async tasksText(jobId, query, progress, signal) {
      const row = await written(jobId);
      if (isFastTaskPage(read, row)) {
        const page = listTasks(read, row, query, limits);
        return JSON.stringify({ ...page, items: page.items.map((task) => ({ ...task, progress: progress(task) })) });
      }
      const running = row.running === 0 ? [] : await reads.call('runningTasks', [jobId, query], signal);
      const far = running.flatMap((task) => {
        const known = progress(task);
        return known ? [[task.id, known] as const] : [];
      });
      return reads.text('tasks', [jobId, query, Object.fromEntries(far)], signal);
    },
    async payload(of, signal) {
      await upToDate();
      const ask = asked(of);
      return isShort(read, ask, limits.heavyAnswerBytes)
        ? payloadText(read, ask, limits.jobOutputBytes)
        : reads.bytes('payload', [ask], signal);
    },
    compare: {
      async tasks(hereId, thereId, signal) {
        await upToDate();
        return reads.call('compare', [hereId, thereId], signal);
      },
      async values(before, after, signal) {
        await upToDate();
        return reads.call('compareValues', [asked(before), asked(after)], signal);
      },
      logs: (here, there, signal) => reads.call('compareLogs', [here, there], signal),
    },
    incident: {
      tasks: (jobId, after, size, characters, signal) =>
        reads.call('taskPiece', [jobId, after, size, characters], signal),
      failureGroups: (jobId, signal) => reads.call('failureGroups', [jobId], signal),
    },
    async workerTasks(workerId, query) {
      await upToDate();
      return listWorkerTasks(read, workerId, query, limits.payloadPreviewBytes);
    },
    async task(taskId) {
      await upToDate();
      const task = findTask(read, taskId, limits.payloadPreviewBytes);
      if (!task) throw noTask(taskId);
      const seq = read.query<{ seq: number }>('SELECT seq FROM task WHERE id = ?').get(taskId)?.seq;
      if (seq !== undefined && isSuspect('task', seq)) throw dataDamaged(`the row of task ${taskId}`);
      return task;
    },
    async why(taskId) {
      await upToDate();
      const found = await explainTask(
        { read, memory, workerPool, plan, position: (seen) => reads.call('position', [seen]), now },
        taskId,
      );
      if (!found) throw noTask(taskId);
      return found;
    },
    async impacts(workflowId, query, signal) {
      await engine.written();
      return reads.call('impacts', [workflowId, { ...query, now: now() }], signal);
    },
    async activity(query, signal) {
      await engine.written();
      return reads.call('activity', [{ ...query, now: now() }], signal);
    },
    recorded: {
      inputs: async (query, signal) => {
        await engine.written();
        return reads.call('recordedInputs', [query], signal);
      },
      text: (input, nodes, most, signal) => reads.text('recording', [input, nodes, most], signal),
    },
    readStats: reads.stats,
    async overview(within = null) {
      if (within !== null) {
        await engine.written();
        return reads.call('overview', [within, now()]);
      }
      const { ready, withheld, scheduled, running, retrying, open } = memory.totals;
      return {
        jobs: { running: open, ...overview.read(now()) },
        tasks: { ready: ready + withheld, scheduled, running, retrying },
        failures: recentGroups(read, now()),
      };
    },
  };
  return { queries, written };
}
