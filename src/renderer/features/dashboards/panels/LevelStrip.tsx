import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { call } from '../../../api/client.ts';
import { Chart } from '../../../ui/Chart.tsx';
import { levelTone } from '../../logs/level-tone.ts';
import css from './Dashboard.module.css';
import { seriesLines } from './panel-data.ts';
import { rangeEnds, rangeLength, stepForLength } from './range.ts';
import type { PanelView } from './use-panel.ts';

const HEIGHT = 116;
const QUERY = { source: 'logs', query: '*', field: 'level' } as const;
/** Tags of metrics under which log lines are found too. */
const FIELDS: Readonly<Record<string, string>> = { worker_id: 'worker_id', job_id: 'job_id' };

/** How many log lines came, by level, on the time axis of the panels above. */
export function LevelStrip({
  view: { span, chosen, refreshMs },
  tags,
  onZoom,
}: {
  view: PanelView;
  tags: Readonly<Record<string, string>>;
  onZoom(fromSeconds: number, toSeconds: number): void;
}): ReactNode {
  const step = stepForLength(rangeLength(span));
  const text =
    Object.entries(tags)
      .flatMap(([name, tag]) =>
        FIELDS[tag] && chosen[name]?.length
          ? [`${FIELDS[tag]}:in(${chosen[name].map((value) => JSON.stringify(value)).join(',')})`]
          : [],
      )
      .join(' ') || '*';
  const query = useQuery({
    queryKey: ['dashboards', 'logs', 'levels', text, span] as const,
    queryFn: async ({ signal }) => {
      const { from, to } = rangeEnds(span, step * 1000, Date.now());
      const { hits } = await call('logs.hits', {
        query: {
          query: text,
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
          step: `${step}s`,
          field: 'level',
        },
        signal,
      });
      const series = hits.map(({ fields, timestamps, values }) => ({
        tags: fields,
        times: timestamps.map((time) => Date.parse(time)),
        values,
      }));
      return {
        ...seriesLines([QUERY], [{ from: '', to: '', interval: `${step}s`, series, total: series.length }]),
        range: [from / 1000, to / 1000] as const,
      };
    },
    refetchInterval: refreshMs === 0 ? false : refreshMs,
    placeholderData: keepPreviousData,
  });
  const data = query.data;
  const series = useMemo(
    () => (data?.lines ?? []).map(({ label, values }) => ({ label, values, tone: levelTone(label) })),
    [data],
  );
  const total = useMemo(
    () => (data?.lines ?? []).reduce((sum, { values }) => sum + values.reduce<number>((a, b) => a + (b ?? 0), 0), 0),
    [data],
  );
  // The panels tell what is wrong where the stores do not answer.
  if (!data) return null;
  return (
    <section className={`card ${css['card']}`} aria-label={t('Log lines by level')}>
      <header className={css['cardHead']}>
        <h2>{t('Log lines by level')}</h2>
        <span className="dim numbers">{tn('{count} line', '{count} lines', total)}</span>
        <Link
          to="/logs"
          search={{
            query: text,
            from: new Date(data.range[0] * 1000).toISOString(),
            to: new Date(data.range[1] * 1000).toISOString(),
          }}
        >
          {t('Logs')}
        </Link>
      </header>
      <div className={css['cardBody']}>
        {series.length === 0 ? (
          <p className={css['none']} style={{ height: HEIGHT }}>
            {t('No lines in this time range.')}
          </p>
        ) : (
          <Chart
            label={t('Log lines by level')}
            times={data.times}
            series={series}
            height={HEIGHT}
            unit="count"
            bars
            stacked
            range={data.range}
            sync="dashboard"
            onZoom={onZoom}
          />
        )}
      </div>
    </section>
  );
}
