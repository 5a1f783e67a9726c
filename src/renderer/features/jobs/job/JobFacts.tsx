import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Job, Trigger } from '../../../../contract/jobs.ts';
import { t, tn } from '../../../../lib/language.ts';
import { jobQuery, taskQuery } from '../../../api/jobs.ts';
import { lineageQuery } from '../../../api/reruns.ts';
import { useNodeNames } from '../../workflows/NodeName.tsx';
import { EnvironmentBadge } from '../../../ui/Badges.tsx';
import { CounterBar } from '../../../ui/CounterBar.tsx';
import { Duration, formatCount } from '../../../ui/Duration.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { IdLabel } from '../../../ui/HashLabel.tsx';
import { JOB_KIND_WORDS, TRIGGER_WORDS } from '../../../ui/status.ts';
import { Elapsed, TimeAgo } from '../../../ui/Time.tsx';
import { rich } from '../../../ui/rich.tsx';
import { JobLinks, useJobLinks } from './JobLinks.tsx';
import css from './JobPage.module.css';

export function JobFacts({ job }: { job: Job }): ReactNode {
  const { data: reruns } = useQuery(lineageQuery({ rerunOf: job.id }));
  const links = useJobLinks(job);
  return (
    <div className={`card ${css['facts']}`}>
      <Box w="100%">
        <CounterBar counters={job.taskCounters} />
      </Box>
      <Facts
        items={[
          job.externalId !== null && {
            label: t('External ID'),
            value: <IdLabel id={job.externalId} kind={t('external ID')} />,
          },
          {
            label: t('Workflow'),
            value: (
              <Link to="/workflows/$workflowId" params={{ workflowId: job.workflowId }}>
                {job.workflowId}
              </Link>
            ),
          },
          {
            label: t('Environment'),
            value:
              job.environment === null ? (
                t('none')
              ) : (
                <Link to="/workflows/$workflowId" params={{ workflowId: job.workflowId }} search={{ tab: 'publish' }}>
                  <EnvironmentBadge environment={job.environment} />
                </Link>
              ),
          },
          {
            label: t('Version'),
            value: (
              <Link
                to="/workflows/$workflowId"
                params={{ workflowId: job.workflowId }}
                search={{ tab: 'versions', version: job.commit }}
                title={job.commit}
                className="mono"
              >
                {job.commit.slice(0, 8)}
              </Link>
            ),
          },
          // What started a job of another kind stands beside it.
          {
            label: t('Inputs'),
            value:
              job.kind === 'batch' || job.kind === 'draft'
                ? `${formatCount(job.inputCount)} (${JOB_KIND_WORDS[job.kind]})`
                : formatCount(job.inputCount),
          },
          { label: t('Started by'), wide: job.trigger.dueAt !== undefined, value: <StartedBy trigger={job.trigger} /> },
          { label: t('Created'), value: <TimeAgo at={job.createdAt} /> },
          {
            label: t('Duration'),
            value: job.finishedAt === null ? <Elapsed from={job.createdAt} /> : <Duration ms={job.durationMs} />,
          },
          job.retriedAt !== null && {
            label: t('Retried'),
            wide: true,
            value: (
              <>
                <TimeAgo at={job.retriedAt} />
                {job.finishedAt !== null &&
                  rich(', took {duration}', {
                    duration: <Duration ms={Math.max(0, Date.parse(job.finishedAt) - Date.parse(job.retriedAt))} />,
                  })}
              </>
            ),
          },
          job.killedAt !== null && { label: t('Killed'), value: <TimeAgo at={job.killedAt} /> },
          job.rerunOf !== null && {
            label: t('Rerun of'),
            value: <IdLabel id={job.rerunOf} to={`/jobs/${job.rerunOf}`} kind={t('job ID')} tail={12} />,
          },
          job.parentTaskId !== null && { label: t('Called by'), value: <Parent taskId={job.parentTaskId} /> },
          reruns !== undefined &&
            reruns.items.length !== 0 && {
              label: tn('Rerun as', 'Rerun {count} times, last as', reruns.totalItems),
              value: (
                <IdLabel
                  id={reruns.items[0]?.id ?? ''}
                  to={`/jobs/${reruns.items[0]?.id ?? ''}`}
                  kind={t('job ID')}
                  tail={12}
                />
              ),
            },
          Object.keys(job.labels).length !== 0 && {
            label: t('Labels'),
            wide: true,
            value: (
              <span className="mono">
                {Object.entries(job.labels)
                  .map(([name, value]) => `${name}=${value}`)
                  .join(' ')}
              </span>
            ),
          },
          job.traceId !== undefined && {
            label: t('Trace ID'),
            wide: true,
            value: <IdLabel id={job.traceId} kind={t('trace ID')} />,
          },
          links.length !== 0 && { label: t('Open in'), wide: true, value: <JobLinks links={links} /> },
          job.replicaRunTimeoutSeconds !== null && {
            label: t('Replica time limit'),
            value: <Duration ms={job.replicaRunTimeoutSeconds * 1000} />,
          },
        ]}
      />
    </div>
  );
}

/** What started the job; for a schedule with the time that it was due. */
function StartedBy({ trigger }: { trigger: Trigger }): ReactNode {
  return (
    <>
      {trigger.id !== undefined && (trigger.kind === 'schedule' || trigger.kind === 'backfill') ? (
        <Link to="/schedules" search={{ schedule: trigger.id }}>
          {TRIGGER_WORDS[trigger.kind]}
        </Link>
      ) : (
        TRIGGER_WORDS[trigger.kind]
      )}
      {trigger.dueAt !== undefined && rich(', due {time}', { time: <TimeAgo at={trigger.dueAt} /> })}
    </>
  );
}

/** The task of another job that called this one. */
function Parent({ taskId }: { taskId: string }): ReactNode {
  const { data: task } = useQuery(taskQuery(taskId));
  const { data: job } = useQuery({ ...jobQuery(task?.jobId ?? ''), enabled: task !== undefined });
  const nameOf = useNodeNames(job?.workflowId ?? '', job?.commit);
  if (task === undefined) return <IdLabel id={taskId} kind={t('task ID')} tail={12} />;
  return (
    <Link to="/jobs/$jobId" params={{ jobId: task.jobId }} search={{ task: taskId }}>
      {t('{node} of job …{value}', { node: nameOf(task.node), value: task.jobId.slice(-12) })}
    </Link>
  );
}
