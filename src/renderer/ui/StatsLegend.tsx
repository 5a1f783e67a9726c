import type { ReactNode } from 'react';
import { t } from '../../lib/language.ts';
import type { ChartAnnotation, ChartSeries, ChartUnit } from './chart-props.ts';
import css from './Chart.module.css';
import { seriesStats } from './chart-stats.ts';
import { valueText } from './chart-options.ts';
import { formatCount } from './Duration.tsx';
import { formatInstant } from './time-text.ts';

/** How near the cursor has to be to a mark to name it, in seconds. */
const NEAR_S = 60;

/** The series of a chart with the value under the cursor (else the last), the least, the greatest and the mean one. */
export function StatsLegend({
  series,
  unit,
  shown,
  time,
  zone,
  marks,
}: {
  series: readonly ChartSeries[];
  unit: ChartUnit | undefined;
  shown: number | null;
  time: number | undefined;
  zone: string;
  marks: readonly ChartAnnotation[];
}): ReactNode {
  const near = shown === null || time === undefined ? [] : marks.filter(({ at }) => Math.abs(at - time) <= NEAR_S);
  return (
    <div className={css['stats']} aria-hidden>
      <table>
        <thead>
          <tr>
            <th>
              {shown !== null && time !== undefined ? (
                <span className="numbers">{formatInstant(time * 1000, zone, false)}</span>
              ) : series.length > 1 ? (
                t('{count} series', { count: formatCount(series.length) })
              ) : (
                ''
              )}
            </th>
            <th>{shown === null ? t('last') : t('value')}</th>
            <th>{t('min')}</th>
            <th>{t('max')}</th>
            <th>{t('mean')}</th>
          </tr>
        </thead>
        <tbody>
          {series.map((one) => {
            const { min, max, mean, last } = seriesStats(one.values);
            return (
              <tr key={one.label}>
                <td>
                  <span className={css['series']}>
                    <span
                      className={css['mark']}
                      style={{ background: `var(${one.color ?? `--tone-${one.tone ?? 'run'}`})` }}
                    />
                    <span className="clip" title={one.label}>
                      {one.label}
                    </span>
                  </span>
                </td>
                {[shown === null ? last : one.values[shown], min, max, mean].map((value, i) => (
                  <td key={i} className="numbers">
                    {valueText(unit, value)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {near.map((mark) => (
        <div key={`${mark.at} ${mark.label}`} className="clip">
          <span className={css['mark']} style={{ background: `var(--tone-${mark.tone})` }} /> {mark.label}
        </div>
      ))}
    </div>
  );
}
