import type { ReactNode } from 'react';
import type { Task, TaskError } from '../../../../contract/tasks.ts';
import { t, tn } from '../../../../lib/language.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { useNow } from '../../../ui/Time.tsx';
import { AlikeFailures } from './AlikeFailures.tsx';
import css from './TaskPanel.module.css';

/** What a code means to an operator, and what helps. */
const MEANINGS: Readonly<Record<string, string>> = {
  INVALID_DAG: t(
    'The workflow has a fault in its graph. Save and publish a version without it, then run the job again.',
  ),
  AUTHENTICATION_FAILED: t('The service that was called refused the credentials. Mend them, then retry.'),
  KILLED: t('Someone killed the job. Its tasks can be retried.'),
  REPLICA_TIMEOUT: t('The time that was given to the whole replica ran out.'),
  NON_RETRYABLE: t('The node says that trying again would not help: the cause has to be mended first.'),
  TASK_ERROR: t('The node threw an error.'),
  WORKER_LOST: t('The worker that ran the task stopped answering.'),
  UPSTREAM_UNAVAILABLE: t('A service that was called did not answer, or was overloaded.'),
  RUN_TIMEOUT: t('The task ran longer than its run time limit.'),
  SCHEDULE_TIMEOUT: t('No worker took the task in time. Are workers up, and do they have room?'),
};

/** The error for people first, then as it was reported. */
export function ErrorBox({
  error,
  task,
}: {
  error: TaskError;
  task: Pick<Task, 'id' | 'retryAt' | 'state' | 'attempt' | 'retryCount' | 'retryEntries'>;
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
      <p className={css['meaning']}>
        {MEANINGS[error.code] ?? t('The node reported an error with a code of its own.')}
      </p>
      <pre className={css['raw']}>{error.message}</pre>
      <div className={css['errorFoot']}>
        <span className="mono">{error.code}</span>
        <span>{error.retryable ? t('may be retried') : t('is not retried by itself')}</span>
        {seconds !== null && (
          <strong aria-live="off">
            {seconds === 0 ? t('retrying now') : t('retrying in {seconds} s', { seconds })}
          </strong>
        )}
        {seconds === null && error.retryable && task.state === 'FAILED' && retries <= 0 && (
          <span>
            {task.retryCount === 0
              ? t('it has no retries')
              : tn('its one retry is used up', 'its {count} retries are used up', task.retryCount)}
          </span>
        )}
        <AlikeFailures taskId={task.id} attempt={task.attempt} />
        <CopyButton value={JSON.stringify(error, null, 2)} label={t('Copy the raw error')} size="xs" />
      </div>
    </div>
  );
}
