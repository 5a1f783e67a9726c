import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import type { Metrics } from '../../../../contract/metrics.ts';
import { t, tn } from '../../../../lib/language.ts';
import { metricsQuery } from '../../../api/metrics.ts';
import { stepFor, stepMs } from '../../logs/hit-bins.ts';
import { Chart } from '../../../ui/Chart.tsx';
import type { ChartProps } from '../../../ui/chart-props.ts';
import { formatCount } from '../../../ui/Duration.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { StaleBanner } from '../../../ui/StaleBanner.tsx';
import css from './JobPage.module.css';
import { Loading } from '../../../ui/Loading.tsx';

/** Metrics arrive a few seconds after what they measure; the live stream does not carry them. */
const EVERY_MS = 5000;
const LATE_MS = 20_000;

/** The job's task metrics over its time. */
export function MetricsTab({
  job,
  chosen: range,
}: {
  job: Job;
  chosen: { readonly from: string; readonly to: string } | null;
}): ReactNode {
  const [shown, setShown] = useState(SHOWN);
  const end = job.finishedAt === null ? null : Date.parse(job.finishedAt);
  const length = (end ?? Date.now()) - Date.parse(job.createdAt);
  const open = end === null || Date.now() - end < LATE_MS;
  const query = useQuery({
    ...metricsQuery({
      measurement: 'task_metrics',
      tags: { job_id: job.id },
      from: range?.from ?? new Date(Date.parse(job.createdAt) - 2000).toISOString(),
      to: range?.to ?? (end === null ? undefined : new Date(end + LATE_MS).toISOString()),
      // Rounded up to a power of two, so that a running job keeps its query for a while.
      interval: stepFor(
        range ? Date.parse(range.to) - Date.parse(range.from) : 2 ** Math.ceil(Math.log2(Math.max(length, 30_000))),
        120,
      ),
      limit: 1000,
    }),
    refetchInterval: open ? EVERY_MS : false,
  });
  const names = useMemo(
    () =>
      (query.data?.metricNames ?? [])
        .filter((name) => !name.endsWith('_p95'))
        .sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1)),
    [query.data],
  );
  const charts = useMemo(
    () => (query.data ? names.slice(0, shown).map((name) => ({ name, ...chartOf(query.data, name) })) : []),
    [query.data, names, shown],
  );
  const drawn = useMemo(() => (query.data ? spanOf(query.data) : undefined), [query.data]);
  if (!query.data) return <Loading query={query} what={t('Could not load metrics')} height={320} />;
  if (names.length === 0)
    return (
      <EmptyState title={t('No metrics yet')}>
        {open
          ? t('Metrics arrive a few seconds after the first task has run.')
          : t('No worker sent metrics for this job, or they were deleted by retention.')}
      </EmptyState>
    );
  return (
    <>
      {query.error !== null && (
        <StaleBanner error={query.error} updatedAt={query.dataUpdatedAt} onRetry={() => void query.refetch()} />
      )}
      {query.data.truncated === true && (
        <p className="dim">
          {t('Showing the latest {count} of {totalDataPoints} points.', {
            count: formatCount(query.data.dataPoints.length),
            totalDataPoints: formatCount(query.data.totalDataPoints),
          })}
        </p>
      )}
      <div className={css['charts']}>
        {charts.map(({ name, ...chart }) => (
          <Section key={name} title={chart.label} actions={<span className={css['metric']}>{name}</span>}>
            <Chart {...chart} height={150} range={drawn} sync="job" />
          </Section>
        ))}
      </div>
      <Box component="p" fz="var(--text-small)" c="var(--ink-3)">
        {query.data.interval === null
          ? t('every point')
          : t('one point per {interval}', { interval: query.data.interval })}{' '}
        {names.length > shown && (
          <button type="button" className="linkish" onClick={() => setShown(names.length)}>
            {tn('{count} more metric', '{count} more metrics', names.length - shown)}
          </button>
        )}
      </Box>
    </>
  );
}

/** What is asked for first. */
const FIRST = [
  'timer_run_ms',
  'timer_schedule_ms',
  'counter_error_count',
  'counter_input_event_count',
  'counter_output_event_count',
  'gauge_input_rate',
  'gauge_output_rate',
  'counter_input_byte_count',
  'counter_output_byte_count',
];
const placeOf = (name: string): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
/** Charts at first; workers may send metrics of their own, any number of them. */
const SHOWN = 12;

/** From the first point to the end of the last one, in seconds: the same axis for all charts. */
function spanOf({ dataPoints, interval }: Metrics): readonly [number, number] | undefined {
  const times = dataPoints.map(({ timestamp }) => Date.parse(timestamp) / 1000);
  const [first] = times;
  return first === undefined
    ? undefined
    : [first, (times.at(-1) ?? first) + (interval === null ? 1 : stepMs(interval) / 1000)];
}

function chartOf(
  data: Metrics,
  name: string,
): Pick<ChartProps, 'label' | 'times' | 'series'> & { unit: NonNullable<ChartProps['unit']>; bars: boolean } {
  const points = data.dataPoints.filter((point) => typeof point[name] === 'number');
  const times = points.map((point) => Date.parse(point.timestamp) / 1000);
  const values = (of: string) => points.map((point) => (typeof point[of] === 'number' ? point[of] : null));
  const p95 = `${name}_p95`;
  const counter = name.startsWith('counter_');
  const series: ChartProps['series'] = [
    {
      label: counter ? t('Sum') : t('Mean'),
      values: values(name),
      tone: name.includes('error') ? 'fail' : 'run',
      fill: !counter,
    },
    ...(data.metricNames.includes(p95) ? [{ label: t('p95'), values: values(p95), tone: 'late' as const }] : []),
  ];
  return {
    label: wordsOf(name),
    times,
    series,
    unit: name.endsWith('_ms') ? 'ms' : name.endsWith('byte_count') ? 'bytes' : 'count',
    bars: counter,
  };
}

/** The master's own fields in words; another, `counter_some_name`, as `Some name`. */
function wordsOf(name: string): string {
  switch (name) {
    case 'counter_input_event_count':
      return t('Input events');
    case 'counter_output_event_count':
      return t('Output events');
    case 'counter_error_count':
      return t('Errors');
    case 'counter_input_byte_count':
      return t('Input bytes');
    case 'counter_output_byte_count':
      return t('Output bytes');
    case 'gauge_input_rate':
      return t('Input events per second');
    case 'gauge_output_rate':
      return t('Output events per second');
    case 'timer_schedule_ms':
      return t('Queue time');
    case 'timer_run_ms':
      return t('Run time');
  }
  const words = name
    .replace(/^(counter|gauge|timer)_/, '')
    .replace(/_ms$/, ' time')
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
