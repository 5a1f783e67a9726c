import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { Job, Metrics } from '../../../contract/api.ts';
import { t } from '../../../lib/language.ts';
import { metricsQuery } from '../../api/metrics.ts';
import { stepFor } from '../../parts/log-hits/bins.ts';
import { Chart, type ChartProps } from '../../ui/Chart.tsx';
import { formatCount } from '../../ui/Duration.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Section } from '../../ui/Segment.tsx';
import { SkeletonBlock } from '../../ui/Skeletons.tsx';
import { StaleLine } from '../../ui/StaleLine.tsx';

/** Metrics arrive a few seconds after what they measure; the live stream does not carry them. */
const EVERY_MS = 5000;
const LATE_MS = 20_000;

/** The job's task metrics over its time, one at a time. */
export function MetricsTab({ job, chosen: range }: { job: Job; chosen: { readonly from: string; readonly to: string } | null }): ReactNode {
  const [chosen, setChosen] = useState<string | null>(null);
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
      interval: stepFor(range ? Date.parse(range.to) - Date.parse(range.from) : 2 ** Math.ceil(Math.log2(Math.max(length, 30_000))), 120),
      limit: 1000,
    }),
    refetchInterval: open ? EVERY_MS : false,
  });
  const names = useMemo(() => (query.data?.metricNames ?? []).filter((name) => !name.endsWith('_p95')).sort(), [query.data]);
  const name = chosen !== null && names.includes(chosen) ? chosen : (['timer_run_ms', ...names].find((one) => names.includes(one)) ?? null);
  if (query.error && !query.data) return <ErrorState what={t('The metrics could not be read')} error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <SkeletonBlock height={320} />;
  if (name === null)
    return (
      <EmptyState title={t('No metrics yet')}>
        {open ? t('They arrive a few seconds after the first task has run.') : t('No worker has sent metrics for this job, or the store has let them go.')}
      </EmptyState>
    );
  return (
    <>
      {query.error !== null && <StaleLine error={query.error} updatedAt={query.dataUpdatedAt} onRetry={() => void query.refetch()} />}
      <Section title={wordsOf(name)} actions={<Select aria-label={t('Metric')} data={names.map((one) => ({ value: one, label: wordsOf(one) }))} value={name} onChange={setChosen} searchable w={260} />}>
        <Chart {...chartOf(query.data, name)} height={230} />
        {query.data.truncated === true && <p className="dim">{t('The newest {count} of {totalDataPoints} points.', { count: formatCount(query.data.dataPoints.length), totalDataPoints: formatCount(query.data.totalDataPoints) })}</p>}
        <p className="dim mono">
          task_metrics · {name} · {query.data.interval === null ? t('each point') : t('a point for each {interval}', { interval: query.data.interval })}
        </p>
      </Section>
    </>
  );
}

function chartOf(data: Metrics, name: string): Pick<ChartProps, 'label' | 'times' | 'series'> & { unit: NonNullable<ChartProps['unit']>; bars: boolean } {
  const points = data.dataPoints.filter((point) => typeof point[name] === 'number');
  const times = points.map((point) => Date.parse(point.timestamp) / 1000);
  const values = (of: string) => points.map((point) => (typeof point[of] === 'number' ? (point[of] as number) : null));
  const p95 = `${name}_p95`;
  const counter = name.startsWith('counter_');
  const series: ChartProps['series'] = [
    { label: counter ? t('Sum') : t('Mean'), values: values(name), tone: name.includes('error') ? 'fail' : 'run', fill: !counter },
    ...(data.metricNames.includes(p95) ? [{ label: t('95th percentile'), values: values(p95), tone: 'late' as const }] : []),
  ];
  return { label: wordsOf(name), times, series, unit: name.endsWith('_ms') ? 'ms' : name.endsWith('byte_count') ? 'bytes' : 'count', bars: counter };
}

/** The master's own fields in words; another, `counter_some_name`, as `Some name`. */
function wordsOf(name: string): string {
  switch (name) {
    case 'counter_input_event_count':
      return t('Events in');
    case 'counter_output_event_count':
      return t('Events out');
    case 'counter_error_count':
      return t('Errors');
    case 'counter_input_byte_count':
      return t('Bytes in');
    case 'counter_output_byte_count':
      return t('Bytes out');
    case 'gauge_input_rate':
      return t('Events in, a second');
    case 'gauge_output_rate':
      return t('Events out, a second');
    case 'timer_schedule_ms':
      return t('Time in the queue');
    case 'timer_run_ms':
      return t('Run time');
  }
  const words = name.replace(/^(counter|gauge|timer)_/, '').replace(/_ms$/, ' time').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
