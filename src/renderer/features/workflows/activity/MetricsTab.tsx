import { Group, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { Environment } from '../../../../contract/vocabulary.ts';
import type { WorkflowActivity } from '../../../../contract/workflow-activity.ts';
import type { Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { activityQuery } from '../../../api/workflow-activity.ts';
import { Chart } from '../../../ui/Chart.tsx';
import { formatCount, formatDuration } from '../../../ui/Duration.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { formatPercent } from '../../../ui/number-text.ts';
import { Section } from '../../../ui/Segment.tsx';
import { StaleBanner } from '../../../ui/StaleBanner.tsx';
import classes from './Activity.module.css';

const RANGES = [
  { value: '1', label: t('1 hour') },
  { value: '24', label: t('24 hours') },
  { value: '168', label: t('7 days') },
  { value: '720', label: t('30 days') },
] as const;
const BARS = 48;
const HEIGHT = 190;

/** How the jobs of one workflow went: runs by outcome, success rate and durations. */
export function MetricsTab({
  workflow,
  environment,
}: {
  workflow: Workflow;
  environment: Environment | undefined;
}): ReactNode {
  const [hours, setHours] = useState<(typeof RANGES)[number]['value']>('24');
  const query = useQuery(activityQuery({ workflowId: [workflow.id], environment, hours: Number(hours), bars: BARS }));
  const activity = query.data?.items[0];
  const charts = useMemo(() => activity && chartsOf(activity), [activity]);
  return (
    <>
      <Group>
        <SegmentedControl
          aria-label={t('Time range')}
          value={hours}
          data={RANGES.map((one) => ({ ...one }))}
          onChange={(next) => setHours(next)}
        />
      </Group>
      {query.isError && query.data && (
        <StaleBanner error={query.error} updatedAt={query.dataUpdatedAt} onRetry={() => void query.refetch()} />
      )}
      {!activity || !charts ? (
        <Loading query={query} what={t('Could not load metrics')} height={320} />
      ) : activity.jobs === 0 ? (
        <EmptyState title={t('No runs in this time range')}>
          {t('Choose a longer range, or call the workflow.')}
        </EmptyState>
      ) : (
        <>
          <Facts
            items={[
              { label: t('Runs'), value: formatCount(activity.jobs) },
              { label: t('Failed'), value: formatCount(activity.failed) },
              {
                label: t('Success rate'),
                value: activity.successRate === null ? '–' : formatPercent(activity.successRate),
              },
              { label: t('p50'), value: activity.p50Ms === null ? '–' : formatDuration(activity.p50Ms) },
              { label: t('p95'), value: activity.p95Ms === null ? '–' : formatDuration(activity.p95Ms) },
              activity.sampled && { label: t('Sample'), value: t('the newest runs of this range') },
            ]}
          />
          <div className={classes.charts}>
            <Section title={t('Runs by outcome')}>
              <Chart
                label={t('Succeeded and failed runs over time')}
                height={HEIGHT}
                unit="count"
                bars
                stacked
                times={charts.times}
                series={[
                  { label: t('Succeeded'), values: charts.succeeded, tone: 'done' },
                  { label: t('Failed'), values: charts.failed, tone: 'fail' },
                ]}
                sync="workflow"
              />
            </Section>
            <Section title={t('Success rate')}>
              <Chart
                label={t('Share of runs that succeeded, over time')}
                height={HEIGHT}
                unit="percent"
                times={charts.times}
                series={[{ label: t('Success rate'), values: charts.rate, tone: 'done', fill: true }]}
                bounds={{ min: 0, max: 1 }}
                gap={Infinity}
                sync="workflow"
              />
            </Section>
            <Section title={t('Job duration p95')}>
              <Chart
                label={t('Job duration p95 over time')}
                height={HEIGHT}
                unit="ms"
                times={charts.times}
                series={[{ label: t('p95'), values: charts.p95, tone: 'run', fill: true }]}
                gap={Infinity}
                sync="workflow"
              />
            </Section>
          </div>
        </>
      )}
    </>
  );
}

function chartsOf({ from, to, bars }: WorkflowActivity) {
  const start = Date.parse(from) / 1000;
  const step = (Date.parse(to) / 1000 - start) / bars.length;
  return {
    times: bars.map((_, i) => start + i * step),
    succeeded: bars.map((bar) => bar.succeeded),
    failed: bars.map((bar) => bar.failed),
    rate: bars.map((bar) => (bar.succeeded + bar.failed === 0 ? null : bar.succeeded / (bar.succeeded + bar.failed))),
    p95: bars.map((bar) => bar.p95Ms),
  };
}
