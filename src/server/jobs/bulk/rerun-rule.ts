import { JOB_ACTIONS, type ActionRefusals } from '../../../contract/job-actions.ts';
import type { JobKind } from '../../../contract/vocabulary.ts';
import type { JobFacts } from '../../state-machines/job.ts';
import type { RerunChoice } from './port.ts';

/**
 * Which jobs a bulk rerun leaves alone whatever the version is:
 *
 * - CHILD_JOB: a task of another job began it, and takes its output.
 * - NOT_FINISHED: it runs, or waits for a retry.
 * - NOTHING_FAILED: it has ended and nothing of it failed.
 * - RERUN_EXISTS: it was run again before, so the rerun stands for it. Else what fails again after a rerun would be run
 *   twice: the job and its rerun are in the same failure group.
 */
export type RerunReason = ActionRefusals['rerun'] | 'RERUN_EXISTS';

/** Null: eligible so far. `hasRerun` is asked only where it decides. */
export function rerunRefusal(
  { completed, again }: Pick<RerunChoice, 'completed' | 'again'>,
  kind: JobKind,
  { counters, finishedAt }: Pick<JobFacts, 'counters' | 'finishedAt'>,
  hasRerun: () => boolean,
): RerunReason | null {
  const reason = JOB_ACTIONS.rerun({ finishedAt, taskCounters: counters, kind });
  if (reason !== null && !(completed && reason === 'NOTHING_FAILED')) return reason;
  return !again && hasRerun() ? 'RERUN_EXISTS' : null;
}

/** The same as an SQL expression over a row of `job`. A property test holds the two together. */
export const rerunRefusalSql = ({ completed, again }: Pick<RerunChoice, 'completed' | 'again'>): string => `CASE
    WHEN kind = 'child' THEN 'CHILD_JOB'
    WHEN finished_at IS NULL THEN 'NOT_FINISHED'
    ${completed ? '' : `WHEN failed + schedule_timeout + run_timeout = 0 THEN 'NOTHING_FAILED'`}
    ${again ? '' : `WHEN EXISTS (SELECT 1 FROM job r WHERE r.rerun_of = job.id) THEN 'RERUN_EXISTS'`}
  END`;
export const HAS_RERUN = 'SELECT 1 AS yes FROM job WHERE rerun_of = ? LIMIT 1';

const TEXTS: Readonly<Record<RerunReason, string>> = {
  CHILD_JOB: 'this is a child job: rerun its parent job',
  NOT_FINISHED: 'the job has not finished yet',
  NOTHING_FAILED: 'the job has no failed tasks; include jobs that succeeded to rerun it anyway',
  RERUN_EXISTS: 'the job was already rerun; include jobs that were already rerun to rerun it again',
};
/** For the result of a job that was left alone. */
export const rerunRefusalText = (reason: RerunReason): string => TEXTS[reason];
