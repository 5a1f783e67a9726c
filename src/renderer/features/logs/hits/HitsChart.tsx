import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { type LogFilters, logHitsQuery } from '../../../api/logs.ts';
import { Chart } from '../../../ui/Chart.tsx';
import { formatCount } from '../../../ui/Duration.tsx';
import { SkeletonBlock } from '../../../ui/Skeletons.tsx';
import { levelTone } from '../level-tone.ts';
import { hitBins, stepFor } from '../hit-bins.ts';
import css from './HitsChart.module.css';

const HEIGHT = 92;
const DAY_MS = 86_400_000;
const EVERY_MS = 5000;

export interface HitsChartProps {
  readonly filters: LogFilters;
  /** Milliseconds; null: no bound, the answer tells. */
  readonly from: number | null;
  readonly to: number | null;
  readonly live: boolean;
  /** ISO times of the stretch that was dragged over. */
  onZoom(from: string, to: string): void;
  /** How many lines match; null: not known. */
  onTotal?(total: number | null): void;
}

/** How many lines match over time, by level. */
export function HitsChart({ filters, from, to, live, onZoom, onTotal }: HitsChartProps): ReactNode {
  const now = Date.now();
  const step = from === null ? '1d' : stepFor((to ?? now) - from);
  const query = useQuery({
    ...logHitsQuery({ ...filters, step, field: 'level' }),
    refetchInterval: live ? EVERY_MS : false,
    retry: false,
  });
  const bins = useMemo(() => {
    if (!query.data) return null;
    const end =
      to ??
      Math.max(Date.now(), ...query.data.hits.flatMap((hit) => hit.timestamps.slice(-1).map((at) => Date.parse(at))));
    const seen = Math.min(...query.data.hits.flatMap((hit) => hit.timestamps.slice(0, 1).map((at) => Date.parse(at))));
    const start = from ?? Math.max(Number.isFinite(seen) ? seen : end - 7 * DAY_MS, end - 2000 * DAY_MS);
    return hitBins(query.data, step, Math.min(start, end - 6 * (from === null ? DAY_MS : 0)), end);
  }, [query.data, step, from, to]);
  useEffect(
    () =>
      onTotal?.(
        query.data && !query.error && !query.isPlaceholderData
          ? query.data.hits.reduce((sum, hit) => sum + hit.total, 0)
          : null,
      ),
    [query.data, query.error, query.isPlaceholderData],
  );
  // Where the query is refused, the query bar says so; where the store fails, the list does.
  if (query.error && !query.data)
    return (
      <div className={css['none']} style={{ height: HEIGHT }}>
        {t('No histogram for this query')}
      </div>
    );
  if (!bins) return <SkeletonBlock height={HEIGHT + 28} />;
  return (
    <div className={`card ${css['box']}`} data-old={query.isPlaceholderData || undefined}>
      <Chart
        label={t('Lines over time, {total} in total, {value}', {
          total: formatCount(bins.total),
          value: bins.series.map((one) => `${formatCount(one.total)} ${one.level || t('no level')}`).join(', '),
        })}
        times={bins.times}
        series={
          bins.series.length === 0
            ? [{ label: t('Lines'), values: bins.times.map(() => 0), tone: 'empty' }]
            : bins.series.map((one) => ({
                label: one.level || t('no level'),
                values: one.values,
                tone: levelTone(one.level),
              }))
        }
        height={HEIGHT}
        unit="count"
        bars
        stacked
        totals
        onZoom={(a, b) => onZoom(new Date(a * 1000).toISOString(), new Date(b * 1000).toISOString())}
      />
      <span className={css['total']}>{tn('{count} line', '{count} lines', bins.total)}</span>
    </div>
  );
}
