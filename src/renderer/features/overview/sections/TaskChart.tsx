import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { t } from '../../../../lib/language.ts';
import { recentMetricsQuery } from '../../../api/metrics.ts';
import { Chart, LEGEND_HEIGHT, preloadCharts } from '../../../ui/Chart.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { countByMinute } from './minutes.ts';
import { Loading } from '../../../ui/Loading.tsx';

const MINUTES = 60;
const REFRESH_MS = 10_000;
const HEIGHT = 170;

/** What the workers did in the last hour, a bar a minute. */
export function TaskChart() {
  useEffect(preloadCharts, []);
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    ...recentMetricsQuery(MINUTES, { measurement: 'task_metrics', interval: '1m', limit: 5000 }),
    refetchInterval: REFRESH_MS,
  });
  const chart = useMemo(() => data && countByMinute(data.dataPoints, MINUTES, dataUpdatedAt), [data, dataUpdatedAt]);
  return (
    <Section title={t('Task events per minute (last hour)')}>
      {chart ? (
        <Chart
          label={t('Task input events and task errors per minute in the last hour')}
          height={HEIGHT}
          unit="count"
          times={chart.times}
          series={[
            { label: t('Events'), values: chart.events, tone: 'run', fill: true },
            { label: t('Errors'), values: chart.errors, tone: 'fail' },
          ]}
        />
      ) : (
        <Loading
          query={{ error, refetch }}
          what={t('Could not load metrics')}
          height={HEIGHT + LEGEND_HEIGHT}
          compact
        />
      )}
    </Section>
  );
}
