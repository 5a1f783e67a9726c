import type { Limits } from '../../../contract/limits.ts';
import type { ReadHandle } from '../../store/port.ts';
import { isCheapTaskList, listTasks } from './list-tasks.ts';
import { isShort, payloadText } from './payload.ts';
import type { Plan } from '../engine/plan.ts';
import type { Jobs } from '../port.ts';
import { checkAsked } from '../rerun/inputs.ts';
import type { JobRow } from '../engine/rows.ts';
import type { PayloadOf, PayloadRead, Reads } from './port.ts';

export interface OffloadedReadsDeps {
  readonly read: ReadHandle;
  readonly reads: Reads;
  readonly limits: Readonly<Limits>;
  /** The job's row as it is, and once it says what memory does. Throw JOB_NOT_FOUND. */
  job(jobId: string): JobRow;
  written(jobId: string): Promise<JobRow>;
  /** Has the rows say what memory does. */
  upToDate(): Promise<void>;
  plan(workflowId: string, commit: string): Plan;
}

/** What of jobs may be much: it is read where it costs little, and in the thread else. */
export function createOffloadedReads({
  read,
  reads,
  limits,
  job,
  written,
  upToDate,
  plan,
}: OffloadedReadsDeps): Pick<Jobs, 'tasks' | 'tasksText' | 'payload' | 'compare' | 'incident'> {
  /** A payload as the thread can find it. */
  function asked(of: PayloadOf): PayloadRead {
    if ('task' in of || of.of === 'output') return of;
    const row = job(of.job);
    const known = plan(row.workflow_id, row.commit_hash);
    checkAsked(row, known, of);
    return { ...of, first: known.first };
  }

  return {
    async tasks(jobId, query, signal) {
      const row = await written(jobId);
      return isCheapTaskList(read, row)
        ? listTasks(read, row, query, limits)
        : reads.call('tasks', [jobId, query, {}], signal);
    },
    async tasksText(jobId, query, progress, signal) {
      const row = await written(jobId);
      if (isCheapTaskList(read, row)) {
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
  };
}
