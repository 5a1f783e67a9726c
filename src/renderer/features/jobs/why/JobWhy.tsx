import { Flex } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import type { Task } from '../../../../contract/tasks.ts';
import { t } from '../../../../lib/language.ts';
import { tasksQuery } from '../../../api/jobs.ts';
import { whyQuery } from '../../../api/reruns.ts';
import { useNow } from '../../../ui/Time.tsx';
import { ATTENTION, countdown, withoutDeadline } from './labels.ts';
import css from './WhyBox.module.css';

/** The place in the queue and the time of a retry change without an event. */
const POLL_MS = 2000;

/** True while the job is open and none of its tasks runs. */
const isStill = ({ finishedAt, taskCounters }: Pick<Job, 'finishedAt' | 'taskCounters'>): boolean =>
  finishedAt === null && taskCounters.runningTasks === 0 && taskCounters.scheduledTasks === 0;

/** In the head of a job of which nothing runs: why, of the task that comes next, and how long it takes. */
export function JobWhy({ job, onTask }: { job: Job; onTask(taskId: string): void }): ReactNode {
  return isStill(job) ? <Still job={job} onTask={onTask} /> : null;
}

function Still({ job, onTask }: { job: Job; onTask(taskId: string): void }): ReactNode {
  const ready = useQuery(tasksQuery(job.id, { state: ['READY'], size: 1, sort: 'readyAt,asc' }));
  const failed = useQuery({
    ...tasksQuery(job.id, { state: ['FAILED'], size: 50, sort: 'readyAt,desc' }),
    enabled: ready.data?.items.length === 0,
  });
  const task = ready.data?.items[0] ?? soonest(failed.data?.items ?? []);
  const why = useQuery({ ...whyQuery(task?.id ?? ''), enabled: task !== undefined, refetchInterval: POLL_MS });
  const now = useNow();
  if (task === undefined || why.data === undefined || why.data.reason === 'RUNNING' || why.data.reason === 'FINISHED')
    return null;
  const { reason, message, retryAt, scheduleTimeoutAt } = why.data;
  const attention = ATTENTION[reason];
  const until = retryAt ?? scheduleTimeoutAt;
  const left = until === null ? null : (countdown(until, now) ?? t('now'));
  return (
    <section
      className={css['line']}
      data-shade={attention === undefined ? 'ready' : 'warn'}
      aria-label={t('Why is it not running?')}
    >
      <p className={css['reason']}>
        <strong>{t('Why is it not running?')}</strong> <span role="status">{withoutDeadline(message)}</span>
      </p>
      <Flex component="span" gap="4px 14px" wrap="wrap">
        {left !== null && (
          <span className="numbers" aria-live="off">
            {retryAt !== null ? t('Next attempt in {left}', { left }) : t('Times out in {left}', { left })}
          </span>
        )}
        {attention && (
          <Link to={attention.to} className="linkish">
            {attention.words}
          </Link>
        )}
        <button type="button" className="linkish" onClick={() => onTask(task.id)}>
          {t('View task')}
        </button>
      </Flex>
    </section>
  );
}

/** The task that is tried again first. */
const soonest = (tasks: readonly Task[]): Task | undefined =>
  tasks
    .filter((task) => task.retryAt !== null)
    .toSorted((a, b) => Date.parse(a.retryAt ?? '') - Date.parse(b.retryAt ?? ''))[0];
