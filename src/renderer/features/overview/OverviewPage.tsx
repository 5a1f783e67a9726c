import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../lib/language.ts';
import { overviewQuery } from '../../api/overview.ts';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { Section } from '../../ui/Segment.tsx';
import { SkeletonBlock, SkeletonTiles } from '../../ui/Skeletons.tsx';
import { StaleBanner } from '../../ui/StaleBanner.tsx';
import { Capacity } from './sections/Capacity.tsx';
import { RetentionProposal } from '../settings/RetentionProposal.tsx';
import { DamagedData } from './sections/DamagedData.tsx';
import { DiskSpace } from './sections/DiskSpace.tsx';
import { FailingStores } from './sections/FailingStores.tsx';
import { Failures } from './sections/Failures.tsx';
import { FiringAlerts } from './sections/FiringAlerts.tsx';
import { FirstCall } from './sections/FirstCall.tsx';
import css from './sections/OverviewPage.module.css';
import { Publications } from './sections/Publications.tsx';
import { SilentWorkers } from './sections/SilentWorkers.tsx';
import { TaskChart } from './sections/TaskChart.tsx';
import { Tiles } from './sections/Tiles.tsx';
import { Loading } from '../../ui/Loading.tsx';

/** What is broken, since when, for whom: the first look of the day and of the night. */
export function OverviewPage(): ReactNode {
  const query = useQuery(overviewQuery());
  const { data, error } = query;
  return (
    <Page>
      <PageHeader title={t('Overview')} />
      {error !== null && data !== undefined && (
        <StaleBanner error={error} updatedAt={query.dataUpdatedAt} onRetry={() => void query.refetch()} />
      )}
      {data === undefined ? (
        <Loading query={query} what={t('Could not load the overview')}>
          <SkeletonTiles count={4} />
          <SkeletonBlock height={260} />
        </Loading>
      ) : (
        <>
          <DiskSpace />
          <Tiles jobs={data.jobs} />
          <div className={css['columns']}>
            <Stack gap="var(--gap)" miw={0}>
              {data.jobs.createdLastHour === 0 && data.jobs.running === 0 && (
                <FirstCall publications={data.publications} />
              )}
              <Section
                title={t('Recent failures by cause')}
                flush
                actions={data.failures.length > 0 && <Link to="/failures">{t('All failures')}</Link>}
              >
                <Failures failures={data.failures} />
              </Section>
              <TaskChart />
            </Stack>
            <Stack gap="var(--gap)" miw={0}>
              <Section title={t('Capacity')} actions={data.workers && <Link to="/workers">{t('Workers')}</Link>}>
                <Capacity tasks={data.tasks} workers={data.workers} />
              </Section>
              <DamagedData />
              <FailingStores />
              <FiringAlerts />
              {data.workers && <SilentWorkers down={data.workers.down} unstable={data.workers.unstable} />}
              <Section title={t('Recently published')} flush>
                <Publications publications={data.publications} />
              </Section>
              {/* The last one: it comes late, and nothing moves. */}
              <RetentionProposal />
            </Stack>
          </div>
        </>
      )}
    </Page>
  );
}
