import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Task, TaskError } from '../../../../contract/tasks.ts';
import { t, tn } from '../../../../lib/language.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { useNow } from '../../../ui/Time.tsx';
import { CodeStack } from './CodeStack.tsx';
import { SimilarFailures } from './SimilarFailures.tsx';
import css from './TaskPanel.module.css';

/** What a code means to an operator, and what helps. */
const MEANINGS: Readonly<Record<string, string>> = {
  INVALID_DAG: t(
    'The workflow graph has a validation error. Save and publish a version without it, then rerun the job.',
  ),
  AUTHENTICATION_FAILED: t('The called service rejected the credentials. Fix them, then retry.'),
  KILLED: t('The job was killed by a user. Its tasks can be retried.'),
  REPLICA_TIMEOUT: t('The time limit of the replica was exceeded.'),
  NON_RETRYABLE: t("The node reported an error that a retry won't fix: fix the cause first."),
  SECRET_FORBIDDEN: t('The scope of a secret does not allow this run. An admin can change it under Settings, Secrets.'),
  TASK_ERROR: t('The node threw an exception.'),
  WORKER_LOST: t('The worker running the task stopped responding.'),
  UPSTREAM_UNAVAILABLE: t('A called service did not respond or was overloaded.'),
  RUN_TIMEOUT: t('The task exceeded its run timeout.'),
  SCHEDULE_TIMEOUT: t('No worker took the task in time. Check that workers are online and have free slots.'),
};

/** The error for people first, then as it was reported. */
export function ErrorBox({
  error,
  task,
}: {
  error: TaskError;
  task: Pick<Task, 'id' | 'jobId' | 'node' | 'retryAt' | 'state' | 'attempt' | 'retryCount' | 'retryEntries'>;
}): ReactNode {
  const now = useNow();
  const seconds = task.retryAt === null ? null : Math.max(0, Math.ceil((Date.parse(task.retryAt) - now) / 1000));
  const retries = task.retryCount - task.retryEntries.length;
  return (
    <div
      className={css['error']}
      data-shade={seconds === null ? 'fail' : 'partial'}
      role="note"
      aria-label={t('Error')}
    >
      <Box component="p" m="0 0 6px" fw={600} c="var(--ink)">
        {MEANINGS[error.code] ?? t('The node reported its own error code.')}
      </Box>
      <pre className={css['raw']}>{error.message}</pre>
      {error.stack !== undefined && <CodeStack stack={error.stack} jobId={task.jobId} node={task.node} />}
      <div className={css['errorFoot']}>
        <span className="mono">{error.code}</span>
        <span>{error.retryable ? t('retryable') : t('not retried automatically')}</span>
        {seconds !== null && (
          <strong aria-live="off">{seconds === 0 ? t('retrying now') : t('retry in {seconds} s', { seconds })}</strong>
        )}
        {seconds === null && error.retryable && task.state === 'FAILED' && retries <= 0 && (
          <span>
            {task.retryCount === 0
              ? t('no retries configured')
              : tn('retries exhausted (1)', 'retries exhausted ({count})', task.retryCount)}
          </span>
        )}
        <SimilarFailures taskId={task.id} attempt={task.attempt} />
        <CopyButton value={JSON.stringify(error, null, 2)} label={t('Copy raw error')} size="xs" />
      </div>
    </div>
  );
}
