import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Task } from '../../../../contract/tasks.ts';
import type { Environment } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { whyQuery } from '../../../api/reruns.ts';
import { useWhy, useWorkflowPlace } from '../../../stores/role.ts';
import { formatCount } from '../../../ui/Duration.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { IdLabel } from '../../../ui/HashLabel.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';
import { useNow } from '../../../ui/Time.tsx';
import { ATTENTION, countdown, queuePositionText, withoutDeadline } from './labels.ts';
import { WaitBox } from './WaitBox.tsx';
import css from './WhyBox.module.css';

/** The place in the queue changes with every other task, which no event tells. */
const POLL_MS = 2000;

/** True while something keeps the task from running. */
export const canExplainWait = (task: Pick<Task, 'state' | 'retryAt' | 'workerId'>): boolean =>
  task.state === 'READY' ||
  // The master runs it: it waits for a time, a signal, an approval or a child job.
  (task.state === 'RUNNING' && task.workerId === null) ||
  task.state === 'SCHEDULED' ||
  (task.state === 'FAILED' && task.retryAt !== null);

/** Why a task waits, what would help, and when its patience ends. */
export function WhyBox({
  task,
  workflowId,
  environment,
}: {
  task: Task;
  workflowId: string;
  environment: Environment | null;
}): ReactNode {
  const whyNot = useWhy('jobs.operate', useWorkflowPlace(workflowId, environment));
  const query = useQuery({ ...whyQuery(task.id), refetchInterval: POLL_MS });
  const now = useNow();
  const why = query.data;
  if (!why)
    return (
      <Loading query={query} what={t('Could not find out why it is not running')} compact>
        <div className={css['box']}>
          <SkeletonLines lines={3} />
        </div>
      </Loading>
    );
  // The task may have started since it was asked.
  if (why.reason === 'RUNNING' || why.reason === 'FINISHED') return null;
  const attention = ATTENTION[why.reason];
  const title = task.state === 'RUNNING' ? t('Waiting for') : t('Why is it not running?');
  if (why.wait) return <WaitBox task={task} wait={why.wait} whyNot={whyNot} />;
  const until = (at: string | null, label: string) =>
    at === null ? [] : [{ label, value: <span className="numbers">{countdown(at, now) ?? t('now')}</span> }];
  return (
    <section className={css['box']} data-shade={attention === undefined ? 'ready' : 'warn'} aria-label={title}>
      <h3>{title}</h3>
      <p role="status">{withoutDeadline(why.message)}</p>
      {attention && (
        <p>
          <Link to={attention.to}>{attention.words}</Link>
        </p>
      )}
      <Facts
        items={[
          why.queue !== null && {
            label: t('Queue position'),
            value: <span className="numbers">{queuePositionText(why.queue)}</span>,
          },
          {
            label: t('Slots in use'),
            value: (
              <span className="numbers">
                {t('{used} of {total}, {accepting} of {workers} workers accept tasks', {
                  used: formatCount(why.slots.used),
                  total: formatCount(why.slots.total),
                  accepting: formatCount(why.slots.accepting),
                  workers: formatCount(why.slots.workers),
                })}
              </span>
            ),
          },
          why.handler !== null && {
            label: t('Handler {name}', { name: why.handler.name }),
            value:
              why.handler.workers.length === 0 ? (
                t('not registered by any worker')
              ) : (
                <>
                  {why.handler.workers.slice(0, 4).map((id) => (
                    <IdLabel key={id} id={id} kind={t('worker ID')} tail={8} />
                  ))}
                </>
              ),
          },
          why.limit !== null && {
            label: t('Limit of the {scope}', { scope: why.limit.scope }),
            value: (
              <span className="numbers">
                {t('{used} of {most} ({name})', {
                  used: formatCount(why.limit.used),
                  most: formatCount(why.limit.most),
                  name: why.limit.name,
                })}
              </span>
            ),
          },
          ...until(why.retryAt, t('Next attempt in')),
          ...until(why.scheduleTimeoutAt, t('Times out in')),
          why.childJobId !== null && {
            label: t('Waiting for'),
            value: (
              <Link to="/jobs/$jobId" params={{ jobId: why.childJobId }}>
                {t('job …{value}', { value: why.childJobId.slice(-12) })}
              </Link>
            ),
          },
        ]}
      />
    </section>
  );
}
