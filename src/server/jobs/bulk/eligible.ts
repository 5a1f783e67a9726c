import { unreachable } from '../../../lib/fault.ts';
import { JOB_ACTIONS, type ActionRefusals } from '../../../contract/job-actions.ts';
import type { OperationKind } from '../../../contract/vocabulary.ts';
import type { JobFacts } from '../../state-machines/job.ts';

/**
 * Which jobs a kill or a retry acts on (of a rerun: `rerun-rule.ts`). The others are told of with a reason:
 *
 * - NOT_FOUND: job not found, or deleted by retention.
 * - TERMINAL: it has ended, with nothing to kill or nothing failed to retry.
 * - NOTHING_FAILED (retry): it runs, and nothing of it has failed.
 * - RETRIES_LEFT (retry): what failed will be retried by itself.
 * - NON_RETRYABLE (retry): all that failed did so for a reason that a retry does not mend, such as KILLED
 *   or AUTHENTICATION_FAILED. `includeNonRetryable` retries these as well.
 */
export type Reason = ActionRefusals['kill' | 'retry'] | 'NOT_FOUND' | 'RETRIES_LEFT' | 'NON_RETRYABLE';

export interface Rule {
  readonly kind: Exclude<OperationKind, 'rerun'>;
  readonly nonRetryable: boolean;
}

/** Null: eligible. `hasRetryable` is asked only where it decides. */
export function refusal(
  { kind, nonRetryable }: Rule,
  { counters, retrying, finishedAt }: Pick<JobFacts, 'counters' | 'retrying' | 'finishedAt'>,
  hasRetryable: () => boolean,
): Reason | null {
  const reason = JOB_ACTIONS[kind]({ finishedAt, taskCounters: counters });
  if (reason !== null || kind === 'kill' || counters.scheduleTimeout + counters.runTimeoutTasks > 0) return reason;
  if (counters.failedTasks === retrying) return 'RETRIES_LEFT';
  return nonRetryable || hasRetryable() ? null : 'NON_RETRYABLE';
}

/** The same as an SQL expression over a row of `job`; null: eligible. A property test holds the two together. */
export function refusalSql({ kind, nonRetryable }: Rule): string {
  if (kind === 'kill') return `CASE WHEN finished_at IS NOT NULL THEN 'TERMINAL' END`;
  const timedOut = '(schedule_timeout + run_timeout)';
  const retryable = `EXISTS (SELECT 1 FROM task WHERE state = 'FAILED' AND state <> 'COMPLETED' AND task.job = job.seq AND retry_at IS NULL AND error_retryable = 1)`;
  return `CASE
    WHEN failed + ${timedOut} = 0 THEN CASE WHEN finished_at IS NULL THEN 'NOTHING_FAILED' ELSE 'TERMINAL' END
    WHEN ${timedOut} > 0 THEN NULL
    WHEN failed = retrying THEN 'RETRIES_LEFT'
    ${nonRetryable ? '' : `WHEN NOT ${retryable} THEN 'NON_RETRYABLE'`}
  END`;
}

/** For the result of a job that was left alone. */
export function refusalText(reason: Reason): string {
  switch (reason) {
    case 'NOT_FOUND':
      return 'job not found, or deleted by retention';
    case 'TERMINAL':
      return 'the job had already finished';
    case 'NOTHING_FAILED':
      return 'the job has no failed tasks';
    case 'RETRIES_LEFT':
      return 'the failed tasks will be retried automatically';
    case 'NON_RETRYABLE':
      return 'the failed tasks have non-retryable errors; include non-retryable failures to retry them anyway';
    default:
      return unreachable(reason);
  }
}
