import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import type { LogHits } from '../../../../contract/logs.ts';
import { t } from '../../../../lib/language.ts';
import { readSeries } from '../../../api/dashboards.ts';
import { logHitsQuery } from '../../../api/logs.ts';
import type { ChartAnnotation } from '../../../ui/chart-props.ts';
import { formatCount, formatDuration } from '../../../ui/Duration.tsx';
import { rich } from '../../../ui/rich.tsx';
import { formatShare } from '../../../ui/number-text.ts';
import css from './TimelineOverlays.module.css';

export interface TimelineWindow {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}
const BARS = 120;
const REFRESH_MS = 5000;
const LEVELS = { fatal: '--tone-mixed', error: '--tone-fail', warn: '--tone-partial', info: '--tone-run' } as const;
/** Samples of the processor come every few seconds: so much around the window is read, so that a line enters and leaves it. */
const AROUND_MS = 15_000;

/** What else happened in the time of a job: its log lines by level, the processors of the workers. On the same axis as the tasks. */
export function TimelineOverlays({
  job,
  window: { from, to },
  open,
}: {
  job: Job;
  window: TimelineWindow;
  open: boolean;
}): ReactNode {
  const length = to - from;
  const step = Math.max(1, Math.ceil(length / BARS));
  const refetchInterval = open ? REFRESH_MS : (false as const);
  const hits = useQuery({
    ...logHitsQuery({
      job_id: job.id,
      from: new Date(from).toISOString(),
      to: new Date(to + 1).toISOString(),
      step: `${Math.min(step, 9_999_999)}ms`,
      field: 'level',
    }),
    refetchInterval,
  });
  const cpu = useQuery({
    queryKey: ['jobs', 'timeline', 'cpu', Math.round(from), Math.round(to)] as const,
    queryFn: ({ signal }) =>
      readSeries(
        {
          measurement: 'worker_metrics',
          field: 'gauge_cpu_usage',
          aggregate: 'mean',
          groupBy: 'worker_id',
          interval: `${Math.max(5, Math.ceil(length / BARS / 1000))}s`,
          limit: 20,
          filters: {},
        },
        from - AROUND_MS,
        to + AROUND_MS,
        signal,
      ),
    refetchInterval,
  });
  const at = (ms: number) => ((ms - from) / length) * 100;
  const { bars, most, lines } = stacked(hits.data);
  return (
    <>
      <div className={css['strip']}>
        <span className={css['name']}>
          {rich('Log lines {span}', { span: lines > 0 && <span className="dim numbers">{formatCount(lines)}</span> })}
        </span>
        <span
          className={css['plot']}
          role="img"
          aria-label={t('Log lines over time: {lines}', { lines: formatCount(lines) })}
        >
          {bars.map(({ time, level, below, count }) => (
            <span
              key={`${time} ${level}`}
              className={css['bar']}
              title={`${formatCount(count)} ${level || 'lines'}`}
              style={{
                left: `${at(time)}%`,
                width: `max(2px, ${(step / length) * 100}%)`,
                bottom: `${(below / most) * 100}%`,
                height: `${(count / most) * 100}%`,
                background: `var(${LEVELS[level as keyof typeof LEVELS] ?? '--tone-ready'})`,
              }}
            />
          ))}
        </span>
        {lines > 0 && <Scale top={formatCount(most)} foot="0" />}
      </div>
      <div className={css['strip']}>
        <span className={css['name']}>{t('Worker CPU')}</span>
        <span
          className={css['plot']}
          role="img"
          aria-label={
            (cpu.data?.series ?? [])
              .map(({ tags, values }) =>
                t('{worker}: max. {share}', {
                  worker: tags['worker_id']?.slice(-8) ?? '–',
                  share: formatShare(Math.max(0, ...values)),
                }),
              )
              .join(', ') || t('No samples')
          }
        >
          {cpu.data?.series.length === 0 && <span className="dim">{t('no samples in this time range')}</span>}
          <svg viewBox="0 0 100 100" preserveAspectRatio="none">
            {cpu.data?.series.map(({ tags, times, values }, i) => (
              <polyline
                key={tags['worker_id']}
                points={times
                  .map((time, k) => `${at(time).toFixed(2)},${(98 - Math.min(1, values[k] ?? 0) * 96).toFixed(2)}`)
                  .join(' ')}
                style={{ stroke: `var(${WORKER_COLOURS[i % WORKER_COLOURS.length]})` }}
              />
            ))}
          </svg>
        </span>
        {(cpu.data?.series.length ?? 0) > 0 && <Scale top={formatShare(1)} foot={formatShare(0)} />}
      </div>
    </>
  );
}

const WORKER_COLOURS = ['--tone-run', '--tone-partial', '--tone-done', '--tone-late', '--tone-mixed'] as const;

/** What the upper and the lower edge of a strip stand for. */
function Scale({ top, foot }: { top: string; foot: string }): ReactNode {
  return (
    <span className={css['scale']} aria-hidden>
      <span>{top}</span>
      <span>{foot}</span>
    </span>
  );
}

/** Marks over all rows. */
export function MarkerLines({
  marks,
  window: { from, to },
}: {
  marks: readonly ChartAnnotation[];
  window: TimelineWindow;
}): ReactNode {
  return marks
    .filter(({ at }) => at * 1000 >= from && at * 1000 <= to)
    .map(({ at, label, tone }) => (
      <span
        key={`${at} ${label}`}
        className={css['mark']}
        title={t('{label}, after {count}', { label, count: formatDuration(at * 1000 - from) })}
        style={{ left: `${((at * 1000 - from) / (to - from)) * 100}%`, borderColor: `var(--tone-${tone})` }}
      />
    ));
}

/** Bars of each moment on top of one another, errors at the foot. */
function stacked(hits: LogHits | undefined): {
  bars: { time: number; level: string; below: number; count: number }[];
  most: number;
  lines: number;
} {
  const order = Object.keys(LEVELS);
  const rank = (level: string) => (order.indexOf(level) + order.length + 1) % (order.length + 1);
  const sorted = (hits?.hits ?? [])
    .map(({ fields, timestamps, values }) => ({ level: (fields['level'] ?? '').toLowerCase(), timestamps, values }))
    .sort((a, b) => rank(a.level) - rank(b.level));
  const heights = new Map<number, number>();
  let lines = 0;
  const bars = sorted.flatMap(({ level, timestamps, values }) =>
    timestamps.flatMap((text, i) => {
      const count = values[i] ?? 0;
      if (count === 0) return [];
      const time = Date.parse(text);
      const below = heights.get(time) ?? 0;
      heights.set(time, below + count);
      lines += count;
      return [{ time, level, below, count }];
    }),
  );
  return { bars, most: Math.max(1, ...heights.values()), lines };
}
