import { IconStack2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { t } from '../../../lib/language.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { jobQuery } from '../../api/jobs.ts';
import { NodeNames } from '../workflows/NodeName.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { SkeletonBlock, SkeletonLines } from '../../ui/Skeletons.tsx';
import { JOBS_LINK, JobView } from './job/JobView.tsx';
import { Loading } from '../../ui/Loading.tsx';

const route = getRouteApi('/jobs/$jobId');
/** One job: where it stands, what went wrong, and the buttons that act on it. */
export function JobPage(): ReactNode {
  const { jobId } = route.useParams();
  const query = useQuery(jobQuery(jobId));
  if (query.data)
    return (
      <NodeNames workflowId={query.data.workflowId} commit={query.data.commit}>
        <JobView
          key={jobId}
          job={query.data}
          error={query.error}
          updatedAt={query.dataUpdatedAt}
          onRetry={() => void query.refetch()}
        />
      </NodeNames>
    );
  const missing = query.error instanceof ApiError && query.error.code === 'JOB_NOT_FOUND';
  return (
    <Page fill>
      <PageHeader title={<span className="mono">{jobId}</span>} documentTitle={t('Job')} back={JOBS_LINK} />
      {missing ? (
        <EmptyState icon={IconStack2} title={t('Job not found')} action={<Link to="/jobs">{t('Go to jobs')}</Link>}>
          {t('The ID may be incomplete or from another cluster, or the job was deleted by retention.')}
        </EmptyState>
      ) : (
        <Loading query={query} what={t('Could not load the job')}>
          <SkeletonLines lines={2} />
          <SkeletonBlock height={360} />
        </Loading>
      )}
    </Page>
  );
}
