import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { failuresQuery } from '../../../api/failures.ts';
import { jobsQuery } from '../../../api/jobs.ts';
import { NodeOf } from '../../workflows/NodeName.tsx';
import { StatusBadge } from '../../../ui/Badges.tsx';
import { badgeStatus } from '../../../ui/status.ts';
import { Duration } from '../../../ui/Duration.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Page, PageHeader } from '../../../ui/Page.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';
import { Instant } from '../../../ui/Time.tsx';
import css from './Incident.module.css';

const MOST = 500;

/** The jobs of a bundle, and the groups that their failures belong to. */
export function BundleJobs(): ReactNode {
  const jobs = useQuery(jobsQuery({ page: 0, size: MOST }));
  const { data: failures } = useQuery(failuresQuery({ page: 0, size: MOST }));
  if (jobs.error) return <ErrorState what={t('Could not load jobs')} error={jobs.error} />;
  if (!jobs.data) return <SkeletonLines lines={4} />;
  return (
    <Page>
      <PageHeader title={t('Jobs in this bundle')} />
      <Section title={t('Jobs')}>
        <ul className={`bare ${css['list']}`}>
          {jobs.data.items.map((job) => (
            <li key={job.id}>
              <Link to="/jobs/$jobId" params={{ jobId: job.id }} className="mono">
                {job.id}
              </Link>
              <StatusBadge status={badgeStatus(job)} />
              <Link
                to="/workflows/$workflowId"
                params={{ workflowId: job.workflowId }}
                search={{ version: job.commit }}
              >
                {job.workflowId}
              </Link>
              <span className="dim">
                <Instant at={job.createdAt} />
              </span>
              <Duration ms={job.durationMs} />
              {job.parentTaskId !== null && <span className="dim">{t('called by another job')}</span>}
            </li>
          ))}
        </ul>
      </Section>
      {failures !== undefined && failures.items.length > 0 && (
        <Section title={t('Failure groups')}>
          <ul className={`bare ${css['list']}`}>
            {failures.items.map((group) => (
              <li key={group.id}>
                <strong>
                  <NodeOf group={group} />
                </strong>{' '}
                <span className="mono">{group.code}</span> <span>{group.sample}</span>
                <span className="dim">
                  {tn('once,', '{count} times, last', group.count)} <Instant at={group.lastSeenAt} />
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Page>
  );
}
