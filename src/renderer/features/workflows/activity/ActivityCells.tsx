import { type ReactNode, createContext, useContext } from 'react';
import type { WorkflowActivity } from '../../../../contract/workflow-activity.ts';
import { t, tn } from '../../../../lib/language.ts';
import { StatusBadge } from '../../../ui/Badges.tsx';
import { Duration, formatDuration } from '../../../ui/Duration.tsx';
import { formatPercent } from '../../../ui/number-text.ts';
import { OutcomeBars } from '../../../ui/SparkBars.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { lastJobStatus } from './last-job-status.ts';
import classes from './Activity.module.css';

/** Of the workflows of a list, by id; they come after the list itself. */
export const ActivityContext = createContext<ReadonlyMap<string, WorkflowActivity>>(new Map());

const useActivity = (workflowId: string): WorkflowActivity | undefined => useContext(ActivityContext).get(workflowId);

/** Bars of succeeded and failed jobs, and the share that succeeded. */
export function SuccessCell({ workflowId }: { workflowId: string }): ReactNode {
  const activity = useActivity(workflowId);
  if (!activity) return null;
  const { successRate, succeeded, failed, bars, sampled } = activity;
  if (successRate === null) return <span className="dim">{t('no runs')}</span>;
  const words = t('{share} of {runs} succeeded', {
    share: formatPercent(successRate),
    runs: tn('{count} run', '{count} runs', succeeded + failed),
  });
  return (
    <span className={classes.success}>
      <span className="numbers" data-tone={failed > 0 ? 'fail' : 'done'}>
        {formatPercent(successRate)}
      </span>
      <OutcomeBars bars={bars} label={sampled ? t('{words}, of the newest ones', { words }) : words} />
    </span>
  );
}

/** The time that 95 of 100 jobs took at most. */
export function P95Cell({ workflowId }: { workflowId: string }): ReactNode {
  const activity = useActivity(workflowId);
  if (!activity) return null;
  if (activity.p95Ms === null) return <span className="dim">–</span>;
  return (
    <span data-hint={t('p50 {duration}', { duration: formatDuration(activity.p50Ms ?? 0) })}>
      <Duration ms={activity.p95Ms} />
    </span>
  );
}

export function LastRunCell({ workflowId }: { workflowId: string }): ReactNode {
  const activity = useActivity(workflowId);
  if (!activity) return null;
  const { lastJob } = activity;
  if (lastJob === null) return <span className="dim">{t('never')}</span>;
  return (
    <span className={classes.last}>
      <StatusBadge status={lastJobStatus(lastJob)} />
      <TimeAgo at={lastJob.createdAt} />
    </span>
  );
}
