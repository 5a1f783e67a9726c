import { itemAt } from '../../../../lib/item-at.ts';
import type { Limits } from '../../../../contract/limits.ts';
import { lowerThreadPriority } from '../../../../lib/lower-thread-priority.ts';
import type { Methods } from '../../../offload/messages.ts';
import { serveThread, threadData } from '../../../offload/serve-thread.ts';
import { openForReading, type ThreadHandle } from '../../../store/sqlite/handle.ts';
import { Fault, invalidAt } from '../../../../lib/fault.ts';
import { compareJobs } from '../compare/compare.ts';
import { compareLogs } from '../compare/compare-logs.ts';
import { compareTexts } from '../compare/compare-payloads.ts';
import { findCauses } from '../../failures/causes.ts';
import { countRerunOutcomes } from '../../failures/rerun-outcomes.ts';
import { findGroup, listGroups } from '../../failures/groups.ts';
import { findTaskFailure } from '../../failures/task-failure.ts';
import { workflowActivity } from '../workflow-activity.ts';
import { listPublishHealth } from '../publish-health.ts';
import { overviewWithin } from '../overview-within.ts';
import { listFailureGroups, incidentTasks } from '../incident-tasks.ts';
import { readCounts, type Count } from '../job-filter.ts';
import { listJobs, openLists } from '../list-jobs.ts';
import { listTasks, runningTasks } from '../list-tasks.ts';
import { payloadText } from '../payload.ts';
import { recordedInputs, recordingText } from '../recorded-inputs.ts';
import type { JobRow } from '../../engine/rows.ts';
import { createSearch, searchLimits } from '../../search/search.ts';
import { JOB_BY_ID } from '../../engine/sql.ts';
import { queuePosition } from '../why/queue-position.ts';
import type { LongReads } from '../port.ts';

/** A thread that reads lists and searches, or what takes longer than those, so that the event loop does not. */
export interface ReadThreadData {
  file: string;
  searchFile: string;
  limits: Limits;
  /** Others come first where processors are scarce. */
  givesWay: boolean;
}

const { file, searchFile, limits, givesWay } = threadData<ReadThreadData>();
if (givesWay) lowerThreadPriority();
const reads: Methods = { ...createLongReads({ handle: openForReading(file), searchFile, limits }) };
// As JSON text, so that numbers stay as they are (lib/json), and what is only sent on is not read on the way.
const asText =
  (read: (...args: never[]) => unknown) =>
  async (...args: never[]): Promise<string | Uint8Array> => {
    const found = await read(...args);
    return found instanceof Uint8Array ? found : JSON.stringify(found ?? null);
  };
serveThread(Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, asText(read)])));

interface LongReadsDeps {
  readonly handle: ThreadHandle;
  /** The index of the search, made by the indexing thread. */
  readonly searchFile: string;
  readonly limits: Readonly<Limits>;
}

/** The long reads over a handle of their own. */
function createLongReads({ handle, searchFile, limits }: LongReadsDeps): LongReads {
  const { read } = handle;
  /** Kept while nothing is written: the version is that of the state that is read. */
  let counted: { version: number; counts: readonly Count[] } | null = null;
  const counts = () => {
    const version = read.query<{ data_version: number }>('PRAGMA data_version').get()?.data_version ?? 0;
    if (counted?.version !== version) counted = { version, counts: readCounts(read) };
    return counted.counts;
  };
  const lists = openLists(read, counts);
  const search = createSearch(handle, searchFile, searchLimits(limits));
  const one = <T>(run: () => T): T => handle.snapshot(run);
  const jobOf = (jobId: string): JobRow => {
    const job = read.query<JobRow>(JOB_BY_ID).get(jobId);
    if (!job) throw new Fault('JOB_NOT_FOUND', `job ${jobId} not found`);
    return job;
  };
  return {
    list: (query) =>
      one(() => {
        const found = search(query);
        return { ...listJobs(lists, query, found), ...(found?.searchedTo ? { searchedTo: found.searchedTo } : {}) };
      }),
    tasks: (jobId, query, progress) =>
      one(() => {
        const page = listTasks(read, jobOf(jobId), query, limits);
        return { ...page, items: page.items.map((task) => ({ ...task, progress: progress[task.id] ?? null })) };
      }),
    runningTasks: (jobId, query) => one(() => runningTasks(read, jobOf(jobId), query)),
    taskPiece: (jobId, after, size, characters) =>
      one(() => incidentTasks(read, jobOf(jobId).seq, after, size, characters)),
    failureGroups: (jobId) => one(() => listFailureGroups(read, jobOf(jobId).seq)),
    failures: (query) => one(() => listGroups(read, query)),
    failure: (id) =>
      one(() => {
        const group = findGroup(read, id);
        if (!group) throw new Fault('FAILURE_NOT_FOUND', `failure group ${id} not found`);
        return { ...group, ...findCauses(read, group, limits), standing: countRerunOutcomes(read, id, limits) };
      }),
    taskFailure: (taskId) => one(() => findTaskFailure(read, taskId, limits)),
    impacts: (workflowId, query) => one(() => listPublishHealth(read, workflowId, query)),
    activity: (query) => one(() => workflowActivity(read, query)),
    overview: (within, now) => one(() => overviewWithin(read, counts(), within, now)),
    compare: (hereId, thereId) => one(() => compareJobs(read, hereId, thereId, limits)),
    async compareValues(before, after) {
      const texts: string[] = [];
      for (const ask of [before, after]) {
        const text = await payloadText(read, ask, limits.jobOutputBytes);
        if (text.length > limits.comparePayloadBytes) throw tooLong(ask.of, text.length, limits.comparePayloadBytes);
        texts.push(text);
      }
      return compareTexts(itemAt(texts, 0), itemAt(texts, 1), limits);
    },
    compareLogs: (here, there) => compareLogs(here, there, limits),
    recordedInputs: (query) => one(() => recordedInputs(read, query)),
    recording: (input, lists, most) => one(() => recordingText(read, input, lists, most)),
    position: (seen) => one(() => queuePosition(read, seen)),
    payload: async (ask) => Buffer.from(await payloadText(read, ask, limits.jobOutputBytes)),
  };
}

const tooLong = (of: string, length: number, most: number): Fault => {
  const message = `this ${of} has ${length} bytes; the maximum for a comparison is ${most}. Download both and compare them locally`;
  return invalidAt('/of', message);
};
